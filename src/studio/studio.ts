/**
 * Rounds of the studio's games: the stake is debited first, the result is stored, and the wallet is told until it
 * answers.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Seated, WalletAnswer, WalletCall } from '#studio/dialects/dialect.ts';
import { actionsOf, after, begun, STUDIO_GAMES, type StudioGame } from '#studio/games.ts';
import { askWallet, dialectOf, type LineFaults, type ProviderAccount } from '#studio/provider-account.ts';
import { type Confirmed, RoundJournal, type StudioRound } from '#studio/round-journal.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** A player at a game. */
interface Seat {
	account: ProviderAccount;
	game: StudioGame;
	sessionToken: string;
	userId: string;
	balance: number;
	currency: string;
}

export interface SeatView {
	seat: string;
	balance: number;
	currency: string;
	round: RoundView | null;
}

interface RoundView {
	id: string;
	state: StudioRound['state'];
	stake: number;
	payout: number;
	text: string;
	steps: number;
	actions: { action: string; label: string }[];
}

/** A refusal with the wallet's status. */
export class StudioRefusal extends Error {
	readonly status: string;

	constructor(status: string) {
		super(status);
		this.status = status;
	}
}

/** Amounts are hundredths also in currencies without such coins. */
const COINS: Readonly<Record<string, number>> = { JPY: 100 };

/** Whole coins of the seat's currency. @param hundredths of minor units */
function paidIn({ currency }: Pick<Seat, 'currency'>, hundredths: number): number {
	const coin = COINS[currency] ?? 1;
	return Math.floor(hundredths / 100 / coin) * coin;
}

export class Studio {
	/** The simulated failures of the connections to wallets. */
	readonly faults: LineFaults = { answersToLose: 0 };
	/** Providers that are under maintenance. */
	readonly resting = new Set<string>();
	readonly accounts: ReadonlyMap<string, ProviderAccount>;
	readonly #journal: RoundJournal;
	readonly #seats = new Map<string, Seat>();
	readonly #stopping = new AbortController();
	readonly #underWay = new Set<Promise<unknown>>();

	/** @param folder for the rounds; null keeps them in memory */
	constructor(accounts: readonly ProviderAccount[], folder: string | null) {
		this.accounts = new Map(accounts.map((account) => [account.id, account]));
		this.#journal = new RoundJournal(folder);
	}

	/**
	 * Completes the work of a killed process: stakes with an unknown outcome are returned, and decided rounds are
	 * reported.
	 */
	start(): void {
		for (const round of this.#journal.all()) {
			if (round.state === 'BETTING' || round.state === 'REFUNDING') this.#kept(this.#refund(round));
			if (round.state === 'PAYING') this.#kept(this.#pay(round));
		}
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await Promise.allSettled(this.#underWay);
	}

	/** Resolves when the wallet has been told of every decision. */
	async settled(): Promise<void> {
		while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
	}

	rounds(): StudioRound[] {
		return this.#journal.all();
	}

	/** @throws StudioRefusal INVALID_TOKEN, INVALID_GAME */
	async sit(providerId: string, gameCode: string, launchToken: string): Promise<SeatView> {
		const account = this.accounts.get(providerId);
		const game = STUDIO_GAMES.find(({ code, provider }) => code === gameCode && provider === providerId);
		if (!account || !game || this.resting.has(providerId)) throw new StudioRefusal('INVALID_GAME');
		const answer = await askWallet(account, { call: 'open', token: launchToken, game: gameCode }, this.faults);
		const { status, sessionToken = launchToken, userId, balance = 0, currency = '' } = answer;
		if (status !== 'OK' || !userId) throw new StudioRefusal(status);
		const seat = randomUUID();
		this.#seats.set(seat, { account, game, sessionToken, userId, balance, currency });
		const open = this.#journal
			.all()
			.find((round) => round.state === 'OPEN' && round.userId === userId && round.game === game.code);
		return { seat, balance, currency, round: open ? viewOf(game, open) : null };
	}

	/** @throws StudioRefusal with the wallet's status; ROUND_OPEN */
	async bet(seatId: string, stake: number): Promise<{ balance: number; round: RoundView }> {
		const seat = this.#seat(seatId);
		const { account, game, userId, sessionToken, currency } = seat;
		if (!Number.isSafeInteger(stake) || stake <= 0) throw new StudioRefusal('WRONG_SYNTAX');
		const isOpen = this.#journal
			.all()
			.some((round) => round.userId === userId && round.game === game.code && round.state === 'OPEN');
		if (isOpen) throw new StudioRefusal('ROUND_OPEN');
		const play = begun(game);
		const payout = play.pays === null ? 0 : paidIn(seat, stake * play.pays);
		const asked = { provider: account.id, game: game.code, userId, sessionToken, currency, stake, play, payout };
		const round = this.#journal.write({
			...asked,
			id: randomUUID(),
			state: 'BETTING',
			atMs: Date.now(),
			confirmed: [],
		});
		const answer = await this.#stake(account, round);
		if (!answer) {
			// The stake may have been taken: it is returned, however long that takes.
			this.#kept(this.#refund(this.#journal.write({ ...round, state: 'REFUNDING' })));
			throw new StudioRefusal('UNKNOWN');
		}
		if (answer.status !== 'OK') {
			this.#journal.write({ ...round, state: 'REFUSED' });
			throw new StudioRefusal(answer.status);
		}
		seat.balance = answer.balance ?? seat.balance;
		const isPaid = dialectOf(account).hasBetWin && play.pays !== null;
		const confirmed = confirmedBy(round, dialectOf(account).idsOf(round.id).bet, {
			paid: stake,
			received: isPaid ? payout : 0,
		});
		const taken = this.#journal.write({
			...round,
			confirmed,
			state: isPaid ? 'ENDED' : play.pays === null ? 'OPEN' : 'PAYING',
		});
		if (taken.state !== 'PAYING') return { balance: seat.balance, round: viewOf(game, taken) };
		return await this.#paid(seat, taken);
	}

	/** @throws StudioRefusal UNKNOWN_ROUND, ACTION_NOT_POSSIBLE */
	async act(seatId: string, roundId: string, action: string): Promise<{ balance: number; round: RoundView }> {
		const seat = this.#seat(seatId);
		const { game } = seat;
		const round = this.#journal.find(roundId);
		if (round?.userId !== seat.userId || round.state !== 'OPEN') throw new StudioRefusal('UNKNOWN_ROUND');
		const play = after(game, round.play, action);
		if (!play) throw new StudioRefusal('ACTION_NOT_POSSIBLE');
		if (play.pays === null) {
			const open = this.#journal.write({ ...round, play });
			return { balance: seat.balance, round: viewOf(game, open) };
		}
		const payout = paidIn(seat, round.stake * play.pays);
		const decided = this.#journal.write({ ...round, play, payout, state: 'PAYING' });
		return await this.#paid(seat, decided);
	}

	/** The movement of a day's transaction, as this provider knows it. */
	transactionsOf(providerId: string, fromMs: number, toMs: number): Confirmed[] {
		const own = this.#journal.all().filter(({ provider }) => provider === providerId);
		return own.flatMap(({ confirmed }) => confirmed).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
	}

	/** Tells the wallet about a decided round. */
	async #paid(seat: Seat, decided: StudioRound): Promise<{ balance: number; round: RoundView }> {
		const answer = await this.#kept(this.#pay(decided));
		seat.balance = answer?.balance ?? seat.balance;
		return { balance: seat.balance, round: viewOf(seat.game, this.#journal.find(decided.id) ?? decided) };
	}

	#seat(id: string): Seat {
		const seat = this.#seats.get(id);
		if (!seat) throw new StudioRefusal('TOKEN_EXPIRED');
		return seat;
	}

	/** @returns null if the outcome of the stake is unknown */
	async #stake(account: ProviderAccount, round: StudioRound): Promise<WalletAnswer | null> {
		const { id, stake: amount, play, payout: win } = round;
		const { hasBetWin, idsOf } = dialectOf(account);
		const { bet: txId } = idsOf(id);
		const asked = { ...seatOf(round), txId, round: id, amount };
		const isAtOnce = hasBetWin && play.pays !== null;
		for (let tries = 0; tries < TRIES; tries++) {
			try {
				const call: WalletCall = isAtOnce ? { call: 'betwin', ...asked, win } : { call: 'bet', ...asked };
				return await askWallet(account, call, this.faults);
			} catch {
				await this.#pause(tries);
			}
		}
		return null;
	}

	#pay(round: StudioRound): Promise<WalletAnswer | null> {
		const { id, payout: amount } = round;
		const { bet: refTxId, win: txId } = this.#idsOf(round);
		return this.#until(round, { call: 'win', ...seatOf(round), txId, refTxId, round: id, amount }, 'ENDED');
	}

	#refund(round: StudioRound): Promise<WalletAnswer | null> {
		const { bet: refTxId, rollback: txId } = this.#idsOf(round);
		return this.#until(round, { call: 'rollback', ...seatOf(round), txId, refTxId, round: round.id }, 'REFUNDED');
	}

	#idsOf({ id, provider }: StudioRound) {
		return dialectOf(this.accounts.get(provider) as ProviderAccount).idsOf(id);
	}

	/** Retries until there is an answer, or the studio stops. */
	async #until(round: StudioRound, call: WalletCall, state: StudioRound['state']): Promise<WalletAnswer | null> {
		const account = this.accounts.get(round.provider) as ProviderAccount;
		for (let tries = 0; !this.#stopping.signal.aborted; tries++) {
			try {
				const answer = await askWallet(account, call, this.faults);
				const isPaid = call.call === 'win' && answer.status === 'OK';
				const confirmed = isPaid ? confirmedBy(round, call.txId, { paid: 0, received: call.amount }) : round.confirmed;
				this.#journal.write({ ...round, confirmed, state });
				return answer;
			} catch {
				await this.#pause(tries);
			}
		}
		return null;
	}

	async #pause(tries: number): Promise<void> {
		const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
		await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
	}

	#kept<Result>(task: Promise<Result>): Promise<Result> {
		const done: Promise<unknown> = Promise.allSettled([task]).finally(() => this.#underWay.delete(done));
		this.#underWay.add(done);
		return task;
	}
}

/** The earlier messages about the round, and this transaction. */
function confirmedBy(round: StudioRound, txId: string, moved: Pick<Confirmed, 'paid' | 'received'>): Confirmed[] {
	return [...round.confirmed, { txId, ...moved, atMs: Date.now() }];
}

const seatOf = ({ sessionToken, userId, game, currency }: StudioRound): Seated => ({
	sessionToken,
	userId,
	game,
	currency: currency || undefined,
});

const viewOf = (game: StudioGame, { id, state, stake, payout, play }: StudioRound): RoundView => ({
	id,
	state,
	stake,
	payout: play.pays === null ? 0 : payout,
	text: play.text,
	steps: play.steps,
	actions: state === 'OPEN' ? actionsOf(game, play) : [],
});
