/** Crash for the rest of the server: bets, cash-outs, snapshots, and the proof of a round. */

import type { Receipt } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { CrashGame, type CrashResult } from '#server/money/casino/crash/crash-game.ts';
import { CrashNews } from '#server/money/casino/crash/crash-news.ts';
import {
	betView,
	type CrashBetView,
	type CrashRowView,
	refusedView,
	waitingView,
} from '#server/money/casino/crash/crash-views.ts';
import { alreadyCashedOut, type CrashBet, type CrashTerms } from '#server/money/casino/crash/flight.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import {
	asItStands,
	type PlacedBet,
	type RoundProof,
	SharedTable,
	type SharedTableOptions,
} from '#server/money/casino/tables/shared-table.ts';
import { shortName } from '#server/money/casino/tables/short-name.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { Ticket } from '#server/money/casino/tables/table-round.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

const STRIP = 50;
const MOST_TOP = 20;

/** What the table needs besides the game itself. */
export type CrashTableOptions = Omit<SharedTableOptions<CrashTerms>, 'game' | 'listener'>;

export class CrashTable {
	readonly #options: CrashTableOptions;
	readonly #clock: TableClock;
	readonly #game: CrashGame;
	readonly #news: CrashNews;
	readonly #table: SharedTable<CrashTerms>;
	/** Of rounds that everybody has seen crash, the newest first. */
	#strip: { round: number; cents: number }[] = [];
	/** Wins of the rounds on the strip. */
	#wins: { round: number; pool: Pool; payout: number; row: CrashRowView }[] = [];

	private constructor(options: CrashTableOptions) {
		this.#options = options;
		this.#clock = options.clock;
		this.#game = new CrashGame((tick) => this.#news.onTick(tick));
		this.#news = new CrashNews(options.bus, this.#clock, () => this.#table.round?.bets() ?? []);
		this.#table = new SharedTable<CrashTerms>({
			...options,
			game: this.#game,
			listener: {
				onState: (state) => {
					if (state.phase === 'DECIDED') this.#crashed(state.round, (state.result as CrashResult).cents);
					this.#news.onState(state);
				},
				onBet: (bet) => this.#onBet(bet),
				onPlaced: (ticket, waiting, placed) => this.#onPlaced(ticket, waiting, placed),
			},
		});
	}

	static async open(options: CrashTableOptions): Promise<CrashTable> {
		const table = new CrashTable(options);
		await table.#readStrip();
		return table;
	}

	start(): void {
		this.#table.start();
	}

	async stop(): Promise<void> {
		await this.#table.stop();
		this.#news.stop();
	}

	/** @throws Refused as SharedTable.place */
	async place(
		ticket: Omit<Ticket<CrashTerms>, 'name'> & { userName: string },
		untilMs: number,
	): Promise<{ bet: CrashBetView; receipt: Receipt | null }> {
		const { userName, ...asked } = ticket;
		const named = { ...asked, name: shortName(userName) };
		const placing = await this.#table.place(named, untilMs);
		if ('waiting' in placing) return { bet: waitingView({ id: placing.waiting, ticket: named }), receipt: null };
		return { bet: betView(placing.bet), receipt: placing.receipt };
	}

	/** @throws Refused as SharedTable.cancel */
	cancel(player: Player, betId: string, untilMs: number): Promise<Receipt | null> {
		return before(this.#table.cancel(player, betId), untilMs, 'OUTCOME_UNKNOWN');
	}

	/**
	 * Decides at once, and resolves when that is durable. The same request again gets the same answer.
	 * @param receivedMs when the server had the whole request; monotonic
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
		const bet = this.#table.round?.bet(id);
		if (!bet) return await this.#cashedOutBefore(player, id, by);
		if (bet.player.walletId !== player.walletId) throw new Refused('UNKNOWN_ORDER');
		if (bet.state === 'OPEN') this.#game.cashOut(bet, this.#clock.at(receivedMs), by);
		// A refusal says what the bet is paid, so it waits as the answer does.
		if (bet.standing) await before(bet.standing, untilMs, 'OUTCOME_UNKNOWN');
		if (bet.outcome['by'] !== by) throw alreadyCashedOut(bet);
		return bet;
	}

	onBarred(walletId: number): void {
		this.#table.onBarred(walletId);
	}

	/** What the player has won in the round, for certain, and is not yet paid; paise. */
	unpaidTo(player: Player): number {
		return this.#table.round?.unpaidTo(player) ?? 0;
	}

	async #cashedOutBefore(player: Player, id: number, by: string): Promise<PlacedBet<CrashTerms>> {
		const bet = await this.#table.storedBet(player, id);
		if (bet.state === 'OPEN') throw new Refused('NOT_FLYING');
		if (bet.outcome?.['by'] === by) return bet;
		throw alreadyCashedOut({ ...bet, outcome: bet.outcome ?? {}, state: bet.state as CrashBet['state'] });
	}

	/** What a new subscriber of the channel gets. */
	images(pool: Pool): BusMessage[] {
		return this.#news.images(pool);
	}

	snapshot(pool: Pool, player: Player | null) {
		const { players, stake, payout, rows } = this.#news.list(pool);
		return {
			state: this.#news.stateView(),
			players,
			stake,
			payout,
			rows,
			top: this.#wins.filter((win) => win.pool === pool).map(({ row }) => row),
			recent: this.#strip.map(({ round, cents }) => ({ round: String(round), cents })),
			mine: player ? this.#mine(player) : [],
			chain: this.#table.chain?.facts ?? null,
		};
	}

	/** The last crash, for the lobby; hundredths. */
	get lastCents(): number | null {
		return this.#strip[0]?.cents ?? null;
	}

	/** @throws Refused UNKNOWN_ROUND */
	proof(round: number): Promise<RoundProof> {
		return this.#table.proof(round);
	}

	/** Where rounds crashed, by their numbers; those that are on their way and void ones are left out. */
	async crashes(rounds: readonly number[]): Promise<Map<number, number>> {
		const records = rounds.length > 0 ? await this.#table.records.of(rounds) : [];
		return new Map(
			records.flatMap(({ round, result }) =>
				result === null ? [] : [[round, (result as CrashResult).cents] as const],
			),
		);
	}

	#mine(player: Player): CrashBetView[] {
		const own = (bets: readonly CrashBet[]) => bets.filter((bet) => bet.player.walletId === player.walletId);
		return [
			...this.#table.interruptedOf(player).map(betView),
			...own(this.#table.round?.bets() ?? []).map((bet) => betView(asItStands(bet))),
			...this.#table.waitingOf(player).map(waitingView),
		];
	}

	#onBet(bet: CrashBet): void {
		this.#news.onBet(bet);
		if (bet.state !== 'SETTLED' || bet.payout === 0 || bet.name === '') return;
		const { id, name, stake, payout, round, outcome, player } = bet;
		const shown = this.#wins.filter(({ pool }) => pool === player.pool);
		// Most wins are smaller than all that are shown, and thousands may come at once.
		if (shown.length >= MOST_TOP && shown.every((win) => win.payout >= payout)) return;
		const row = {
			betId: String(id),
			name,
			stake: majorFromPaise(stake),
			cents: Number(outcome['cents']),
			payout: majorFromPaise(payout),
		};
		this.#wins = largest([...this.#wins, { round, pool: player.pool, payout, row }]);
	}

	#onPlaced(ticket: Ticket<CrashTerms>, waiting: string, placed: PlacedBet<CrashTerms> | Refused): void {
		if (!(placed instanceof Refused)) return;
		const refusal = { code: placed.code, message: placed.message };
		this.#news.publishOwn(ticket.player.walletId, { ...refusedView(ticket, waiting), refusal });
	}

	#crashed(round: number, cents: number): void {
		this.#strip = [{ round, cents }, ...this.#strip].slice(0, STRIP);
		const oldest = this.#strip.at(-1)?.round ?? 0;
		this.#wins = this.#wins.filter((win) => win.round >= oldest);
	}

	async #readStrip(): Promise<void> {
		const records = await this.#table.records.latest(STRIP);
		this.#strip = records.flatMap(({ round, result, phase }) =>
			result === null || phase !== 'ENDED' ? [] : [{ round, cents: (result as CrashResult).cents }],
		);
		const since = records.reduce<number | null>((least, { firstBet }) => firstBet ?? least, null);
		if (since === null) return;
		const { rows } = await this.#options.db.query<{
			id: number;
			pool: Pool;
			data: { round: number; stake: number; payout: number; outcome: { cents: number } };
			name: string;
		}>(
			`select id, workflow.pool, data, user_name as name from workflow join player on player_id = wallet_id
			where kind = 'CASINO' and id >= $1 and data->>'game' = 'crash' and (data->>'payout')::bigint > (data->>'stake')::bigint
			order by (data->>'payout')::bigint desc limit ${MOST_TOP * 3}`,
			[since],
		);
		this.#wins = rows.map(({ id, pool, data, name }) => ({
			round: data.round,
			pool,
			payout: data.payout,
			row: {
				betId: String(id),
				name: shortName(name),
				stake: majorFromPaise(data.stake),
				cents: data.outcome.cents,
				payout: majorFromPaise(data.payout),
			},
		}));
	}
}

/** The largest wins of each pool. */
function largest<Win extends { pool: Pool; payout: number }>(wins: Win[]): Win[] {
	const left = new Map<Pool, number>();
	return wins
		.sort((one, other) => other.payout - one.payout)
		.filter(({ pool }) => {
			const taken = left.get(pool) ?? 0;
			left.set(pool, taken + 1);
			return taken < MOST_TOP;
		});
}
