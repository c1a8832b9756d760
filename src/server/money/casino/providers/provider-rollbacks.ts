/**
 * Rollbacks: stakes that a provider returns, of one bet, of a tip or of a whole round. A bet that never arrived is buried,
 * so that it is refused if it comes later.
 */
import type { Exchange } from '#server/exchange/exchange.ts';
import type { GameWallet } from '#server/money/casino/game-wallet.ts';
import type { ProviderCorrections } from '#server/money/casino/providers/provider-corrections.ts';
import {
	atRiskIn,
	betIn,
	isGrave,
	type ProviderRound,
	type ProviderRounds,
	type RoundKey,
	standingIn,
	withRefunds,
} from '#server/money/casino/providers/provider-rounds.ts';
import type { Decided } from '#server/money/casino/providers/provider-transactions.ts';
import type { RequestOf } from '#server/money/casino/providers/wallet-request.ts';
import { refused, type WalletSteps } from '#server/money/casino/providers/wallet-steps.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { Refused } from '#values/error-catalogue.ts';

interface ProviderRollbacksOptions {
	exchange: Pick<Exchange, 'submit' | 'pools'>;
	/** Whose the grave of a bet is that never came. */
	ledger: Pick<FundsLedger, 'houseOf'>;
	wallet: GameWallet;
	rounds: ProviderRounds;
	steps: WalletSteps;
	/** For the rollback of a payment. */
	corrections: Pick<ProviderCorrections, 'cancelPayment'>;
}

/** Why the stakes of a round are not returned; null if they are. A round that paid was played. */
function whyKept(round: ProviderRound, txIds: readonly string[]): 'ALREADY_SETTLED' | 'ALREADY_REFUNDED' | null {
	const { wonBets } = round.data;
	if (round.state === 'SETTLED' || txIds.some((id) => wonBets.includes(id))) return 'ALREADY_SETTLED';
	return round.isOpen && txIds.length > 0 ? null : 'ALREADY_REFUNDED';
}

const idsOf = (round: ProviderRound): string[] => standingIn(round.data).map(({ txId }) => txId);

export class ProviderRollbacks {
	readonly #options: ProviderRollbacksOptions;

	constructor(options: ProviderRollbacksOptions) {
		this.#options = options;
	}

	/** Returns a stake, or those of a whole round; or reverses a win, if the request names one. */
	rollback(provider: string, request: RequestOf<'rollback'>): Promise<Decided> {
		return request.refTxId === null ? this.#ofRound(provider, request) : this.#ofTransaction(provider, request);
	}

	async #ofTransaction(provider: string, request: RequestOf<'rollback'> & { refTxId: string }): Promise<Decided> {
		const { rounds, steps, corrections } = this.#options;
		const { txId, refTxId } = request;
		const known = await rounds.ofTransaction(provider, refTxId);
		const isBuried = known
			? isGrave(known) && known.data.rollback === txId
			: await this.#bury(provider, { txId, refTxId });
		if (isBuried) return { outcome: { status: 'OK', isTombstone: true } };
		if (known && !isGrave(known) && !betIn(known, refTxId)) return await corrections.cancelPayment(known, request);
		return await steps.about(provider, request, async (key, round) => {
			const bet = betIn(round, refTxId);
			if (bet?.isRefunded) {
				const isOwn = round.data.rollbacks.includes(txId);
				return isOwn
					? steps.done(key, { received: bet.stake })
					: refused('ALREADY_REFUNDED', steps.moneyOf(key.walletId));
			}
			if (round.data.isTip) return await this.#returnTip(key, round, { txId, refTxId });
			return await this.#refund(key, round, { txId, refTxIds: [refTxId] });
		});
	}

	/** A tip belongs to no played round, so its provider may roll it back at any time. */
	async #returnTip(
		key: RoundKey,
		tip: ProviderRound,
		{ txId, refTxId }: { txId: string; refTxId: string },
	): Promise<Decided> {
		const { wallet, rounds, steps } = this.#options;
		const { stake } = tip.data;
		const data = withRefunds(tip.data, txId, [refTxId]);
		const claims = [rounds.rollbackClaim(key, txId)];
		return await steps.submitted({ key, txId, moved: { received: stake } }, () =>
			wallet.adjust(tip, tip, { data, amount: stake, claims, atRisk: atRiskIn(data) }),
		);
	}

	/** Returns the stakes of the rounds with that name: all of them, or none if one of the rounds was paid. */
	async #ofRound(provider: string, request: RequestOf<'rollback'>): Promise<Decided> {
		const { rounds: stored, steps } = this.#options;
		const { txId } = request;
		const name = request.round ?? '';
		const named = () => steps.roundsNamed(provider, name, request);
		const keyOf = ({ walletId }: ProviderRound): RoundKey => ({ provider, round: name, walletId });
		const found = await named();
		if ('status' in found) return refused(found.status);
		return await stored.inTurns(found.rounds.map(keyOf), async () => {
			const { rounds = [] } = (await named()) as { rounds?: ProviderRound[] };
			const toReturn = rounds.filter((round) => !round.data.rollbacks.includes(txId));
			const kept = toReturn.map((round) => ({ round, status: whyKept(round, idsOf(round)) }));
			if (kept.some(({ status }) => status === 'ALREADY_SETTLED')) return refused('ALREADY_SETTLED');
			const free = kept.filter(({ status }) => status === null);
			if (free.length === 0 && toReturn.length > 0) return refused('ALREADY_REFUNDED');
			let last = steps.done(keyOf(rounds.at(-1) as ProviderRound), {});
			let received = 0;
			for (const { round } of free) {
				last = await this.#refund(keyOf(round), round, { txId, refTxIds: idsOf(round) });
				if (last.outcome.status !== 'OK') return last;
				received += last.received ?? 0;
			}
			return { ...last, received };
		});
	}

	/** @returns a refusal if the round paid something, because it was played then */
	async #refund(
		key: RoundKey,
		round: ProviderRound,
		{ txId, refTxIds }: { txId: string; refTxIds: readonly string[] },
	): Promise<Decided> {
		const { wallet, rounds, steps } = this.#options;
		const data = round.data;
		const status = whyKept(round, refTxIds);
		if (status) return refused(status, steps.moneyOf(key.walletId));
		const changed = withRefunds(data, txId, refTxIds);
		const payout = data.stake - changed.stake;
		const step = { data: changed, payout, claims: [rounds.rollbackClaim(key, txId)] };
		const isVoid = changed.bets.every(({ isRefunded }) => isRefunded);
		return await steps.submitted({ key, txId, moved: { received: payout } }, () =>
			isVoid ? wallet.rollback(round, round.id, step, {}) : wallet.act(round, round.id, step, {}),
		);
	}

	/**
	 * Claims the id of a bet that never arrived. The claim is ordered with the commands, so a bet in flight comes first.
	 * @returns false if the bet did arrive
	 */
	async #bury(provider: string, { txId, refTxId }: { txId: string; refTxId: string }): Promise<boolean> {
		const { exchange, ledger, rounds } = this.#options;
		const data = { provider, tombstone: refTxId, rollback: txId };
		const claims = [rounds.claimOf(provider, refTxId)];
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
			await exchange.submit({ kind: 'transfer', ...ledger.houseOf(exchange.pools), steps: [step] });
			return true;
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
			const known = await rounds.ofTransaction(provider, refTxId);
			return known !== null && isGrave(known) && known.data.rollback === txId;
		}
	}
}
