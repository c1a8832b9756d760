/**
 * The messages of a table: states immediately to all viewers, repeated messages to one cohort after another, and a
 * player's own bets to the player.
 */
import type { HubMessages } from '#contract/hub-messages.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { PoolLists } from '#server/money/casino/tables/pool-lists.ts';
import type { TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock, TableGame } from '#server/money/casino/tables/table-game.ts';
import type { TableBet } from '#server/money/casino/tables/table-round.ts';
import {
	sharedStateView,
	type TableViews,
	type TableWire,
	totalsView,
} from '#server/money/casino/tables/table-views.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import { cohortTopic, tableTopic } from '#server/platform/bus/table-topics.ts';
import type { WalletId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

interface TableNewsOptions<Terms extends WorkflowData, Wire extends TableWire> {
	bus: Bus;
	/** Those that are served here. */
	pools: readonly Pool[];
	clock: TableClock;
	game: Pick<TableGame<Terms>, 'code' | 'isAlwaysOpen'>;
	views: TableViews<Terms, Wire>;
	state: () => TableState;
	/** The bets of the current round. */
	roundBets: () => readonly TableBet<Terms>[];
}

export class TableNews<Terms extends WorkflowData, Wire extends TableWire> {
	readonly #options: TableNewsOptions<Terms, Wire>;
	#version = 0;
	readonly #lists: PoolLists<Omit<Wire['list'], 'version'> & { round: string }>;

	constructor(options: TableNewsOptions<Terms, Wire>) {
		this.#options = options;
		this.#lists = new PoolLists({
			pools: options.pools,
			round: () => String(options.state().round),
			make: (pool) => this.#listNow(pool),
			publish: (pool, list, cohort) =>
				options.bus.publish(cohortTopic(options.game.code, pool, cohort), this.#listMessage(list as Wire['list'])),
		});
	}

	stop(): void {
		this.#lists.stop();
	}

	onState({ phase }: TableState): void {
		this.changed();
		if (phase === 'BETTING') this.#lists.allChanged();
	}

	onBet(bet: TableBet<Terms>): void {
		this.#lists.changed(bet.player.pool);
		this.publishOwn(bet.player.walletId, this.#options.views.bet(bet), null);
	}

	/** The state of the table has changed. */
	changed(): void {
		this.#version++;
		const { bus, pools, game } = this.#options;
		const message = this.#stateMessage();
		if (message) for (const pool of pools) bus.publish(tableTopic(game.code, pool), message);
	}

	/** A repeated message during play. @param cohorts its receivers */
	repeat(message: BusMessage, cohorts: readonly number[]): void {
		const { bus, pools, game } = this.#options;
		for (const cohort of cohorts) {
			for (const pool of pools) bus.publish(cohortTopic(game.code, pool, cohort), message);
			this.#lists.join(cohort);
		}
	}

	/** @param refusal why a queued bet was not placed; null if it was placed */
	publishOwn(walletId: WalletId, bet: Wire['bet'], refusal: HubMessages['TableBet']['refusal']): void {
		const { bus, game, views } = this.#options;
		const key = `table.bet.${game.code}.${bet.betId}`;
		bus.publish(`player.${walletId}`, { code: views.codes.bet, data: { ...bet, refusal }, key });
	}

	/** The messages for a new subscriber. */
	images(pool: Pool): BusMessage[] {
		const state = this.#stateMessage();
		return state ? [state, this.#listMessage(this.list(pool))] : [];
	}

	/** Null while an always-open table ends the rounds of an earlier process. */
	state(): Wire['state'] | null {
		const { game, views, state, clock } = this.#options;
		if (game.isAlwaysOpen && this.#version === 0) return null;
		return views.state(state(), sharedStateView(state(), this.#version, clock));
	}

	list(pool: Pool): Wire['list'] {
		return this.#lists.of(pool) as Wire['list'];
	}

	#listNow(pool: Pool): Omit<Wire['list'], 'version'> & { round: string } {
		const { views, state, roundBets } = this.#options;
		const bets = roundBets().filter((bet) => bet.player.pool === pool && bet.state !== 'VOID');
		const totals = totalsView(state().round, bets);
		return { ...views.list(totals, bets), round: totals.round };
	}

	#stateMessage(): BusMessage | null {
		const { game, views } = this.#options;
		const data = this.state();
		return data && { code: views.codes.state, data, key: `table.state.${game.code}` };
	}

	#listMessage(data: Wire['list']): BusMessage {
		const { game, views } = this.#options;
		return { code: views.codes.list, data, key: `table.bets.${game.code}` };
	}
}
