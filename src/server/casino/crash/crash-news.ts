/** What Crash publishes: states and ticks at once, the list of bets a few times a second, a player's own bets to the player. */
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Bus, BusMessage } from '#server/bus.ts';
import type { Tick } from '#server/casino/crash/crash-game.ts';
import {
	betView,
	type CrashRowView,
	type CrashStateView,
	rowView,
	stateView,
} from '#server/casino/crash/crash-views.ts';
import type { CrashBet } from '#server/casino/crash/flight.ts';
import type { TableState } from '#server/casino/tables/shared-table.ts';
import type { TableClock } from '#server/casino/tables/table-game.ts';
import { majorFromPaise } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';

const LIST_MS = 400;
/** A list is made anew at most so often, however many players ask. */
const LEAST_LIST_MS = 100;
const MOST_ROWS = 20;

export class CrashNews {
	readonly #bus: Bus;
	readonly #clock: TableClock;
	readonly #roundBets: () => CrashBet[];
	#state: TableState | null = null;
	#stateVersion = 0;
	#listVersion = 0;
	readonly #changed = new Set<Pool>();
	/** Each pool's list, and when it was made. */
	readonly #lists = new Map<Pool, { list: HubMessages['CrashBets']; madeMs: number; isOld: boolean }>();
	#timer: NodeJS.Timeout | null = null;

	/** @param roundBets the bets of the round that runs */
	constructor(bus: Bus, clock: TableClock, roundBets: () => CrashBet[]) {
		this.#bus = bus;
		this.#clock = clock;
		this.#roundBets = roundBets;
	}

	stop(): void {
		if (this.#timer) clearTimeout(this.#timer);
	}

	onState(state: TableState): void {
		this.#state = state;
		this.#stateVersion++;
		const message = this.#stateMessage(state);
		for (const pool of POOLS) this.#publish(pool, message);
		if (state.phase === 'BETTING') for (const pool of POOLS) this.#listChanged(pool);
	}

	onTick({ round, elapsedMs, cents }: Tick): void {
		const data = { round: String(round), elapsedMs, cents, serverTime: Date.now() };
		const message: BusMessage = { code: 'CrashTick', data, key: 'crash.tick' };
		for (const pool of POOLS) this.#publish(pool, message);
	}

	onBet(bet: CrashBet): void {
		this.#listChanged(bet.player.pool);
		this.publishOwn(bet.player.walletId, { ...betView(bet), refusal: null });
	}

	publishOwn(walletId: number, data: HubMessages['CrashBet']): void {
		this.#bus.publish(`player.${walletId}`, { code: 'CrashBet', data, key: `crash.bet.${data.betId}` });
	}

	/** What a new subscriber gets. */
	images(pool: Pool): BusMessage[] {
		return this.#state ? [this.#stateMessage(this.#state), this.#listMessage(pool)] : [];
	}

	stateView(): CrashStateView | null {
		return this.#state && stateView(this.#state, this.#stateVersion, this.#clock);
	}

	/** The list of a pool; a bet of the last tenth of a second may not be on it yet. */
	list(pool: Pool): HubMessages['CrashBets'] {
		const made = this.#lists.get(pool);
		const nowMs = performance.now();
		const isSame = made && made.list.round === this.#roundName();
		if (isSame && (!made.isOld || nowMs - made.madeMs < LEAST_LIST_MS))
			return { ...made.list, version: this.#listVersion };
		const list = this.#listNow(pool);
		this.#lists.set(pool, { list, madeMs: nowMs, isOld: false });
		return list;
	}

	#roundName(): string {
		return String(this.#state?.round ?? 0);
	}

	#listNow(pool: Pool): HubMessages['CrashBets'] {
		const bets = this.#roundBets().filter(({ player, state }) => player.pool === pool && state !== 'VOID');
		const largest = bets.sort((one, other) => other.stake - one.stake || one.id - other.id).slice(0, MOST_ROWS);
		const rows: CrashRowView[] = largest.map(rowView);
		const paid = bets.reduce((sum, { isDurable, payout }) => sum + (isDurable ? payout : 0), 0);
		return {
			round: this.#roundName(),
			version: this.#listVersion,
			players: new Set(bets.map(({ player }) => player.walletId)).size,
			stake: majorFromPaise(bets.reduce((sum, { stake }) => sum + stake, 0)),
			payout: majorFromPaise(paid),
			rows,
		};
	}

	#listChanged(pool: Pool): void {
		this.#changed.add(pool);
		const made = this.#lists.get(pool);
		if (made) made.isOld = true;
		this.#timer ??= setTimeout(() => this.#publishLists(), LIST_MS).unref();
	}

	#publishLists(): void {
		this.#timer = null;
		this.#listVersion++;
		for (const pool of this.#changed) this.#publish(pool, this.#listMessage(pool));
		this.#changed.clear();
	}

	#stateMessage(state: TableState): BusMessage {
		return { code: 'CrashState', data: stateView(state, this.#stateVersion, this.#clock), key: 'crash.state' };
	}

	#listMessage(pool: Pool): BusMessage {
		return { code: 'CrashBets', data: this.list(pool), key: 'crash.bets' };
	}

	#publish(pool: Pool, message: BusMessage): void {
		this.#bus.publish(`table.crash.${pool}`, message);
	}
}
