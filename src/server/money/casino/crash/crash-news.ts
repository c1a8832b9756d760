/**
 * What Crash publishes: states at once, ticks and the list of bets several times a second to one cohort after the other,
 * a player's own bets to the player.
 */
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Tick } from '#server/money/casino/crash/crash-game.ts';
import {
	betView,
	type CrashRowView,
	type CrashStateView,
	rowView,
	stateView,
} from '#server/money/casino/crash/crash-views.ts';
import type { CrashBet } from '#server/money/casino/crash/flight.ts';
import { PoolLists } from '#server/money/casino/tables/pool-lists.ts';
import type { TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import { cohortTopic, tableTopic } from '#server/platform/bus/table-topics.ts';
import { majorFromPaise } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';

const MOST_ROWS = 20;

export class CrashNews {
	readonly #bus: Bus;
	readonly #clock: TableClock;
	readonly #roundBets: () => CrashBet[];
	#state: TableState | null = null;
	#stateVersion = 0;
	readonly #lists = new PoolLists({
		round: () => this.#roundName(),
		make: (pool) => this.#listNow(pool),
		publish: (pool, list, cohort) => this.#bus.publish(cohortTopic('crash', pool, cohort), this.#listMessage(list)),
	});

	/** @param roundBets the bets of the round that runs */
	constructor(bus: Bus, clock: TableClock, roundBets: () => CrashBet[]) {
		this.#bus = bus;
		this.#clock = clock;
		this.#roundBets = roundBets;
	}

	stop(): void {
		this.#lists.stop();
	}

	onState(state: TableState): void {
		this.#state = state;
		this.#stateVersion++;
		const message = this.#stateMessage(state);
		for (const pool of POOLS) this.#bus.publish(tableTopic('crash', pool), message);
		if (state.phase === 'BETTING') this.#lists.allChanged();
	}

	onTick({ round, elapsedMs, cents, cohorts }: Tick): void {
		const data = { round: String(round), elapsedMs, cents, serverTime: Date.now() };
		const message: BusMessage = { code: 'CrashTick', data, key: 'crash.tick' };
		for (const cohort of cohorts) {
			for (const pool of POOLS) this.#bus.publish(cohortTopic('crash', pool, cohort), message);
			this.#lists.join(cohort);
		}
	}

	onBet(bet: CrashBet): void {
		this.#lists.changed(bet.player.pool);
		this.publishOwn(bet.player.walletId, { ...betView(bet), refusal: null });
	}

	publishOwn(walletId: number, data: HubMessages['CrashBet']): void {
		this.#bus.publish(`player.${walletId}`, { code: 'CrashBet', data, key: `crash.bet.${data.betId}` });
	}

	/** What a new subscriber gets. */
	images(pool: Pool): BusMessage[] {
		return this.#state ? [this.#stateMessage(this.#state), this.#listMessage(this.list(pool))] : [];
	}

	stateView(): CrashStateView | null {
		return this.#state && stateView(this.#state, this.#stateVersion, this.#clock);
	}

	list(pool: Pool): HubMessages['CrashBets'] {
		return this.#lists.of(pool);
	}

	#roundName(): string {
		return String(this.#state?.round ?? 0);
	}

	#listNow(pool: Pool): Omit<HubMessages['CrashBets'], 'version'> {
		const bets = this.#roundBets().filter(({ player, state }) => player.pool === pool && state !== 'VOID');
		const largest = bets.sort((one, other) => other.stake - one.stake || one.id - other.id).slice(0, MOST_ROWS);
		const rows: CrashRowView[] = largest.map(rowView);
		const paid = bets.reduce((sum, { isDurable, payout }) => sum + (isDurable ? payout : 0), 0);
		return {
			round: this.#roundName(),
			players: new Set(bets.map(({ player }) => player.walletId)).size,
			stake: majorFromPaise(bets.reduce((sum, { stake }) => sum + stake, 0)),
			payout: majorFromPaise(paid),
			rows,
		};
	}

	#stateMessage(state: TableState): BusMessage {
		return { code: 'CrashState', data: stateView(state, this.#stateVersion, this.#clock), key: 'crash.state' };
	}

	#listMessage(data: HubMessages['CrashBets']): BusMessage {
		return { code: 'CrashBets', data, key: 'crash.bets' };
	}
}
