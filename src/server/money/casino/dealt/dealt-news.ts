/**
 * What a dealt table publishes: states and cards at once, everybody's chips a few times a second to one cohort after the
 * other, own bets to their player.
 */
import type { HubMessages } from '#contract/hub-messages.ts';
import type { TableGame } from '#games/game.ts';
import type { ChipBet } from '#server/money/casino/dealt/dealt-game.ts';
import {
	betsView,
	betView,
	stateView,
	type TableBetsView,
	type TableStateView,
} from '#server/money/casino/dealt/dealt-views.ts';
import { PoolLists } from '#server/money/casino/tables/pool-lists.ts';
import type { TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import { cohortTopic, tableTopic } from '#server/platform/bus/table-topics.ts';
import { POOLS, type Pool } from '#values/pools.ts';

interface DealtNewsOptions {
	bus: Bus;
	clock: TableClock;
	game: TableGame;
	state: () => TableState;
	/** The bets of the round that runs. */
	roundBets: () => readonly ChipBet[];
}

export class DealtNews {
	readonly #options: DealtNewsOptions;
	#shown: unknown = null;
	#version = 0;
	readonly #lists = new PoolLists({
		round: () => String(this.#options.state().round),
		make: (pool) => this.#listNow(pool),
		publish: (pool, list, cohort) =>
			this.#options.bus.publish(cohortTopic(this.#options.game.code, pool, cohort), this.#listMessage(list)),
	});

	constructor(options: DealtNewsOptions) {
		this.#options = options;
	}

	stop(): void {
		this.#lists.stop();
	}

	onState({ phase }: TableState): void {
		if (phase === 'BETTING') this.#shown = null;
		this.#publishState();
		if (phase === 'BETTING') this.#lists.allChanged();
	}

	onReveal(shown: unknown): void {
		this.#shown = shown;
		this.#publishState();
	}

	onBet(bet: ChipBet): void {
		this.#lists.changed(bet.player.pool);
		this.publishOwn(bet.player.walletId, { ...betView(this.#options.game.code, bet), refusal: null });
	}

	publishOwn(walletId: number, data: HubMessages['TableBet']): void {
		this.#options.bus.publish(`player.${walletId}`, {
			code: 'TableBet',
			data,
			key: `table.bet.${data.game}.${data.betId}`,
		});
	}

	/** What a new subscriber gets. */
	images(pool: Pool): BusMessage[] {
		return [this.#stateMessage(), this.#listMessage(this.list(pool))];
	}

	stateView(): TableStateView {
		const { game, state, clock } = this.#options;
		return stateView(game, state(), { shown: this.#shown, version: this.#version }, clock);
	}

	list(pool: Pool): TableBetsView {
		return this.#lists.of(pool);
	}

	#listNow(pool: Pool): Omit<TableBetsView, 'version'> {
		const { game, state, roundBets } = this.#options;
		const bets = roundBets().filter((bet) => bet.player.pool === pool && bet.state !== 'VOID');
		return betsView(game.code, state().round, bets);
	}

	#publishState(): void {
		this.#version++;
		const message = this.#stateMessage();
		const { bus, game } = this.#options;
		for (const pool of POOLS) bus.publish(tableTopic(game.code, pool), message);
	}

	#stateMessage(): BusMessage {
		return { code: 'TableState', data: this.stateView(), key: `table.state.${this.#options.game.code}` };
	}

	#listMessage(data: TableBetsView): BusMessage {
		return { code: 'TableBets', data, key: `table.bets.${this.#options.game.code}` };
	}
}
