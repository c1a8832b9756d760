/**
 * The game wallet for outside providers: what each of their requests does to the player's money. A round of a player is one
 * workflow of the kind CASINO; each transaction is a step of it and claims its own id, so that it happens once for ever.
 */
import type pg from 'pg';
import type { GameWallet } from '#server/casino/game-wallet.ts';
import type { GameSeat, GameSessions } from '#server/casino/providers/game-sessions.ts';
import type { ProviderGames } from '#server/casino/providers/provider-games.ts';
import {
	atRiskIn,
	betIn,
	dataOf,
	emptyRound,
	ProviderRounds,
	type RoundKey,
	withBet,
	withPayout,
	withRefunds,
} from '#server/casino/providers/provider-rounds.ts';
import { type Decided, ProviderTransactions } from '#server/casino/providers/provider-transactions.ts';
import type {
	Answered,
	Outcome,
	RequestOf,
	TransactionRequest,
	WalletRequest,
	WalletStatus,
} from '#server/casino/providers/wallet-request.ts';
import type { Admission, Exchange, Receipt } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import { ERRORS, type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { LARGEST_PROVIDER_PAYMENT_PAISE, LARGEST_STAKE_PAISE } from '#values/house-limits.ts';
import type { AnyPaise } from '#values/money.ts';

export interface ProviderWalletOptions {
	db: pg.Pool;
	exchange: Pick<Exchange, 'wallet' | 'submit'>;
	wallet: GameWallet;
	sessions: GameSessions;
	games: Pick<ProviderGames, 'find'>;
	/** What keeps a stake out, as it is where the stake is ordered; an ended login refuses with LOGIN_EXPIRED. */
	admission: (seat: GameSeat, stake: AnyPaise, inRound: AnyPaise) => Admission;
}

/** How a round was ended that its provider left open. */
export interface ClosedRound {
	state: 'VOID' | 'SETTLED';
	/** Paise that went back to the player. */
	returned: AnyPaise;
}

/** Refusals of the exchange and of the player's protection, in the wallet's words; others mean that a player may not bet. */
const STATUSES: Partial<Record<ErrorCode, WalletStatus>> = {
	INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
	LOGIN_EXPIRED: 'TOKEN_EXPIRED',
	STAKE_LIMIT: 'LIMIT_REACHED',
	LOSS_LIMIT: 'LIMIT_REACHED',
	INVALID_AMOUNT: 'LIMIT_REACHED',
};

const PAISE = 100;

/** What a player stakes, whatever the call. */
interface Stake extends Omit<RequestOf<'bet'>, 'call'> {
	/** Paise; null where the round goes on. */
	win: AnyPaise | null;
	/** Of the provider, where it pays for the bet. */
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
			// A provider's names have no spaces, so no round of its own has this one.
			return { ...request, round: `tip ${request.txId}`, win: 0, isTip: true };
	}
}

/** A transaction on its way to the ledger. */
interface Submitted {
	key: RoundKey;
	txId: string;
	/** Paise. */
	moved: { paid?: AnyPaise; received?: AnyPaise };
}

/** Why stakes of a round do not go back; null where they do. A round that paid for them was played. */
function whyKept(round: Workflow, txIds: readonly string[]): 'ALREADY_SETTLED' | 'ALREADY_REFUNDED' | null {
	const { wonBets } = dataOf(round);
	if (round.state === 'SETTLED' || txIds.some((id) => wonBets.includes(id))) return 'ALREADY_SETTLED';
	return round.isOpen && txIds.length > 0 ? null : 'ALREADY_REFUNDED';
}

/** The bets that were not given back. */
const standingIn = (round: Workflow): string[] =>
	dataOf(round).bets.flatMap(({ txId, isRefunded }) => (isRefunded ? [] : [txId]));

const refused = (status: WalletStatus, more: Partial<Outcome> = {}): Decided => ({ outcome: { status, ...more } });

export class ProviderWallet {
	readonly #options: ProviderWalletOptions;
	readonly #transactions: ProviderTransactions;
	readonly #rounds: ProviderRounds;

	constructor(options: ProviderWalletOptions) {
		this.#options = options;
		this.#transactions = new ProviderTransactions(options.db);
		this.#rounds = new ProviderRounds(options.db);
	}

	/** Answers one request. It resolves only when what it says is durable; it throws where the outcome is not known. */
	async answer(provider: string, request: WalletRequest): Promise<Answered> {
		switch (request.call) {
			case 'authenticate':
				return now(await this.#authenticate(provider, request));
			case 'balance':
				return now(await this.#balance(provider, request.sessionToken));
			case 'endround':
				return now(await this.#endRound(provider, request.round));
			case 'event':
				return now(await this.#event(provider, request));
			case 'status':
				return now(await this.#status(provider, request.refTxId));
			default:
				return await this.#transactions.once(provider, request, () => this.#decide(provider, request));
		}
	}

	#decide(provider: string, request: TransactionRequest): Promise<Decided> {
		switch (request.call) {
			case 'bet':
			case 'betwin':
			case 'freebet':
			case 'tip':
				return this.#bet(provider, stakeOf(request));
			case 'win':
				return this.#win(provider, request);
			case 'rollback':
				return request.refTxId === null
					? this.#rollbackRound(provider, request)
					: this.#rollback(provider, request.txId, request.refTxId);
			case 'adjust':
				return this.#adjust(provider, request);
			case 'promo':
				return this.#promo(provider, request);
		}
	}

	async #authenticate(provider: string, request: RequestOf<'authenticate'>): Promise<Outcome> {
		const { sessions, games } = this.#options;
		const { launchToken, keepsToken } = request;
		const opened = keepsToken
			? await sessions.openOrFind(provider, launchToken)
			: await sessions.open(provider, launchToken);
		if (!opened) return { status: 'INVALID_TOKEN' };
		const { seat } = opened;
		const money = this.#moneyOf(seat.walletId);
		if ('hasEnded' in opened && opened.hasEnded) return { ...money, status: 'TOKEN_EXPIRED' };
		const sessionToken = 'sessionToken' in opened ? opened.sessionToken : launchToken;
		const { minStake = 0, maxStake = 0 } = games.find(provider, seat.game) ?? {};
		const round = await this.#rounds.latestOpen(seat);
		const stakes = { minStake: minStake * PAISE, maxStake: maxStake * PAISE };
		return { ...money, status: 'OK', sessionToken, opened: { ...stakes, round } };
	}

	async #balance(provider: string, sessionToken: string): Promise<Outcome> {
		const session = await this.#options.sessions.find(provider, sessionToken);
		if (!session) return { status: 'INVALID_TOKEN' };
		return { ...this.#moneyOf(session.seat.walletId), status: session.hasEnded ? 'TOKEN_EXPIRED' : 'OK' };
	}

	async #bet(provider: string, request: Stake): Promise<Decided> {
		const session = await this.#options.sessions.find(provider, request.sessionToken);
		if (!session || (request.userId ?? String(session.seat.walletId)) !== String(session.seat.walletId))
			return refused('INVALID_TOKEN');
		const { seat } = session;
		const money = this.#moneyOf(seat.walletId);
		if (session.hasEnded) return refused('TOKEN_EXPIRED', money);
		if (seat.game !== request.game || !this.#options.games.find(provider, request.game)?.isEnabled)
			return refused('INVALID_GAME', money);
		if (request.currency !== null && request.currency !== money.currency) return refused('WRONG_CURRENCY', money);
		if (request.amount > LARGEST_STAKE_PAISE) return refused('LIMIT_REACHED', money);
		const key = { provider, round: request.round, walletId: seat.walletId };
		return await this.#rounds.inTurn(key, () => this.#betInTurn(key, seat, request));
	}

	async #betInTurn(key: RoundKey, seat: GameSeat, request: Stake): Promise<Decided> {
		const { walletId } = key;
		const { txId, amount, game, win, campaign, isTip } = request;
		const isWhole = win !== null;
		const moved = { paid: amount, received: win ?? 0 };
		const round = await this.#rounds.find(key);
		if (round && betIn(round, txId)) return this.#done(key, moved);
		if (await this.#rounds.claimed(key.provider, txId)) return refused('ALREADY_REFUNDED', this.#moneyOf(walletId));
		if (round && (!round.isOpen || isWhole)) return refused('ALREADY_SETTLED', this.#moneyOf(walletId));
		const pool = this.#options.exchange.wallet(walletId)?.pool;
		if (!pool) return refused('USER_DISABLED');
		const { wallet, admission } = this.#options;
		const player = { walletId, pool };
		const before = round ? dataOf(round) : { ...emptyRound(key, game), ...(isTip ? { isTip } : {}) };
		const paidBy = campaign === undefined ? {} : { campaign };
		const bet = { txId, stake: amount, payout: win ?? 0, isRefunded: false, ...paidBy };
		const claims = [this.#rounds.claimOf(key.provider, txId), ...(round ? [] : [this.#rounds.roundClaim(key)])];
		const data = withBet(before, bet);
		const step = { data, stake: amount, payout: win ?? 0, claims };
		const terms = { terms: { admit: admission(seat, amount, data.stake) } };
		return await this.#submitted({ key, txId, moved }, () => {
			if (isWhole) return wallet.betWin(player, { ...step, atRisk: atRiskIn(data) }, terms);
			return round ? wallet.act(player, round.id, step, terms) : wallet.bet(player, step, terms);
		});
	}

	async #win(provider: string, { txId, refTxId, round: name, amount, closes }: RequestOf<'win'>): Promise<Decided> {
		return await this.#aboutBet(provider, refTxId, async (key, round) => {
			const data = dataOf(round);
			if (data.providerRound !== name) return refused('TRANSACTION_NOT_FOUND');
			if (data.wins.includes(txId)) return this.#done(key, { received: amount });
			if (betIn(round, refTxId)?.isRefunded) return refused('ALREADY_REFUNDED', this.#moneyOf(key.walletId));
			if (!round.isOpen) return refused('ALREADY_SETTLED', this.#moneyOf(key.walletId));
			const changed = withPayout(data, { txId, refTxId, payout: amount });
			const step = { data: changed, payout: amount, claims: [this.#rounds.claimOf(provider, txId)] };
			const { wallet } = this.#options;
			return await this.#submitted({ key, txId, moved: { received: amount } }, () =>
				closes
					? wallet.settle(round, round.id, { ...step, atRisk: atRiskIn(changed) }, {})
					: wallet.act(round, round.id, step, {}),
			);
		});
	}

	async #rollback(provider: string, txId: string, refTxId: string): Promise<Decided> {
		const known = await this.#rounds.ofTransaction(provider, refTxId);
		const isGrave = known ? known.data['rollback'] === txId : await this.#bury(provider, { txId, refTxId });
		if (isGrave) return { outcome: { status: 'OK', isTombstone: true } };
		return await this.#aboutBet(provider, refTxId, async (key, round) => {
			const bet = betIn(round, refTxId);
			if (bet?.isRefunded) {
				const isOwn = dataOf(round).rollbacks.includes(txId);
				return isOwn
					? this.#done(key, { received: bet.stake })
					: refused('ALREADY_REFUNDED', this.#moneyOf(key.walletId));
			}
			if (dataOf(round).isTip) return await this.#returnTip(key, round, { txId, refTxId });
			return await this.#refund(key, round, { txId, refTxIds: [refTxId] });
		});
	}

	/** A tip has no round that was played, so it goes back whenever its provider says so. */
	async #returnTip(
		key: RoundKey,
		tip: Workflow,
		{ txId, refTxId }: { txId: string; refTxId: string },
	): Promise<Decided> {
		const { stake } = dataOf(tip);
		const data = withRefunds(dataOf(tip), txId, [refTxId]);
		const claims = [this.#rounds.rollbackClaim(key, txId)];
		return await this.#submitted({ key, txId, moved: { received: stake } }, () =>
			this.#options.wallet.adjust(tip, tip, { data, amount: stake, claims, atRisk: atRiskIn(data) }),
		);
	}

	/** Gives back what was staked in the rounds of that name: all of it, or nothing where one of them was paid. */
	async #rollbackRound(provider: string, { txId, round: name }: RequestOf<'rollback'>): Promise<Decided> {
		const named = () => this.#rounds.named(provider, name ?? '');
		const keyOf = ({ walletId }: Workflow): RoundKey => ({ provider, round: name ?? '', walletId });
		const keys = (await named()).map(keyOf);
		if (keys.length === 0) return refused('TRANSACTION_NOT_FOUND');
		return await this.#rounds.inTurns(keys, async () => {
			const rounds = await named();
			const toReturn = rounds.filter((round) => !dataOf(round).rollbacks.includes(txId));
			const kept = toReturn.map((round) => ({ round, status: whyKept(round, standingIn(round)) }));
			if (kept.some(({ status }) => status === 'ALREADY_SETTLED')) return refused('ALREADY_SETTLED');
			const free = kept.filter(({ status }) => status === null);
			if (free.length === 0 && toReturn.length > 0) return refused('ALREADY_REFUNDED');
			let last = this.#done(keyOf(rounds.at(-1) as Workflow), {});
			let received = 0;
			for (const { round } of free) {
				last = await this.#refund(keyOf(round), round, { txId, refTxIds: standingIn(round) });
				if (last.outcome.status !== 'OK') return last;
				received += last.received ?? 0;
			}
			return { ...last, received };
		});
	}

	/** @returns a refusal when the round paid something, because it was played then */
	async #refund(
		key: RoundKey,
		round: Workflow,
		{ txId, refTxIds }: { txId: string; refTxIds: readonly string[] },
	): Promise<Decided> {
		const data = dataOf(round);
		const status = whyKept(round, refTxIds);
		if (status) return refused(status, this.#moneyOf(key.walletId));
		const changed = withRefunds(data, txId, refTxIds);
		const payout = data.stake - changed.stake;
		const step = { data: changed, payout, claims: [this.#rounds.rollbackClaim(key, txId)] };
		const { wallet } = this.#options;
		const isVoid = changed.bets.every(({ isRefunded }) => isRefunded);
		return await this.#submitted({ key, txId, moved: { received: payout } }, () =>
			isVoid ? wallet.rollback(round, round.id, step, {}) : wallet.act(round, round.id, step, {}),
		);
	}

	async #adjust(provider: string, { txId, refTxId, amount }: RequestOf<'adjust'>): Promise<Decided> {
		return await this.#aboutBet(provider, refTxId, async (key, round) => {
			const data = dataOf(round);
			const moved = amount > 0 ? { received: amount } : { paid: -amount };
			if (data.wins.includes(txId)) return this.#done(key, moved);
			const changed = { ...data, payout: data.payout + amount, wins: [...data.wins, txId] };
			const claims = [this.#rounds.claimOf(provider, txId)];
			return await this.#submitted({ key, txId, moved }, () =>
				this.#options.wallet.adjust(round, round, { data: changed, amount, claims }),
			);
		});
	}

	async #promo(provider: string, { txId, userId, amount }: RequestOf<'promo'>): Promise<Decided> {
		const walletId = Number(userId);
		const pool = this.#options.exchange.wallet(walletId)?.pool;
		if (!pool) return refused('USER_DISABLED');
		const key = { provider, round: `promo ${txId}`, walletId };
		const claimed = await this.#rounds.ofTransaction(provider, txId);
		if (claimed?.data['providerRound'] === key.round) return this.#done(key, { received: amount });
		const data = withPayout(emptyRound(key, `${provider}-promotion`), { txId, refTxId: null, payout: amount });
		const step = { data, payout: amount, claims: [this.#rounds.claimOf(provider, txId)], atRisk: atRiskIn(data) };
		return await this.#submitted({ key, txId, moved: { received: amount } }, () =>
			this.#options.wallet.betWin({ walletId, pool }, step, {}),
		);
	}

	async #endRound(provider: string, name: string): Promise<Outcome> {
		const rounds = await this.#rounds.named(provider, name);
		if (rounds.length === 0) return { status: 'TRANSACTION_NOT_FOUND' };
		for (const { walletId } of rounds) {
			const key = { provider, round: name, walletId };
			await this.#rounds.inTurn(key, async () => {
				const round = await this.#rounds.find(key);
				if (round?.isOpen)
					await this.#options.wallet.settle(round, round.id, { data: {}, atRisk: atRiskIn(dataOf(round)) }, {});
			});
		}
		const [only] = rounds;
		return { status: 'OK', ...(only && rounds.length === 1 ? this.#moneyOf(only.walletId) : {}) };
	}

	/**
	 * Ends a round that its provider left open: stakes that nothing was paid for go back, and what was paid stands.
	 * @throws Refused UNKNOWN_ROUND for one that is no provider's, WRONG_STATE for one that has ended
	 */
	async close(id: number, { actor, reason }: { actor: string; reason: string }): Promise<ClosedRound> {
		const found = await this.#rounds.byId(id);
		if (!found) throw new Refused('UNKNOWN_ROUND');
		const { provider, providerRound: round } = dataOf(found);
		const key = { provider, round, walletId: found.walletId };
		return await this.#rounds.inTurn(key, async () => {
			const { isOpen, state, ...workflow } = (await this.#rounds.byId(id)) as Workflow;
			if (!isOpen) throw new Refused('WRONG_STATE', { state });
			const data = dataOf(workflow);
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

	async #event(provider: string, { round: name, event }: RequestOf<'event'>): Promise<Outcome> {
		const [named] = await this.#rounds.named(provider, name);
		if (!named) return { status: 'TRANSACTION_NOT_FOUND' };
		const key = { provider, round: name, walletId: named.walletId };
		return await this.#rounds.inTurn(key, async () => {
			const round = (await this.#rounds.find(key)) as Workflow;
			if (!round.isOpen) return { status: round.state === 'VOID' ? 'ALREADY_REFUNDED' : 'ALREADY_SETTLED' };
			if (dataOf(round).event !== event) await this.#options.wallet.act(round, round.id, { data: { event } }, {});
			return { status: 'OK' };
		});
	}

	async #status(provider: string, refTxId: string): Promise<Outcome> {
		const round = await this.#rounds.ofTransaction(provider, refTxId);
		if (!round) return { status: 'TRANSACTION_NOT_FOUND' };
		const isRefunded = betIn(round, refTxId)?.isRefunded ?? round.walletId === 0;
		return { status: 'OK', state: isRefunded ? 'VOID' : round.state };
	}

	/** Acts on the round of a bet, one request after another. */
	async #aboutBet(
		provider: string,
		refTxId: string,
		act: (key: RoundKey, round: Workflow) => Promise<Decided>,
	): Promise<Decided> {
		const found = await this.#rounds.ofTransaction(provider, refTxId);
		if (!found) return refused('TRANSACTION_NOT_FOUND');
		if (found.walletId === 0) return refused('ALREADY_REFUNDED');
		if (!betIn(found, refTxId)) return refused('TRANSACTION_NOT_FOUND');
		const key = { provider, round: dataOf(found).providerRound, walletId: found.walletId };
		return await this.#rounds.inTurn(key, async () => act(key, (await this.#rounds.find(key)) as Workflow));
	}

	/**
	 * Takes the id of a bet that never came, where commands are ordered: a bet that is on its way is known first.
	 * @returns false when it came after all
	 */
	async #bury(provider: string, { txId, refTxId }: { txId: string; refTxId: string }): Promise<boolean> {
		const data = { provider, tombstone: refTxId, rollback: txId };
		const claims = [this.#rounds.claimOf(provider, refTxId)];
		const step = {
			workflow: 'CASINO',
			from: null,
			to: 'VOID',
			isOpen: false,
			actor: 'provider',
			data,
			claims,
		} as const;
		try {
			await this.#options.exchange.submit({ kind: 'transfer', walletId: 0, pool: 'PLAY', steps: [step] });
			return true;
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
			return (await this.#rounds.ofTransaction(provider, refTxId))?.data['rollback'] === txId;
		}
	}

	/** @throws Refused where it is not known whether it happened */
	async #submitted({ key, txId, moved }: Submitted, submit: () => Promise<Receipt>): Promise<Decided> {
		const { provider, walletId, round } = key;
		const { paid = 0, received = 0 } = moved;
		if (Math.max(paid, received) > LARGEST_PROVIDER_PAYMENT_PAISE)
			return refused('LIMIT_REACHED', this.#moneyOf(walletId));
		try {
			const receipt = await submit();
			const money = { ...this.#moneyOf(walletId), balance: receipt.balance };
			return { outcome: { ...money, status: 'OK' }, walletId, round, ...moved };
		} catch (error) {
			if (!(error instanceof Refused) || ERRORS[error.code].status >= 500) throw error;
			if (error.code === 'ALREADY_CLAIMED' && (await this.#rounds.ofTransaction(provider, txId))?.walletId === 0)
				return refused('ALREADY_REFUNDED', this.#moneyOf(walletId));
			// Another attempt or another request came first: the same request again finds how things stand.
			if (error.code === 'ALREADY_CLAIMED' || error.code === 'WRONG_STATE') throw new Refused('OUTCOME_UNKNOWN');
			return refused(STATUSES[error.code] ?? 'USER_DISABLED', this.#moneyOf(walletId));
		}
	}

	/** What an earlier attempt did, whose answer was lost. */
	#done({ walletId, round }: RoundKey, moved: { paid?: AnyPaise; received?: AnyPaise }): Decided {
		return { outcome: { ...this.#moneyOf(walletId), status: 'OK' }, walletId, round, ...moved };
	}

	#moneyOf(walletId: number): Pick<Outcome, 'userId' | 'currency' | 'balance'> {
		const { currency = 'INR', cash = 0 } = this.#options.exchange.wallet(walletId) ?? {};
		return { userId: String(walletId), currency, balance: cash };
	}
}

const now = (outcome: Outcome): Answered => ({ outcome, isRepeated: false });
