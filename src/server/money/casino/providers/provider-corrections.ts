/** Changes to a player's money on a provider's word alone: corrections, promotions and reversed wins. */

import type { Exchange } from '#server/exchange/exchange.ts';
import type { GameWallet } from '#server/money/casino/game-wallet.ts';
import type { GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import type { ProviderPrizes } from '#server/money/casino/providers/provider-prizes.ts';
import {
	atRiskIn,
	emptyRound,
	isOfProvider,
	type ProviderRound,
	type ProviderRounds,
	paymentIn,
	termsIn,
	withPayout,
	withTakenBack,
} from '#server/money/casino/providers/provider-rounds.ts';
import type { Decided } from '#server/money/casino/providers/provider-transactions.ts';
import { tipTerms } from '#server/money/casino/providers/round-terms.ts';
import type { RequestOf } from '#server/money/casino/providers/wallet-request.ts';
import { refused, type WalletSteps, walletNamed } from '#server/money/casino/providers/wallet-steps.ts';
import { downToStep } from '#values/currencies.ts';
import type { WalletId } from '#values/ids.ts';
import { currencyOf, stepOf } from '#values/pools.ts';

interface ProviderCorrectionsOptions {
	exchange: Pick<Exchange, 'wallet'>;
	wallet: GameWallet;
	sessions: Pick<GameSessions, 'find' | 'guest'>;
	games: Pick<ProviderGames, 'find'>;
	rounds: ProviderRounds;
	steps: WalletSteps;
	prizes: ProviderPrizes;
}

export class ProviderCorrections {
	readonly #options: ProviderCorrectionsOptions;

	constructor(options: ProviderCorrectionsOptions) {
		this.#options = options;
	}

	/**
	 * Corrects the payout of a round by an exact amount: one finer than the coin is refused. The total stays between zero
	 * and the game's largest win.
	 */
	async adjust(provider: string, request: RequestOf<'adjust'>): Promise<Decided> {
		const { wallet, rounds, steps, prizes } = this.#options;
		const { txId, amount } = request;
		return await steps.about(provider, request, async (key, round) => {
			const data = round.data;
			const { walletId } = key;
			const moved = amount > 0 ? { received: amount } : { paid: -amount };
			if (data.wins.includes(txId)) return steps.done(key, moved);
			if (await rounds.claimed(provider, txId)) return refused('ALREADY_REFUNDED', steps.moneyOf(walletId));
			const payout = data.payout + amount;
			const prize = { provider, txId, walletId, pool: round.pool, amount: Math.abs(amount) };
			if (payout < 0 || payout > termsIn(data).mostPaid) {
				await prizes.alarm(prize, 'round');
				return refused('LIMIT_REACHED', steps.moneyOf(walletId));
			}
			if (!(await prizes.take(prize))) return refused('LIMIT_REACHED', steps.moneyOf(walletId));
			const changed = { ...data, payout, wins: [...data.wins, txId] };
			const claims = [rounds.claimOf(provider, txId)];
			return await steps.submitted({ key, txId, moved }, () =>
				wallet.adjust(round, round, { data: changed, amount, claims }),
			);
		});
	}

	/** Pays a player who has played at the provider, in whole coins. About other players the provider learns nothing. */
	async promo(provider: string, request: RequestOf<'promo'>): Promise<Decided> {
		const { exchange, wallet, games, rounds, steps, prizes } = this.#options;
		const { txId, currency, game } = request;
		const walletId = await this.#paidPlayer(provider, request);
		const pool = walletId === null ? undefined : exchange.wallet(walletId)?.pool;
		if (walletId === null || !pool)
			return refused(request.sessionToken === undefined ? 'USER_DISABLED' : 'INVALID_TOKEN');
		const amount = downToStep(request.amount, stepOf(pool));
		const money = steps.moneyOf(walletId);
		if (currency !== undefined && currency !== money.currency) return refused('WRONG_CURRENCY', money);
		if (game !== undefined && !games.find(provider, game)) return refused('INVALID_GAME', money);
		const key = { provider, round: `promo ${txId}`, walletId };
		const claimed = await rounds.ofTransaction(provider, txId);
		if (claimed && isOfProvider(claimed) && claimed.data.providerRound === key.round)
			return steps.done(key, { received: amount });
		if (claimed) return refused('ALREADY_REFUNDED', money);
		if (!(await prizes.take({ provider, txId, walletId, pool, amount }))) return refused('LIMIT_REACHED', money);
		const promotion = emptyRound(key, {
			game: `${provider}-promotion`,
			terms: { ...tipTerms(currencyOf(pool)), mostPaid: amount },
		});
		const data = withPayout(promotion, { txId, refTxIds: [], payout: amount });
		const step = { data, payout: amount, claims: [rounds.claimOf(provider, txId)], atRisk: atRiskIn(data) };
		return await steps.submitted({ key, txId, moved: { received: amount } }, () =>
			wallet.betWin({ walletId, pool }, step, {}),
		);
	}

	/** Reverses a win, also after its round. If the player has spent it, the rest becomes a shortfall. */
	async cancelPayment(paid: ProviderRound, request: RequestOf<'rollback'> & { refTxId: string }): Promise<Decided> {
		const { wallet, rounds, steps } = this.#options;
		const { txId, refTxId } = request;
		// A payment without a bet gets a round name of our own.
		const isPromo = paid.data.bets.length === 0;
		return await steps.inRound(
			paid,
			isPromo ? { ...request, round: undefined, game: undefined } : request,
			async (key, round) => {
				const payment = paymentIn(round, refTxId);
				if (!payment) return refused('TRANSACTION_NOT_FOUND');
				const moved = { paid: payment.amount };
				const data = round.data;
				if (payment.isTakenBack) {
					const isOwn = data.rollbacks.includes(txId);
					return isOwn ? steps.done(key, moved) : refused('ALREADY_REFUNDED', steps.moneyOf(key.walletId));
				}
				if (data.payout < payment.amount) return refused('ALREADY_SETTLED', steps.moneyOf(key.walletId));
				const claims = [rounds.rollbackClaim(key, txId)];
				const step = { data: withTakenBack(data, txId, payment), amount: -payment.amount, claims };
				return await steps.submitted({ key, txId, moved }, () => wallet.adjust(round, round, step));
			},
		);
	}

	/** The player of a promotion: the session's, or the one that the request names. */
	async #paidPlayer(provider: string, { sessionToken, userId }: RequestOf<'promo'>): Promise<WalletId | null> {
		const { sessions } = this.#options;
		if (sessionToken !== undefined) {
			const seated = (await sessions.find(provider, sessionToken))?.seat.walletId ?? null;
			return userId === undefined || userId === String(seated) ? seated : null;
		}
		const named = walletNamed(userId ?? '');
		return named !== null && (await sessions.guest(provider, named)) ? named : null;
	}
}
