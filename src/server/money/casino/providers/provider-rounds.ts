/** A provider's rounds as workflows: their data and their look-ups. */
import type pg from 'pg';
import type { CasinoWorkflow, RoundAtRisk } from '#server/exchange/order/workflow.ts';
import type {
	GraveData,
	ProviderBet,
	ProviderPayment,
	ProviderRoundData,
	RoundTerms,
} from '#server/exchange/order/workflow-data.ts';
import { storedWorkflows, workflowsByKey } from '#server/exchange/recovery/stored-workflows.ts';
import type { GameSeat } from '#server/money/casino/providers/game-sessions.ts';
import { HOUSE_TERMS } from '#server/money/casino/providers/round-terms.ts';
import type { OpenRound } from '#server/money/casino/providers/wallet-request.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** A round of a player; the provider may use one name for several players. */
export interface RoundKey {
	provider: string;
	round: string;
	walletId: WalletId;
}

/** The workflow of a provider's round. */
export type ProviderRound = CasinoWorkflow<ProviderRoundData>;

export const isOfProvider = (workflow: CasinoWorkflow): workflow is ProviderRound => 'providerRound' in workflow.data;

/** The tombstone of a bet that never arrived. */
type Grave = CasinoWorkflow<GraveData>;

export const isGrave = (workflow: CasinoWorkflow): workflow is Grave => 'tombstone' in workflow.data;

export const betIn = (round: ProviderRound, txId: string): ProviderBet | undefined =>
	round.data.bets.find((bet) => bet.txId === txId);

export const paymentIn = (round: ProviderRound, txId: string): ProviderPayment | undefined =>
	round.data.payments?.find((payment) => payment.txId === txId);

/** The bets that were not rolled back. */
export const standingIn = (data: ProviderRoundData): readonly ProviderBet[] =>
	data.bets.filter(({ isRefunded }) => !isRefunded);

export const termsIn = ({ terms = HOUSE_TERMS }: ProviderRoundData): RoundTerms => terms;

/** The payout of the round for bets without a stake. */
export const freePayoutOf = ({ bets }: ProviderRoundData): AnyMinor =>
	bets.reduce((sum, { stake, payout }) => sum + (stake === 0 ? payout : 0), 0);

export const emptyRound = (
	{ provider, round }: RoundKey,
	{ game, terms }: { game: string; terms: RoundTerms },
): ProviderRoundData => ({
	game,
	provider,
	providerRound: round,
	terms,
	bets: [],
	stake: 0,
	payout: 0,
	wins: [],
	wonBets: [],
	rollbacks: [],
	event: null,
});

export const withBet = (data: ProviderRoundData, bet: ProviderBet): ProviderRoundData => ({
	...data,
	bets: [...data.bets, bet],
	stake: data.stake + bet.stake,
	payout: data.payout + bet.payout,
});

/** A win. A win for several bets is shown with the first of them that has a stake. */
export function withPayout(
	data: ProviderRoundData,
	{ txId, refTxIds, payout }: { txId: string; refTxIds: readonly string[]; payout: AnyMinor },
): ProviderRoundData {
	const payment = { txId, refTxIds, amount: payout, isTakenBack: false };
	return {
		...data,
		bets: paidTo(data.bets, refTxIds, payout),
		payout: data.payout + payout,
		wins: [...data.wins, txId],
		wonBets: [...data.wonBets, ...refTxIds],
		payments: [...(data.payments ?? []), payment],
	};
}

/** A reversed win: its bets have not won by it. */
export function withTakenBack(data: ProviderRoundData, txId: string, taken: ProviderPayment): ProviderRoundData {
	const payments = (data.payments ?? []).map((one) => (one.txId === taken.txId ? { ...one, isTakenBack: true } : one));
	const paidFor = new Set(payments.flatMap(({ isTakenBack, refTxIds }) => (isTakenBack ? [] : refTxIds)));
	return {
		...data,
		bets: paidTo(data.bets, taken.refTxIds, -taken.amount),
		payout: data.payout - taken.amount,
		wonBets: data.wonBets.filter((id) => paidFor.has(id) || !taken.refTxIds.includes(id)),
		payments,
		rollbacks: [...data.rollbacks, txId],
	};
}

function paidTo(bets: readonly ProviderBet[], refTxIds: readonly string[], amount: AnyMinor): ProviderBet[] {
	const named = bets.filter(({ txId }) => refTxIds.includes(txId));
	const shown = named.find(({ stake }) => stake > 0) ?? named[0];
	return bets.map((bet) => (bet === shown ? { ...bet, payout: bet.payout + amount } : bet));
}

export function withRefunds(data: ProviderRoundData, txId: string, refTxIds: readonly string[]): ProviderRoundData {
	const bets = data.bets.map((bet) => (refTxIds.includes(bet.txId) ? { ...bet, isRefunded: true } : bet));
	const stake = standingIn({ ...data, bets }).reduce((sum, bet) => sum + bet.stake, 0);
	return { ...data, bets, stake, rollbacks: [...data.rollbacks, txId] };
}

/** A provider's bets of a round may be on anything, so each open one may be lost; a free bet risks nothing. */
export const atRiskIn = ({ game, stake }: ProviderRoundData): RoundAtRisk => ({ game, round: null, amount: stake });

/** Read from the tables, which hold durable state; acts on a round take turns, and each is durable before the next. */
export class ProviderRounds {
	readonly #db: pg.Pool;
	readonly #turns = new Turns();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** The name that a transaction claims permanently. */
	claimOf(provider: string, txId: string): string {
		return `game-tx:${provider}:${txId}`;
	}

	/** A rollback of a round with several players is one transaction for each of them. */
	rollbackClaim({ provider, walletId }: RoundKey, txId: string): string {
		return `game-rollback:${provider}:${walletId}:${txId}`;
	}

	roundClaim({ provider, round, walletId }: RoundKey): string {
		return `game-round:${provider}:${walletId}:${round}`;
	}

	inTurn<Result>(key: RoundKey, act: () => Promise<Result>): Promise<Result> {
		return this.#turns.take(this.roundClaim(key), act);
	}

	/** Holds the turns of several rounds at once. */
	inTurns<Result>(keys: readonly RoundKey[], act: () => Promise<Result>): Promise<Result> {
		return this.#turns.takeAll(
			keys.map((key) => this.roundClaim(key)),
			act,
		);
	}

	async find({ provider, round, walletId }: RoundKey): Promise<ProviderRound | null> {
		return (await this.named(provider, round)).find((workflow) => workflow.walletId === walletId) ?? null;
	}

	/** The rounds of that name, one for each player. */
	named(provider: string, round: string): Promise<ProviderRound[]> {
		return this.#stored(`data->>'provider' = $1 and data->>'providerRound' = $2`, [provider, round]);
	}

	/** A provider's round by our own id; null for other rounds, and for the tombstone of a bet that never arrived. */
	async byId(id: number): Promise<ProviderRound | null> {
		const [workflow] = await retryFaults(() => workflowsByKey(this.#db, [{ kind: 'CASINO', id }]));
		return workflow && isOfProvider(workflow) ? workflow : null;
	}

	/** The player's latest open round in the game. */
	async latestOpen({
		provider,
		game,
		walletId,
	}: Pick<GameSeat, 'provider' | 'game' | 'walletId'>): Promise<OpenRound | null> {
		const where = `is_open and wallet_id = $1 and data->>'provider' = $2 and data->>'game' = $3`;
		const rounds = await this.#stored(where, [walletId, provider, game]);
		const latest = rounds.at(-1);
		if (!latest) return null;
		const { providerRound: name, stake, event } = latest.data;
		return { name, stake, event };
	}

	async #stored(where: string, values: readonly unknown[]): Promise<ProviderRound[]> {
		const query = { kind: 'CASINO', where, values } as const;
		return (await retryFaults(() => storedWorkflows(this.#db, query))).filter(isOfProvider);
	}

	/** The round of a bet, or the tombstone of a permanently refused one. Null for an unknown id. */
	async ofTransaction(provider: string, txId: string): Promise<ProviderRound | Grave | null> {
		const id = await this.claimed(provider, txId);
		if (id === null) return null;
		const [workflow] = await retryFaults(() => workflowsByKey(this.#db, [{ kind: 'CASINO', id }]));
		return workflow && (isOfProvider(workflow) || isGrave(workflow)) ? workflow : null;
	}

	/** The workflow that has the transaction; null for none. */
	async claimed(provider: string, txId: string): Promise<number | null> {
		const { rows } = await retryFaults(() =>
			this.#db.query<{ id: number }>('select id from workflow_claim where name = $1', [this.claimOf(provider, txId)]),
		);
		return rows[0]?.id ?? null;
	}
}
