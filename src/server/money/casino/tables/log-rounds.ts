/** Chains and rounds of the tables in the public log: what is announced before bets, and what became of each round. */
import type { WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import { CHAIN_FACTS, type ChainFacts } from '#server/money/casino/tables/hash-chain.ts';
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
	/** Null in a chain without a beacon. */
	beaconRound: number | null;
	beaconSignature: string | null;
}

/** A round that takes bets. */
export interface AnnouncedRound {
	game: string;
	round: number;
	chain: number;
	position: number;
	beaconRound: number;
}

export const ANNOUNCED_ROUND = `game, round, chain, position, beacon_round as "beaconRound"`;
export const LOGGED_ROUND = `game, round, chain, position, phase, bettor_seeds as "bettorSeeds", hash, result,
	is_interrupted as "isInterrupted", void_reason as "voidReason", void_result as "voidResult",
	beacon_round as "beaconRound", beacon_signature as "beaconSignature"`;

const UNANNOUNCED = 'not is_announced and beacon_round is not null';
const UNLOGGED = `not is_logged and phase in ('ENDED', 'VOID') and (is_announced or beacon_round is null)`;

/** With a beacon, the leaf has the round that will give the salt: the salt itself is not known yet. */
export function chainLeaf(chain: ChainFacts): Leaf {
	const { game, number, commitment, length, returnPercent, isDevelopment, firstRound } = chain;
	const { beacon, salt, saltRound, replaced } = chain;
	const salted = beacon ? { beacon: { ...beacon }, saltRound, replaced } : { salt };
	const body = { chain: number, game, commitment, length, returnPercent, isDevelopment, firstRound, ...salted };
	return { type: 'chain', ref: `${game} ${number}`, body };
}

/** Before its beacon's value: no other round of the beacon can be taken afterwards. */
export const bettingLeaf = (announced: AnnouncedRound): Leaf => ({
	type: 'betting',
	ref: `${announced.game} ${announced.round}`,
	body: { ...announced },
});

/** A void round's hash is revealed, too, with the result that it would have had. */
export function roundLeaf(logged: LoggedRound): Leaf {
	const { voidReason, voidResult, beaconRound, beaconSignature, ...round } = logged;
	const voided = voidReason === null ? {} : { voidReason, voidResult };
	const beacon = beaconRound === null ? {} : { beacon: { round: beaconRound, signature: beaconSignature } };
	return { type: 'round', ref: `${round.game} ${round.round}`, body: { ...round, ...voided, ...beacon } };
}

/** Chains come first, then rounds that take bets, so that announcements stand before results. Rows that another statement holds come later. */
export const roundLeaves: LeafSource<null> = {
	name: 'round',
	waiting: `exists (select from game_chain where not is_logged)
		or exists (select from table_round where ${UNANNOUNCED}) or exists (select from table_round where ${UNLOGGED})`,
	take: async (client) => {
		const chains = await client.query<ChainFacts>(
			`update game_chain set is_logged = true where not is_logged returning ${CHAIN_FACTS}`,
		);
		const announced = await client.query<AnnouncedRound>(
			`update table_round set is_announced = true where (game, round) in (
				select game, round from table_round where ${UNANNOUNCED}
				order by game, round limit ${MOST_AT_ONCE} for update skip locked
			) returning ${ANNOUNCED_ROUND}`,
		);
		const rounds = await client.query<LoggedRound>(
			`update table_round set is_logged = true where (game, round) in (
				select game, round from table_round where ${UNLOGGED}
				order by game, round limit ${MOST_AT_ONCE} for update skip locked
			) returning ${LOGGED_ROUND}`,
		);
		const inOrder = rounds.rows.sort((one, other) => one.game.localeCompare(other.game) || one.round - other.round);
		const leaves = [...chains.rows.map(chainLeaf), ...announced.rows.map(bettingLeaf), ...inOrder.map(roundLeaf)];
		return { leaves, cursor: null };
	},
};
