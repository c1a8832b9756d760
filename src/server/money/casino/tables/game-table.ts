/**
 * A table for the rest of the server, the same for every game: bets, snapshots, the hub's images, results and proofs of
 * rounds.
 */
import type { Receipt } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import { asItStands, type PlacedBet, placedOf } from '#server/money/casino/tables/placed-bet.ts';
import { type RoundProof, SharedTable, type SharedTableOptions } from '#server/money/casino/tables/shared-table.ts';
import { shortName } from '#server/money/casino/tables/short-name.ts';
import type { TableGame } from '#server/money/casino/tables/table-game.ts';
import { TableNews } from '#server/money/casino/tables/table-news.ts';
import type { TableBet, TableBetWorkflow, TableRound, Ticket } from '#server/money/casino/tables/table-round.ts';
import { recordView, type TableViews, type TableWire, waitingView } from '#server/money/casino/tables/table-views.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

/** A game's extension of a table. */
interface TableExtension<Terms extends WorkflowData, Wire extends TableWire> {
	game: TableGame<Terms>;
	views: TableViews<Terms, Wire>;
	/** The number of rounds in the history. */
	history: number;
	/** Keeps the game's own state up to date. */
	follower?: {
		onBet(bet: TableBet<Terms>): void;
		/** @param oldestRound the oldest round of the history */
		onDecided(oldestRound: number): void;
	};
}

/** The dependencies of every table, besides its game. */
export type GameTableOptions = Omit<SharedTableOptions<never>, 'game' | 'listener'>;

/** A bet as its player requests it. */
export interface AskedBet<Terms> extends Omit<Ticket<Terms>, 'name' | 'slot'> {
	userName: string;
	/** The acceptable slots of the player, in order of preference. */
	places: readonly number[];
}

/** The table of any game. */
export type AnyTable = Pick<
	GameTable<never, TableWire>,
	'code' | 'start' | 'stop' | 'hasFailed' | 'onBarred' | 'images' | 'records'
>;

export class GameTable<Terms extends WorkflowData, Wire extends TableWire> {
	readonly #extension: TableExtension<Terms, Wire>;
	readonly #news: TableNews<Terms, Wire>;
	readonly #table: SharedTable<Terms>;
	/** Newest first. */
	#recent: Wire['mark'][] = [];

	private constructor(extension: TableExtension<Terms, Wire>, options: GameTableOptions) {
		const { game, views, follower } = extension;
		this.#extension = extension;
		this.#news = new TableNews({
			bus: options.bus,
			pools: options.exchange.pools,
			clock: options.clock,
			game,
			views,
			state: () => this.#table.state,
			roundBets: () => this.#table.round?.bets() ?? [],
		});
		this.#table = new SharedTable<Terms>({
			...options,
			game,
			listener: {
				onState: (state) => {
					if (state.phase === 'DECIDED') this.#remember(state.round, state.result);
					this.#news.onState(state);
				},
				onBet: (bet) => {
					this.#news.onBet(bet);
					follower?.onBet(bet);
				},
				onPlaced: (ticket, waiting, placed) => this.#onPlaced(ticket, waiting, placed),
			},
		});
	}

	/** Opened with the results of its last rounds. */
	static async open<Terms extends WorkflowData, Wire extends TableWire>(
		extension: TableExtension<Terms, Wire>,
		options: GameTableOptions,
	): Promise<GameTable<Terms, Wire>> {
		const table = new GameTable(extension, options);
		const records = await table.#table.records.latest(extension.history);
		table.#recent = records.flatMap(({ round, result, phase }) =>
			result === null || phase !== 'ENDED' ? [] : [extension.views.mark(round, result)],
		);
		return table;
	}

	/** An error ended its rounds. */
	get hasFailed(): boolean {
		return this.#table.hasFailed;
	}

	get code(): string {
		return this.#extension.game.code;
	}

	get news(): Pick<TableNews<Terms, Wire>, 'changed' | 'repeat'> {
		return this.#news;
	}

	get round(): TableRound<Terms> | null {
		return this.#table.round;
	}

	/** Newest first. */
	get recent(): readonly Wire['mark'][] {
		return this.#recent;
	}

	start(): void {
		this.#table.start();
	}

	async stop(): Promise<void> {
		await this.#table.stop();
		this.#news.stop();
	}

	onBarred(walletId: number): void {
		this.#table.onBarred(walletId);
	}

	/**
	 * Places a bet in the first free slot.
	 * @throws Refused as SharedTable.place; SLOT_TAKEN if none is free
	 */
	async place(
		{ userName, places, ...asked }: AskedBet<Terms>,
		untilMs: number,
	): Promise<{ bet: Wire['bet']; receipt: Receipt | null }> {
		const { views } = this.#extension;
		for (const slot of places) {
			const isLast = slot === places.at(-1);
			// The last slot is tried in any case, because the request may repeat an earlier one.
			if (!isLast && this.#isTaken(asked.player, slot)) continue;
			const ticket = { ...asked, slot, name: shortName(userName) };
			try {
				const placing = await this.#table.place(ticket, untilMs);
				if ('waiting' in placing) return { bet: waitingView(views, { id: placing.waiting, ticket }), receipt: null };
				return { bet: views.bet(placing.bet), receipt: placing.receipt };
			} catch (error) {
				// Another request of the player took the slot meanwhile.
				if (isLast || !(error instanceof Refused) || error.code !== 'SLOT_TAKEN') throw error;
			}
		}
		throw new Refused('SLOT_TAKEN');
	}

	#isTaken(player: Player, slot: number): boolean {
		const { round } = this.#table;
		const isWaiting = this.#table.waitingOf(player).some(({ ticket }) => ticket.slot === slot);
		return isWaiting || (round?.isBetting === true && round.holds(player, slot));
	}

	/** @throws Refused as SharedTable.cancel */
	cancel(player: Player, betId: string, untilMs: number): Promise<Receipt | null> {
		return before(this.#table.cancel(player, betId), untilMs, 'OUTCOME_UNKNOWN');
	}

	/** A bet of any round, in the state that its player decided. @throws Refused UNKNOWN_ORDER */
	storedBet(player: Player, id: number): Promise<PlacedBet<Terms>> {
		return this.#table.storedBet(player, id);
	}

	/** The messages for a new subscriber of the channel. */
	images(pool: Pool): BusMessage[] {
		this.#table.visit();
		return this.#news.images(pool);
	}

	/** @throws Refused TABLE_CLOSED before the table has a state */
	snapshot(pool: Pool, player: Player | null) {
		this.#table.visit();
		const state = this.#news.state();
		if (!state) throw new Refused('TABLE_CLOSED');
		return {
			state,
			list: this.#news.list(pool),
			recent: [...this.#recent],
			mine: player ? this.#mine(player) : [],
			chain: this.#table.chain?.facts ?? null,
		};
	}

	/** @throws Refused UNKNOWN_ROUND */
	proof(round: number): Promise<RoundProof> {
		return this.#table.proof(round);
	}

	/** Bets in the list of their player's rounds, with the results of the rounds. @param bets those of this game */
	async records(bets: readonly TableBetWorkflow[]) {
		const { game, views } = this.#extension;
		const placed = bets.map((workflow) => ({ workflow, bet: placedOf(workflow, game) }));
		const results = await this.#results([...new Set(placed.map(({ bet }) => bet.round))]);
		return placed.map(({ workflow, bet }) =>
			recordView(game.code, bet, workflow.openedAtMs, views.record(bet, results.get(bet.round))),
		);
	}

	/**
	 * By round number; rounds in progress and void rounds are left out. The result of the current round is public before
	 * its row is written, and its bets may be settled before that, too.
	 */
	async #results(rounds: readonly number[]): Promise<Map<number, WorkflowValue>> {
		const { phase, round: current, result: latest } = this.#table.state;
		const records = rounds.length > 0 ? await this.#table.records.of(rounds) : [];
		const results = new Map(
			records.flatMap(({ round, result }) => (result === null ? [] : [[round, result] as const])),
		);
		if (phase === 'DECIDED' && latest !== null && rounds.includes(current)) results.set(current, latest);
		return results;
	}

	#mine(player: Player): Wire['bet'][] {
		const { views } = this.#extension;
		const own = (this.#table.round?.bets() ?? []).filter((bet) => bet.player.walletId === player.walletId);
		return [
			...this.#table.interruptedOf(player).map((bet) => views.bet(bet)),
			...own.map((bet) => views.bet(asItStands(bet))),
			...this.#table.waitingOf(player).map((waiting) => waitingView(views, waiting)),
		];
	}

	#onPlaced(ticket: Ticket<Terms>, waiting: string, placed: PlacedBet<Terms> | Refused): void {
		if (!(placed instanceof Refused)) return;
		const bet = waitingView(this.#extension.views, { id: waiting, ticket });
		const refusal = { code: placed.code, message: placed.message };
		this.#news.publishOwn(ticket.player.walletId, { ...bet, state: 'VOID' }, refusal);
	}

	#remember(round: number, result: WorkflowValue): void {
		const { views, history, follower } = this.#extension;
		this.#recent = [views.mark(round, result), ...this.#recent].slice(0, history);
		follower?.onDecided(Number(this.#recent.at(-1)?.round));
	}
}
