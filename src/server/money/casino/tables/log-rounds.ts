/** Chains and rounds of the tables in the public log: what is announced before bets, and what became of each round. */
import type { WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { ChainFacts } from '#server/money/casino/tables/hash-chain.ts';
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';

export interface LoggedRound {
	game: string;
	round: number;
	chain: number;
	position: number;
	phase: 'ENDED' | 'VOID';
	bettorSeeds: readonly string[];
	hash: string | null;
	result: WorkflowValue;
	isInterrupted: boolean;
	/** Of a void round; null for those before there was this column, whose leaves have neither. */
	voidReason: string | null;
	voidResult: WorkflowValue;
}

export const CHAIN_FACTS = `game, number, commitment, length, salt, return_percent as "returnPercent",
	is_development as "isDevelopment", first_round as "firstRound"`;
export const LOGGED_ROUND = `game, round, chain, position, phase, bettor_seeds as "bettorSeeds", hash, result,
	is_interrupted as "isInterrupted", void_reason as "voidReason", void_result as "voidResult"`;

export const chainLeaf = ({ number, ...facts }: ChainFacts): Leaf => ({
	type: 'chain',
	ref: `${facts.game} ${number}`,
	body: { chain: number, ...facts },
});

/** A void round's hash is revealed, too, with the result that it would have had. */
export const roundLeaf = ({ voidReason, voidResult, ...round }: LoggedRound): Leaf => ({
	type: 'round',
	ref: `${round.game} ${round.round}`,
	body: voidReason === null ? { ...round } : { ...round, voidReason, voidResult },
});

/** Chains come first, so that a chain stands before its rounds. Rows that another statement holds come later. */
export const roundLeaves: LeafSource<null> = {
	name: 'round',
	take: async (client) => {
		const chains = await client.query<ChainFacts>(
			`update game_chain set is_logged = true where not is_logged returning ${CHAIN_FACTS}`,
		);
		const rounds = await client.query<LoggedRound>(
			`update table_round set is_logged = true where (game, round) in (
				select game, round from table_round where not is_logged and phase in ('ENDED', 'VOID')
				order by game, round limit ${MOST_AT_ONCE} for update skip locked
			) returning ${LOGGED_ROUND}`,
		);
		const inOrder = rounds.rows.sort((one, other) => one.game.localeCompare(other.game) || one.round - other.round);
		return { leaves: [...chains.rows.map(chainLeaf), ...inOrder.map(roundLeaf)], cursor: null };
	},
};
