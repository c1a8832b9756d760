import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { CrashChain } from '#contract/calls/crash.ts';

/** A leaf of the public log: `/public-log/{log}/`, and its place in the tree, from 0. */
const LogPlace = v.object({ log: v.number(), entry: v.number() });

/** A bet of the pay table, as if it had been made once in every round. */
const BetCount = v.object({
	bet: v.string(),
	/** In which the bet was possible. */
	rounds: v.number(),
	/** How many of them paid each prize, in the order of the game's definition. */
	wins: v.array(v.number()),
});

const FairGame = v.object({
	game: v.string(),
	/** Ended rounds of all players and pools, without void ones. */
	rounds: v.number(),
	/** RESTART, BEACON, CLOCK: as in getCrashRound · ABANDONED: its player left it without a decision. */
	voids: v.array(v.object({ reason: v.string(), rounds: v.number() })),
	bets: v.array(BetCount),
	/**
	 * Newest first: chains of the last hundred rounds, and those that are announced for later ones. A round takes its hash
	 * from the first of them that begins by then. Empty for games of one player, and before the first round.
	 */
	chains: v.array(v.object({ ...CrashChain.entries, leaf: v.nullable(LogPlace), isAhead: v.boolean() })),
	/** How many chains were left before their end, by the reason that their successors give: BEACON, LATE, UNSALTED. */
	replaced: v.array(v.object({ reason: v.string(), chains: v.number() })),
	/** The last hundred shared rounds: places of their leaves in the newest log, oldest first. */
	newest: v.array(v.number()),
	/** Places of the leaves with which those rounds were announced; none for rounds of chains without a beacon. */
	announced: v.array(v.number()),
});

export const getFairness = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetFairness',
	auth: 'none',
	quiet: true,
	summary:
		'How often the bets of each game were paid, its void rounds, its chain, and where the public log has its last rounds. A few seconds old.',
	request: v.object({}),
	response: v.object({
		/** The newest public log with its key and its signed checkpoint; null before the first. */
		log: v.nullable(v.object({ log: v.number(), key: v.string(), size: v.number(), checkpoint: v.string() })),
		games: v.array(FairGame),
	}),
});
