/**
 * Shared by every act of the wallet: the round of a request, the check of the request's details, and the outcome of a
 * step.
 */

import type { Exchange, Receipt } from '#server/exchange/exchange.ts';
import { freeCash } from '#server/exchange/free-cash.ts';
import type { GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import {
	betIn,
	isGrave,
	type ProviderRound,
	type ProviderRounds,
	type RoundKey,
} from '#server/money/casino/providers/provider-rounds.ts';
import type { Decided } from '#server/money/casino/providers/provider-transactions.ts';
import type { Named, Outcome, WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import { limitIn } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { ERRORS, type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { LARGEST_PROVIDER_PAYMENT_MINOR } from '#values/house-limits.ts';
import type { AnyMinor } from '#values/money.ts';

/**
 * Refusals of the exchange and of the player's protection, as wallet statuses; all others mean that the player may not
 * bet.
 */
const STATUSES: Partial<Record<ErrorCode, WalletStatus>> = {
	INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
	LOGIN_EXPIRED: 'TOKEN_EXPIRED',
	// The way back to the game asks for the password.
	PASSWORD_NEEDED: 'TOKEN_EXPIRED',
	STAKE_LIMIT: 'LIMIT_REACHED',
	STAKE_TOO_LARGE: 'LIMIT_REACHED',
	LOSS_LIMIT: 'LIMIT_REACHED',
	INVALID_AMOUNT: 'LIMIT_REACHED',
};

/** A transaction in flight to the ledger. */
interface Submitted {
	key: RoundKey;
	txId: string;
	/** Minor units. */
	moved: { paid?: AnyMinor; received?: AnyMinor };
}

/** Acts on a round while no other request changes it. */
type Act = (key: RoundKey, round: ProviderRound) => Promise<Decided>;

export const refused = (status: WalletStatus, more: Partial<Outcome> = {}): Decided => ({
	outcome: { status, ...more },
});

/** The wallet of a player as providers name it; null for an unknown name. */
export const walletNamed = (userId: string): number | null => (/^[1-9]\d{0,14}$/.test(userId) ? Number(userId) : null);

interface WalletStepsOptions {
	exchange: Pick<Exchange, 'wallet' | 'lacked'>;
	sessions: Pick<GameSessions, 'find'>;
	rounds: ProviderRounds;
}

export class WalletSteps {
	readonly #options: WalletStepsOptions;

	constructor(options: WalletStepsOptions) {
		this.#options = options;
	}

	/** Acts on the round of a bet, or on the player's round that the request names. */
	async about(provider: string, named: Named & { refTxId: string | null }, act: Act): Promise<Decided> {
		const { rounds } = this.#options;
		const { refTxId } = named;
		if (refTxId !== null) {
			const found = await rounds.ofTransaction(provider, refTxId);
			if (found && isGrave(found)) return refused('ALREADY_REFUNDED');
			return found && betIn(found, refTxId) ? await this.inRound(found, named, act) : refused('TRANSACTION_NOT_FOUND');
		}
		const walletId = walletNamed(named.userId ?? '');
		const found = walletId === null ? null : await rounds.find({ provider, round: named.round ?? '', walletId });
		return found ? await this.inRound(found, named, act) : refused('TRANSACTION_NOT_FOUND');
	}

	/** Acts on a round in its turn, if the request's details match it. */
	async inRound(found: ProviderRound, named: Named, act: Act): Promise<Decided> {
		const { rounds } = this.#options;
		const { provider, providerRound: round } = found.data;
		const status = await this.whyOther(found, named);
		if (status) return refused(status);
		const key = { provider, round, walletId: found.walletId };
		return await rounds.inTurn(key, async () => act(key, (await rounds.find(key)) as ProviderRound));
	}

	/**
	 * The rounds with that name, or the round of the player whom the request names. The request's other details have to
	 * match.
	 */
	async roundsNamed(
		provider: string,
		name: string,
		request: Named,
	): Promise<{ rounds: ProviderRound[] } | { status: WalletStatus }> {
		const { userId } = request;
		const all = await this.#options.rounds.named(provider, name);
		const rounds = all.filter(({ walletId }) => userId === undefined || userId === String(walletId));
		if (rounds.length === 0) return { status: 'TRANSACTION_NOT_FOUND' };
		for (const round of rounds) {
			const status = await this.whyOther(round, request);
			if (status) return { status };
		}
		return { rounds };
	}

	/**
	 * The first detail of a request that does not match its round; null if all match. None of these details ever
	 * changes.
	 */
	async whyOther(
		round: ProviderRound,
		{ userId, sessionToken, currency, ...named }: Named,
	): Promise<WalletStatus | null> {
		const { provider, game, providerRound } = round.data;
		const { walletId } = round;
		if (userId !== undefined && userId !== String(walletId)) return 'INVALID_TOKEN';
		if (sessionToken !== undefined) {
			const session = await this.#options.sessions.find(provider, sessionToken);
			if (session?.seat.walletId !== walletId) return 'INVALID_TOKEN';
		}
		if (currency !== undefined && currency !== this.moneyOf(walletId).currency) return 'WRONG_CURRENCY';
		if (named.game !== undefined && named.game !== game) return 'INVALID_GAME';
		if (named.round !== undefined && named.round !== providerRound) return 'TRANSACTION_NOT_FOUND';
		return null;
	}

	/** @throws Refused if the outcome is unknown */
	async submitted({ key, txId, moved }: Submitted, submit: () => Promise<Receipt>): Promise<Decided> {
		const { provider, walletId, round } = key;
		const { paid = 0, received = 0 } = moved;
		const money = this.moneyOf(walletId);
		if (Math.max(paid, received) > limitIn(money.currency, LARGEST_PROVIDER_PAYMENT_MINOR))
			return refused('LIMIT_REACHED', money);
		try {
			const receipt = await submit();
			const after = { ...this.moneyOf(walletId), balance: this.#shown(walletId, receipt.balance) };
			return { outcome: { ...after, status: 'OK' }, walletId, round, ...moved };
		} catch (error) {
			if (!(error instanceof Refused) || ERRORS[error.code].status >= 500) throw error;
			const isClaimed = error.code === 'ALREADY_CLAIMED';
			if (isClaimed && (await this.#options.rounds.ofTransaction(provider, txId))?.walletId === 0)
				return refused('ALREADY_REFUNDED', this.moneyOf(walletId));
			// Another attempt or another request came first: a repetition of the request finds the current state.
			if (isClaimed || error.code === 'WRONG_STATE') throw new Refused('OUTCOME_UNKNOWN');
			return refused(STATUSES[error.code] ?? 'USER_DISABLED', this.moneyOf(walletId));
		}
	}

	/** The outcome of an earlier attempt whose answer was lost. */
	done({ walletId, round }: RoundKey, moved: { paid?: AnyMinor; received?: AnyMinor }): Decided {
		return { outcome: { ...this.moneyOf(walletId), status: 'OK' }, walletId, round, ...moved };
	}

	moneyOf(walletId: number): Pick<Outcome, 'userId' | 'balance'> & { currency: Currency } {
		const { currency = HOME_CURRENCY, cash = 0 } = this.#options.exchange.wallet(walletId) ?? {};
		return { userId: String(walletId), currency, balance: this.#shown(walletId, cash) };
	}

	/** What may be staked. A shortfall is between the player and the house: providers would read it as an error, or as money. */
	#shown(walletId: number, cash: AnyMinor): AnyMinor {
		return Math.max(0, freeCash(cash, this.#options.exchange.lacked(walletId)));
	}
}
