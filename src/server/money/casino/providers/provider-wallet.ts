/**
 * The game wallet for outside providers: the effect of each of their requests on the player's money. A round of a
 * player is one workflow of the kind CASINO; each transaction is a step of it and claims its own id, so it happens at
 * most once.
 */
import type pg from 'pg';
import type { Admission, Exchange } from '#server/exchange/exchange.ts';
import type { ProviderRoundData } from '#server/exchange/order/workflow-data.ts';
import type { GameWallet } from '#server/money/casino/game-wallet.ts';
import type { GameSeat, GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import type { ProviderGame } from '#server/money/casino/providers/provider.ts';
import { ProviderCorrections } from '#server/money/casino/providers/provider-corrections.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import type { ProviderPrizes } from '#server/money/casino/providers/provider-prizes.ts';
import { ProviderRollbacks } from '#server/money/casino/providers/provider-rollbacks.ts';
import {
	atRiskIn,
	betIn,
	emptyRound,
	freePayoutOf,
	isGrave,
	type ProviderRound,
	ProviderRounds,
	paymentIn,
	type RoundKey,
	standingIn,
	termsIn,
	withBet,
	withPayout,
	withRefunds,
} from '#server/money/casino/providers/provider-rounds.ts';
import { type Decided, ProviderTransactions } from '#server/money/casino/providers/provider-transactions.ts';
import { termsOf, tipTerms } from '#server/money/casino/providers/round-terms.ts';
import type {
	Answered,
	Outcome,
	RequestOf,
	TransactionRequest,
	WalletRequest,
} from '#server/money/casino/providers/wallet-request.ts';
import { refused, WalletSteps, walletNamed } from '#server/money/casino/providers/wallet-steps.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { CURRENCY_TERMS, downToStep } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';

export interface ProviderWalletOptions {
	db: pg.Pool;
	exchange: Pick<Exchange, 'wallet' | 'lacked' | 'submit' | 'pools'>;
	/** Whose the grave of a bet is that never came. */
	ledger: Pick<FundsLedger, 'houseOf'>;
	wallet: GameWallet;
	sessions: GameSessions;
	games: Pick<ProviderGames, 'find'>;
	prizes: ProviderPrizes;
	/** Why a stake is refused, checked where the stake is ordered; a login that has ended refuses with LOGIN_EXPIRED. */
	admission: (seat: GameSeat, stake: AnyMinor, inRound: AnyMinor) => Admission;
	/** Reads what a stake is judged by, before the deadline of its request; null where nothing has to be read. */
	ready: (seat: GameSeat, untilMs: number) => Promise<void> | null;
}

/** How a round that its provider left open was ended. */
interface ClosedRound {
	state: 'VOID' | 'SETTLED';
	/** Minor units returned to the player. */
	returned: AnyMinor;
}

/** A stake of the player, for any call. */
interface Stake extends Omit<RequestOf<'bet'>, 'call'> {
	/** Minor units; null if the round continues. */
	win: AnyMinor | null;
	/** The provider's campaign, if it pays for the bet. */
	campaign?: string;
	isTip?: true;
}

function stakeOf(request: RequestOf<'bet' | 'betwin' | 'freebet' | 'tip'>): Stake {
	switch (request.call) {
		case 'bet':
			return { ...request, win: null };
		case 'betwin':
			return request;
		case 'freebet':
			return { ...request, amount: 0, win: null };
		case 'tip':
			// A provider's names have no spaces, so this name cannot collide with one.
			return { ...request, round: `tip ${request.txId}`, win: 0, isTip: true };
	}
}

/** A stake with its win in whole coins: the house pays no part of a coin. */
const withWholeWin = (stake: Stake, currency: Currency): Stake =>
	stake.win === null ? stake : { ...stake, win: downToStep(stake.win, CURRENCY_TERMS[currency].step) };

/** The rollback of a transaction that is taken back with its batch. */
const undoOf = (txId: string): string => `${txId}:undo`;

const batchName = (provider: string, { userId, round }: RequestOf<'batch'>): string => `${provider} ${userId} ${round}`;

/** A bet of a player at a game, with the player's round so far. */
interface Placed {
	key: RoundKey;
	seat: GameSeat;
	request: Stake;
	round: ProviderRound | null;
	/** Of the round before the bet. */
	data: ProviderRoundData;
}

export class ProviderWallet {
	readonly #options: ProviderWalletOptions;
	readonly #transactions: ProviderTransactions;
	readonly #rounds: ProviderRounds;
	readonly #steps: WalletSteps;
	readonly #corrections: ProviderCorrections;
	readonly #rollbacks: ProviderRollbacks;
	/** A repeated batch finds the earlier one carried out or taken back, and nothing in between. */
	readonly #batches = new Turns();

	constructor(options: ProviderWalletOptions) {
		this.#options = options;
		this.#transactions = new ProviderTransactions(options.db);
		const rounds = new ProviderRounds(options.db);
		const steps = new WalletSteps({ ...options, rounds });
		this.#rounds = rounds;
		this.#steps = steps;
		const corrections = new ProviderCorrections({ ...options, rounds, steps });
		this.#corrections = corrections;
		this.#rollbacks = new ProviderRollbacks({ ...options, rounds, steps, corrections });
	}

	/**
	 * Answers one request. It resolves when the reported state is durable, and throws if the outcome is unknown.
	 * @param untilMs the deadline of the request, from its arrival
	 */
	async answer(provider: string, request: WalletRequest, untilMs: number): Promise<Answered> {
		switch (request.call) {
			case 'authenticate':
				return now(await this.#authenticate(provider, request));
			case 'balance':
				return now(await this.#balance(provider, request));
			case 'info':
				return now(await this.#info(provider, request.userId));
			case 'endround':
				return now(await this.#endRound(provider, request));
			case 'event':
				return now(await this.#event(provider, request));
			case 'status':
				return now(await this.#status(provider, request.refTxId));
			case 'batch':
				return now(
					await this.#batches.take(batchName(provider, request), () => this.#batch(provider, request, untilMs)),
				);
			default:
				return await this.#once(provider, request, untilMs);
		}
	}

	async #once(provider: string, request: TransactionRequest, untilMs: number): Promise<Answered> {
		const answered = await this.#transactions.once(provider, request, () => this.#decide(provider, request, untilMs));
		const mayBeUndone = answered.isRepeated && answered.outcome.status === 'OK';
		return mayBeUndone ? await this.#unlessUndone(provider, request.txId, answered) : answered;
	}

	/**
	 * The first answer of a transaction that was taken back with its batch says that money moved. A kill may have come
	 * between that and its mark, so the ledger is asked, and the mark is made up for.
	 */
	async #unlessUndone(provider: string, txId: string, first: Answered): Promise<Answered> {
		const round = await this.#rounds.ofTransaction(provider, txId);
		if (!round || isGrave(round) || !round.data.rollbacks.includes(undoOf(txId))) return first;
		const { outcome } = refused('ALREADY_REFUNDED', this.#steps.moneyOf(round.walletId));
		await this.#transactions.takenBack(provider, txId, outcome);
		return now(outcome);
	}

	#decide(provider: string, request: TransactionRequest, untilMs: number): Promise<Decided> {
		switch (request.call) {
			case 'bet':
			case 'betwin':
			case 'freebet':
			case 'tip':
				return this.#bet(provider, stakeOf(request), untilMs);
			case 'win':
				return this.#win(provider, request);
			case 'rollback':
				return this.#rollbacks.rollback(provider, request);
			case 'adjust':
				return this.#corrections.adjust(provider, request);
			case 'promo':
				return this.#corrections.promo(provider, request);
		}
	}

	async #authenticate(provider: string, request: RequestOf<'authenticate'>): Promise<Outcome> {
		const { sessions, games } = this.#options;
		const { launchToken, keepsToken, userId } = request;
		const opened = keepsToken
			? await sessions.openOrFind(provider, launchToken)
			: await sessions.open(provider, launchToken);
		if (!opened || (userId ?? String(opened.seat.walletId)) !== String(opened.seat.walletId))
			return { status: 'INVALID_TOKEN' };
		const { seat } = opened;
		const money = this.#steps.moneyOf(seat.walletId);
		if ('hasEnded' in opened && opened.hasEnded) return { ...money, status: 'TOKEN_EXPIRED' };
		const sessionToken = 'sessionToken' in opened ? opened.sessionToken : launchToken;
		const game = games.find(provider, seat.game);
		const round = await this.#rounds.latestOpen(seat);
		const { leastStake = 0, mostStaked = 0 } = game ? termsOf(game, money.currency) : {};
		const stakes = { minStake: leastStake, maxStake: mostStaked, step: CURRENCY_TERMS[money.currency].step };
		return { ...money, status: 'OK', sessionToken, opened: { ...stakes, round } };
	}

	async #balance(provider: string, request: RequestOf<'balance'>): Promise<Outcome> {
		const session = await this.#options.sessions.find(provider, request.sessionToken);
		const { userId = String(session?.seat.walletId), currency, game } = request;
		if (!session || userId !== String(session.seat.walletId)) return { status: 'INVALID_TOKEN' };
		const money = this.#steps.moneyOf(session.seat.walletId);
		if (currency !== undefined && currency !== money.currency) return { ...money, status: 'WRONG_CURRENCY' };
		if (game !== undefined && game !== session.seat.game) return { ...money, status: 'INVALID_GAME' };
		return { ...money, status: session.hasEnded ? 'TOKEN_EXPIRED' : 'OK' };
	}

	async #info(provider: string, userId: string): Promise<Outcome> {
		const walletId = walletNamed(userId);
		const guest = walletId === null ? null : await this.#options.sessions.guest(provider, walletId);
		if (!guest) return { status: 'USER_DISABLED' };
		const { country, brand } = guest;
		return { status: 'OK', userId, country, ...(brand === undefined ? {} : { brand }) };
	}

	async #bet(provider: string, request: Stake, untilMs: number): Promise<Decided> {
		const session = await this.#options.sessions.find(provider, request.sessionToken);
		if (!session || (request.userId ?? String(session.seat.walletId)) !== String(session.seat.walletId))
			return refused('INVALID_TOKEN');
		const { seat } = session;
		const money = this.#steps.moneyOf(seat.walletId);
		if (session.hasEnded) return refused('TOKEN_EXPIRED', money);
		const game = this.#options.games.find(provider, request.game);
		const isOther = seat.game !== request.game && !request.mayChangeGame;
		if (isOther || !game?.isEnabled) return refused('INVALID_GAME', money);
		if (request.currency !== null && request.currency !== money.currency) return refused('WRONG_CURRENCY', money);
		const reading = request.amount > 0 ? this.#options.ready(seat, untilMs) : null;
		if (reading) await reading;
		const key = { provider, round: request.round, walletId: seat.walletId };
		const stake = withWholeWin(request, money.currency);
		return await this.#rounds.inTurn(key, () => this.#betInTurn(key, seat, stake, game));
	}

	async #betInTurn(key: RoundKey, seat: GameSeat, request: Stake, game: ProviderGame): Promise<Decided> {
		const { txId, amount, win, isTip } = request;
		const { walletId } = key;
		const round = await this.#rounds.find(key);
		if (round && betIn(round, txId)) return this.#steps.done(key, { paid: amount, received: win ?? 0 });
		const money = this.#steps.moneyOf(walletId);
		if (await this.#rounds.claimed(key.provider, txId)) return refused('ALREADY_REFUNDED', money);
		if (round && (!round.isOpen || win !== null)) return refused('ALREADY_SETTLED', money);
		const terms = isTip ? tipTerms(money.currency) : termsOf(game, money.currency);
		const begun = { ...emptyRound(key, { game: game.code, terms }), ...(isTip ? { isTip } : {}) };
		const data = round ? round.data : begun;
		if (data.game !== game.code) return refused('INVALID_GAME', money);
		return await this.#placed({ key, seat, request, round, data });
	}

	/** Takes a stake within the terms of its round. */
	async #placed({ key, seat, request, round, data }: Placed): Promise<Decided> {
		const { walletId } = key;
		const { txId, amount, win, campaign } = request;
		const { wallet, admission, exchange } = this.#options;
		const { leastStake, mostStaked } = termsIn(data);
		const money = this.#steps.moneyOf(walletId);
		const pool = exchange.wallet(walletId)?.pool;
		if (!pool) return refused('USER_DISABLED');
		if ((amount > 0 && amount < leastStake) || data.stake + amount > mostStaked) return refused('LIMIT_REACHED', money);
		const paidBy = campaign === undefined ? {} : { campaign };
		const bet = { txId, stake: amount, payout: 0, isRefunded: false, ...paidBy };
		const taken = withBet(data, bet);
		if (win !== null && win > 0) {
			const prize = { provider: key.provider, txId, walletId, pool, amount: win };
			if (!(await this.#mayPay(taken, { prize, isFree: amount === 0 }))) return refused('LIMIT_REACHED', money);
		}
		const claims = [this.#rounds.claimOf(key.provider, txId), ...(round ? [] : [this.#rounds.roundClaim(key)])];
		const terms = { terms: { admit: admission(seat, amount, taken.stake) } };
		const player = { walletId, pool };
		const moved = { paid: amount, received: win ?? 0 };
		return await this.#steps.submitted({ key, txId, moved }, () => {
			if (win !== null) {
				const won = withPayout(taken, { txId, refTxIds: [txId], payout: win });
				const step = { data: won, stake: amount, payout: win, claims, atRisk: atRiskIn(won) };
				return wallet.betWin(player, step, terms);
			}
			const step = { data: taken, stake: amount, payout: 0, claims };
			return round ? wallet.act(player, round.id, step, terms) : wallet.bet(player, step, terms);
		});
	}

	async #win(provider: string, request: RequestOf<'win'>): Promise<Decided> {
		const { txId, refTxId, closes } = request;
		return await this.#steps.about(provider, request, async (key, round) => {
			const { walletId } = key;
			const data = round.data;
			const amount = downToStep(request.amount, stepOf(round.pool));
			const moved = { received: amount };
			if (data.wins.includes(txId)) return this.#steps.done(key, moved);
			const money = this.#steps.moneyOf(walletId);
			const paidFor = standingIn(data).filter((bet) => refTxId === null || bet.txId === refTxId);
			if (paidFor.length === 0) return refused('ALREADY_REFUNDED', money);
			if (!round.isOpen) return refused('ALREADY_SETTLED', money);
			if (await this.#rounds.claimed(provider, txId)) return refused('ALREADY_REFUNDED', money);
			const isFree = paidFor.every(({ stake }) => stake === 0);
			const prize = { provider, txId, walletId, pool: round.pool, amount };
			if (!(await this.#mayPay(data, { prize, isFree }))) return refused('LIMIT_REACHED', money);
			const refTxIds = paidFor.map((bet) => bet.txId);
			const changed = withPayout(data, { txId, refTxIds, payout: amount });
			const step = { data: changed, payout: amount, claims: [this.#rounds.claimOf(provider, txId)] };
			const { wallet } = this.#options;
			return await this.#steps.submitted({ key, txId, moved }, () =>
				closes
					? wallet.settle(round, round.id, { ...step, atRisk: atRiskIn(changed) }, {})
					: wallet.act(round, round.id, step, {}),
			);
		});
	}

	/**
	 * Whether a round may pay a win by its terms; a win without a stake also counts as a prize. Operators see each
	 * refusal.
	 */
	async #mayPay(
		data: ProviderRoundData,
		{ prize, isFree }: { prize: Parameters<ProviderPrizes['take']>[0]; isFree: boolean },
	): Promise<boolean> {
		const { prizes } = this.#options;
		const { mostPaid, mostFree } = termsIn(data);
		if (data.payout + prize.amount > mostPaid || (isFree && freePayoutOf(data) + prize.amount > mostFree)) {
			await prizes.alarm(prize, 'round');
			return false;
		}
		return !isFree || (await prizes.take(prize));
	}

	async #endRound(provider: string, request: RequestOf<'endround'>): Promise<Outcome> {
		const { round: name } = request;
		const found = await this.#steps.roundsNamed(provider, name, request);
		if ('status' in found) return { status: found.status };
		const { rounds } = found;
		for (const { walletId } of rounds) {
			const key = { provider, round: name, walletId };
			await this.#rounds.inTurn(key, async () => {
				const round = await this.#rounds.find(key);
				if (round?.isOpen)
					await this.#options.wallet.settle(round, round.id, { data: {}, atRisk: atRiskIn(round.data) }, {});
			});
		}
		const [only] = rounds;
		return { status: 'OK', ...(only && rounds.length === 1 ? this.#steps.moneyOf(only.walletId) : {}) };
	}

	/**
	 * Ends a round that its provider left open: stakes without a payout are returned, and payouts stand.
	 * @throws Refused UNKNOWN_ROUND unless it is a provider's round, WRONG_STATE if it has ended
	 */
	async close(id: number, { actor, reason }: { actor: string; reason: string }): Promise<ClosedRound> {
		const found = await this.#rounds.byId(id);
		if (!found) throw new Refused('UNKNOWN_ROUND');
		const { provider, providerRound: round } = found.data;
		const key = { provider, round, walletId: found.walletId };
		return await this.#rounds.inTurn(key, async () => {
			const { isOpen, state, ...workflow } = (await this.#rounds.byId(id)) as ProviderRound;
			if (!isOpen) throw new Refused('WRONG_STATE', { state });
			const data = workflow.data;
			const unpaid = data.bets.filter(({ txId, isRefunded }) => !isRefunded && !data.wonBets.includes(txId));
			const changed = withRefunds(
				data,
				`closed by ${actor}`,
				unpaid.map(({ txId }) => txId),
			);
			const returned = data.stake - changed.stake;
			const isVoid = changed.bets.every(({ isRefunded }) => isRefunded);
			const step = { data: { ...changed, closed: { by: actor, reason } }, payout: returned, actor };
			const { wallet } = this.#options;
			await (isVoid
				? wallet.rollback(workflow, id, step, {})
				: wallet.settle(workflow, id, { ...step, atRisk: atRiskIn(changed) }, {}));
			return { state: isVoid ? 'VOID' : 'SETTLED', returned };
		});
	}

	async #event(provider: string, request: RequestOf<'event'>): Promise<Outcome> {
		const { round: name, event } = request;
		const found = await this.#steps.roundsNamed(provider, name, request);
		if ('status' in found) return { status: found.status };
		const [named] = found.rounds as [ProviderRound];
		const key = { provider, round: name, walletId: named.walletId };
		return await this.#rounds.inTurn(key, async () => {
			const round = (await this.#rounds.find(key)) as ProviderRound;
			if (!round.isOpen) return { status: round.state === 'VOID' ? 'ALREADY_REFUNDED' : 'ALREADY_SETTLED' };
			if (round.data.event !== event) await this.#options.wallet.act(round, round.id, { data: { event } }, {});
			return { status: 'OK' };
		});
	}

	async #status(provider: string, refTxId: string): Promise<Outcome> {
		const round = await this.#rounds.ofTransaction(provider, refTxId);
		if (!round) return { status: 'TRANSACTION_NOT_FOUND' };
		if (isGrave(round)) return { status: 'OK', state: 'VOID' };
		const isRefunded = betIn(round, refTxId)?.isRefunded ?? paymentIn(round, refTxId)?.isTakenBack;
		return { status: 'OK', state: isRefunded ? 'VOID' : round.state };
	}

	/**
	 * Carries out transactions of one round in order. If one is refused, the bets and wins before it are reversed: all
	 * of them happen, or none.
	 */
	async #batch(
		provider: string,
		{ requests, closes, ...named }: RequestOf<'batch'>,
		untilMs: number,
	): Promise<Outcome> {
		const parts: { txId: string; transactionId: string }[] = [];
		let last: Outcome = { status: 'OK' };
		for (const [at, request] of requests.entries()) {
			last = (await this.#once(provider, request, untilMs)).outcome;
			const { status, transactionId = '' } = last;
			if (status !== 'OK') return await this.#takeAllBack(provider, requests.slice(0, at), last, untilMs);
			parts.push({ txId: request.txId, transactionId });
		}
		const ended = closes ? await this.#endRound(provider, { ...named, call: 'endround' }) : last;
		return ended.status === 'OK' ? { ...last, parts } : ended;
	}

	/**
	 * Latest first, under ids derived from theirs, so that a repeated request reverses nothing twice. Each is refused from
	 * then on: its first answer, which was never sent, says that money moved.
	 * @returns the refusal, with the balance after all is taken back
	 */
	async #takeAllBack(
		provider: string,
		requests: readonly TransactionRequest[],
		refusal: Outcome,
		untilMs: number,
	): Promise<Outcome> {
		const taken: string[] = [];
		let after = refusal.balance;
		for (const { call, txId: refTxId } of requests.toReversed()) {
			if (call === 'rollback') continue;
			const undo = { call: 'rollback', txId: undoOf(refTxId), refTxId } as const;
			const { status, balance } = (await this.#once(provider, undo, untilMs)).outcome;
			if (status !== 'OK') continue;
			taken.push(refTxId);
			if (after !== undefined) after = balance ?? after;
		}
		const answer = after === undefined ? refusal : { ...refusal, balance: after };
		for (const txId of taken) await this.#transactions.takenBack(provider, txId, answer);
		return answer;
	}
}

const now = (outcome: Outcome): Answered => ({ outcome, isRepeated: false });
