/** Crash for the rest of the server: its table, cash-outs in flight, and its largest wins. */
import { before } from '#server/exchange/order/deadline.ts';
import { CrashGame } from '#server/money/casino/crash/crash-game.ts';
import { type CrashRowView, type CrashWire, crashViews, tickMessage } from '#server/money/casino/crash/crash-views.ts';
import { alreadyCashedOut, type CrashBet, type CrashTerms } from '#server/money/casino/crash/flight.ts';
import { LargestWins } from '#server/money/casino/crash/largest-wins.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import { GameTable, type GameTableOptions } from '#server/money/casino/tables/game-table.ts';
import type { PlacedBet } from '#server/money/casino/tables/placed-bet.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

const HISTORY = 50;

export class CrashTable {
	readonly table: GameTable<CrashTerms, CrashWire>;
	readonly #clock: TableClock;
	readonly #game: CrashGame;
	readonly #wins: LargestWins;

	private constructor(table: GameTable<CrashTerms, CrashWire>, clock: TableClock, game: CrashGame, wins: LargestWins) {
		this.table = table;
		this.#clock = clock;
		this.#game = game;
		this.#wins = wins;
	}

	static async open(options: GameTableOptions): Promise<CrashTable> {
		const { clock, db } = options;
		const game = new CrashGame((tick) => table.news.repeat(tickMessage(tick), tick.cohorts));
		const wins = await LargestWins.open(db, HISTORY);
		const extension = { game, views: crashViews(clock), history: HISTORY, follower: wins };
		const table = await GameTable.open<CrashTerms, CrashWire>(extension, options);
		return new CrashTable(table, clock, game, wins);
	}

	/**
	 * Decides immediately, and resolves when the decision is durable. A repeated request gets the same answer.
	 * @param receivedMs when the server had received the whole request; monotonic
	 * @throws Refused UNKNOWN_ORDER, NOT_FLYING, ROUND_CRASHED, ACTION_NOT_POSSIBLE, ALREADY_CASHED_OUT
	 */
	async cashOut(
		player: Player,
		betId: string,
		request: { by: string; receivedMs: number; untilMs: number },
	): Promise<PlacedBet<CrashTerms>> {
		const { by, receivedMs, untilMs } = request;
		const id = Number(betId);
		if (!Number.isSafeInteger(id) || id <= 0) throw new Refused(betId.startsWith('w') ? 'NOT_FLYING' : 'UNKNOWN_ORDER');
		const bet = this.table.round?.bet(id);
		if (!bet) return await this.#cashedOutBefore(player, id, by);
		if (bet.player.walletId !== player.walletId) throw new Refused('UNKNOWN_ORDER');
		if (bet.state === 'OPEN') this.#game.cashOut(bet, this.#clock.at(receivedMs), by);
		// The refusal names the payout of the bet, so it too is sent only when the decision is durable.
		if (bet.standing) await before(bet.standing, untilMs, 'OUTCOME_UNKNOWN');
		if (bet.outcome['by'] !== by) throw alreadyCashedOut(bet);
		return bet;
	}

	async #cashedOutBefore(player: Player, id: number, by: string): Promise<PlacedBet<CrashTerms>> {
		const bet = await this.table.storedBet(player, id);
		if (bet.state === 'OPEN') throw new Refused('NOT_FLYING');
		if (bet.outcome?.['by'] === by) return bet;
		throw alreadyCashedOut({ ...bet, outcome: bet.outcome ?? {}, state: bet.state as CrashBet['state'] });
	}

	/** The player's decided, unpaid winnings of the round; minor units. */
	unpaidTo(player: Player): number {
		return this.table.round?.unpaidTo(player) ?? 0;
	}

	/** The largest first. */
	largestWins(pool: Pool): CrashRowView[] {
		return this.#wins.of(pool);
	}

	/** The last crash, for the lobby; hundredths. */
	get lastCents(): number | null {
		return this.table.recent[0]?.cents ?? null;
	}
}
