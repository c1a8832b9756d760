/** A provider's rounds as workflows: what one knows, and where it is found. */
import type pg from 'pg';
import type { GameSeat } from '#server/casino/providers/game-sessions.ts';
import type { OpenRound } from '#server/casino/providers/wallet-request.ts';
import { retryFaults } from '#server/db/database-fault.ts';
import { storedWorkflows, workflowsByKey } from '#server/exchange/stored-workflows.ts';
import type { RoundAtRisk, Workflow, WorkflowData } from '#server/exchange/workflow.ts';
import { Turns } from '#server/turns.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** A round of a player; the provider may use one name for several players. */
export interface RoundKey {
	provider: string;
	round: string;
	walletId: WalletId;
}

export interface ProviderBet extends WorkflowData {
	txId: string;
	/** Paise. */
	stake: AnyPaise;
	payout: AnyPaise;
	isRefunded: boolean;
	/** Of the provider, where it paid for the bet. */
	campaign?: string;
}

/** The data of such a round's workflow. */
export interface ProviderRoundData extends WorkflowData {
	/** The game's code in the lobby. */
	game: string;
	provider: string;
	providerRound: string;
	bets: readonly ProviderBet[];
	/** Without stakes that were given back. */
	stake: AnyPaise;
	payout: AnyPaise;
	/** Transactions that paid, and the bets that they paid for. */
	wins: readonly string[];
	wonBets: readonly string[];
	rollbacks: readonly string[];
	/** How far it has come, in the provider's words; null where it does not say. */
	event: string | null;
	/** Not a round but a gift of the player's, which is its only bet. */
	isTip?: true;
}

export const dataOf = (round: Pick<Workflow, 'data'>): ProviderRoundData => round.data as ProviderRoundData;

/** Whether a workflow is a provider's round, or the grave of a bet that never came. */
export const isOfProvider = ({ data }: Pick<Workflow, 'data'>): boolean => data['provider'] !== undefined;

export const betIn = (round: Pick<Workflow, 'data'>, txId: string): ProviderBet | undefined =>
	dataOf(round).bets?.find((bet) => bet.txId === txId);

export const emptyRound = ({ provider, round }: RoundKey, game: string): ProviderRoundData => ({
	game,
	provider,
	providerRound: round,
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

export const withPayout = (
	data: ProviderRoundData,
	{ txId, refTxId, payout }: { txId: string; refTxId: string | null; payout: AnyPaise },
): ProviderRoundData => ({
	...data,
	bets: data.bets.map((bet) => (bet.txId === refTxId ? { ...bet, payout: bet.payout + payout } : bet)),
	payout: data.payout + payout,
	wins: [...data.wins, txId],
	wonBets: refTxId === null ? data.wonBets : [...data.wonBets, refTxId],
});

export function withRefunds(data: ProviderRoundData, txId: string, refTxIds: readonly string[]): ProviderRoundData {
	const bets = data.bets.map((bet) => (refTxIds.includes(bet.txId) ? { ...bet, isRefunded: true } : bet));
	const standing = bets.filter(({ isRefunded }) => !isRefunded);
	const stake = standing.reduce((sum, bet) => sum + bet.stake, 0);
	return { ...data, bets, stake, rollbacks: [...data.rollbacks, txId] };
}

/** A provider's bets of a round may be on anything, so each that stands may be lost; a free bet risks nothing. */
export const atRiskIn = ({ game, stake }: ProviderRoundData): RoundAtRisk => ({ game, round: null, amount: stake });

/** Read from the tables, which have what is durable; acts on a round take turns, and each is durable before the next. */
export class ProviderRounds {
	readonly #db: pg.Pool;
	readonly #turns = new Turns();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** The name that a transaction takes once for ever. */
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

	/** Holds the turns of several rounds at once. @param keys those of one name, as `named` orders them */
	inTurns<Result>(keys: readonly RoundKey[], act: () => Promise<Result>): Promise<Result> {
		return keys.reduceRight<() => Promise<Result>>((next, key) => () => this.inTurn(key, next), act)();
	}

	async find({ provider, round, walletId }: RoundKey): Promise<Workflow | null> {
		return (await this.named(provider, round)).find((workflow) => workflow.walletId === walletId) ?? null;
	}

	/** The rounds of that name, one for each player. */
	named(provider: string, round: string): Promise<Workflow[]> {
		const condition = `kind = 'CASINO' and data->>'provider' = $1 and data->>'providerRound' = $2`;
		return retryFaults(() => storedWorkflows(this.#db, condition, [provider, round]));
	}

	/** A provider's round by our own id; null for another one, and for the grave of a bet that never came. */
	async byId(id: number): Promise<Workflow | null> {
		const [workflow] = await retryFaults(() => workflowsByKey(this.#db, [{ kind: 'CASINO', id }]));
		return workflow && isOfProvider(workflow) && workflow.walletId !== 0 ? workflow : null;
	}

	/** The latest round of the player in the game that goes on. */
	async latestOpen({
		provider,
		game,
		walletId,
	}: Pick<GameSeat, 'provider' | 'game' | 'walletId'>): Promise<OpenRound | null> {
		const condition = `kind = 'CASINO' and is_open and wallet_id = $1 and data->>'provider' = $2 and data->>'game' = $3`;
		const rounds = await retryFaults(() => storedWorkflows(this.#db, condition, [walletId, provider, game]));
		const latest = rounds.at(-1);
		if (!latest) return null;
		const { providerRound: name, stake, event } = dataOf(latest);
		return { name, stake, event };
	}

	/** The round of a bet; its wallet is 0 where the bet was refused for ever. Null for an id that never came. */
	async ofTransaction(provider: string, txId: string): Promise<Workflow | null> {
		const id = await this.claimed(provider, txId);
		if (id === null) return null;
		const [workflow] = await retryFaults(() => workflowsByKey(this.#db, [{ kind: 'CASINO', id }]));
		return workflow ?? null;
	}

	/** The workflow that has the transaction; null when none has. */
	async claimed(provider: string, txId: string): Promise<number | null> {
		const { rows } = await retryFaults(() =>
			this.#db.query<{ id: number }>('select id from workflow_claim where name = $1', [this.claimOf(provider, txId)]),
		);
		return rows[0]?.id ?? null;
	}
}
