/** A dealt table for the rest of the server: bets, snapshots, results and the proof of a round. */
import type { TableGame } from '#games/game.ts';
import type { Receipt } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import type { WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { ChipTerms } from '#server/money/casino/dealt/chip-risk.ts';
import { type ChipBet, DealtGame } from '#server/money/casino/dealt/dealt-game.ts';
import { DealtNews } from '#server/money/casino/dealt/dealt-news.ts';
import {
	betView,
	markView,
	type TableBetView,
	type TableMarkView,
	waitingView,
} from '#server/money/casino/dealt/dealt-views.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import {
	asItStands,
	type PlacedBet,
	type RoundProof,
	SharedTable,
	type SharedTableOptions,
} from '#server/money/casino/tables/shared-table.ts';
import { shortName } from '#server/money/casino/tables/short-name.ts';
import type { Ticket } from '#server/money/casino/tables/table-round.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

/** Results that the history shows. */
const RECENT = 90;
/** How often a player can add chips in one round. */
const PLACES = Array.from({ length: 12 }, (_, index) => index + 1);

export type DealtTableOptions = Omit<SharedTableOptions<ChipTerms>, 'game' | 'listener'>;

export class DealtTable {
	readonly definition: TableGame;
	readonly #news: DealtNews;
	readonly #table: SharedTable<ChipTerms>;
	/** The newest first. */
	#recent: TableMarkView[] = [];

	private constructor(definition: TableGame, options: DealtTableOptions) {
		this.definition = definition;
		this.#news = new DealtNews({
			bus: options.bus,
			clock: options.clock,
			game: definition,
			state: () => this.#table.state,
			roundBets: () => this.#table.round?.bets() ?? [],
		});
		this.#table = new SharedTable<ChipTerms>({
			...options,
			game: new DealtGame(definition, (_, shown) => this.#news.onReveal(shown)),
			listener: {
				onState: (state) => {
					if (state.phase === 'DECIDED') this.#remember(state.round, state.result);
					this.#news.onState(state);
				},
				onBet: (bet) => this.#news.onBet(bet),
				onPlaced: (ticket, waiting, placed) => this.#onPlaced(ticket, waiting, placed),
			},
		});
	}

	static async open(definition: TableGame, options: DealtTableOptions): Promise<DealtTable> {
		const table = new DealtTable(definition, options);
		const records = await table.#table.records.latest(RECENT);
		table.#recent = records.flatMap(({ round, result, phase }) =>
			result === null || phase !== 'ENDED' ? [] : [markView(definition, round, result)],
		);
		return table;
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
	 * Places bets together, in the first of the player's places that is free.
	 * @throws Refused as SharedTable.place; SLOT_TAKEN when all places of the round are
	 */
	async place(
		asked: Omit<Ticket<ChipTerms>, 'name' | 'slot'> & { userName: string },
		untilMs: number,
	): Promise<{ bet: TableBetView; receipt: Receipt | null }> {
		const { userName, ...rest } = asked;
		const { player } = rest;
		for (const slot of PLACES) {
			// The last place is asked for in any case: the request may be the repetition of an earlier one.
			if (slot < PLACES.length && this.#isTaken(player, slot)) continue;
			const ticket = { ...rest, slot, name: shortName(userName) };
			try {
				const placing = await this.#table.place(ticket, untilMs);
				if ('waiting' in placing)
					return { bet: waitingView(this.definition.code, { id: placing.waiting, ticket }), receipt: null };
				return { bet: betView(this.definition.code, placing.bet), receipt: placing.receipt };
			} catch (error) {
				// Another request of the player took the place meanwhile.
				if (!(error instanceof Refused) || error.code !== 'SLOT_TAKEN' || slot === PLACES.length) throw error;
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

	/** What a new subscriber of the channel gets. */
	images(pool: Pool): BusMessage[] {
		this.#table.visit();
		return this.#news.images(pool);
	}

	snapshot(pool: Pool, player: Player | null) {
		this.#table.visit();
		const { players, stake, payout, rows, spots } = this.#news.list(pool);
		return {
			state: this.#news.stateView(),
			players,
			stake,
			payout,
			rows,
			spots,
			recent: this.#recent,
			mine: player ? this.#mine(player) : [],
			chain: this.#table.chain?.facts ?? null,
		};
	}

	/** @throws Refused UNKNOWN_ROUND */
	proof(round: number): Promise<RoundProof> {
		return this.#table.proof(round);
	}

	/** The outcomes of rounds by their numbers; those that are on their way and void ones are left out. */
	async outcomes(rounds: readonly number[]): Promise<Map<number, WorkflowValue>> {
		const records = rounds.length > 0 ? await this.#table.records.of(rounds) : [];
		return new Map(records.flatMap(({ round, result }) => (result === null ? [] : [[round, result] as const])));
	}

	#mine(player: Player): TableBetView[] {
		const own = (bets: readonly ChipBet[]) => bets.filter((bet) => bet.player.walletId === player.walletId);
		const { code } = this.definition;
		return [
			...this.#table.interruptedOf(player).map((bet) => betView(code, bet)),
			...own(this.#table.round?.bets() ?? []).map((bet) => betView(code, asItStands(bet))),
			...this.#table.waitingOf(player).map((waiting) => waitingView(code, waiting)),
		];
	}

	#onPlaced(ticket: Ticket<ChipTerms>, waiting: string, placed: PlacedBet<ChipTerms> | Refused): void {
		if (!(placed instanceof Refused)) return;
		const refusal = { code: placed.code, message: placed.message };
		const bet = waitingView(this.definition.code, { id: waiting, ticket });
		this.#news.publishOwn(ticket.player.walletId, { ...bet, state: 'VOID', refusal });
	}

	#remember(round: number, outcome: WorkflowValue): void {
		this.#recent = [markView(this.definition, round, outcome), ...this.#recent].slice(0, RECENT);
	}
}
