/** A market as it was at any time, and its sealed export for a complaint or a regulator. */
import * as v from 'valibot';
import { Side, Timestamp } from '#contract/fields.ts';
import { OnMarket } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const Level = v.object({ price: v.number(), size: v.number() });

export const marketReplay = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	/** Without an instant, the last one. */
	input: v.strictObject({ ...OnMarket.entries, at: v.optional(Timestamp) }),
	response: v.object({
		marketId: v.string(),
		market: v.string(),
		eventId: v.string(),
		event: v.string(),
		at: v.string(),
		/** Of the first and the last thing that is known; null for a market in which nothing happened. */
		from: v.nullable(v.string()),
		to: v.nullable(v.string()),
		/** Instants at which something happened, oldest first; not all of them in a busy market. */
		moments: v.array(v.string()),
		/** Null before the first state that is known. */
		state: v.nullable(v.object({ status: v.string(), inPlay: v.boolean(), version: v.number() })),
		runners: v.array(v.string()),
		/** Bets of players that rested: what a backer could take, and what a layer could. */
		books: v.array(
			v.object({
				pool: v.string(),
				runners: v.array(
					v.object({ back: v.array(Level), lay: v.array(Level), last: v.nullable(v.number()), matched: v.number() }),
				),
			}),
		),
		/** The newest by then, newest first; players are named where the member may see players. */
		bets: v.array(
			v.object({
				betId: v.string(),
				at: v.string(),
				playerId: v.nullable(v.string()),
				runner: v.string(),
				side: Side,
				price: v.number(),
				stake: v.number(),
				matched: v.number(),
				resting: v.number(),
			}),
		),
		/** What happened in play and what operators did, newest first. */
		acts: v.array(v.object({ at: v.string(), who: v.string(), what: v.string() })),
	}),
	summary: 'A market as it was at an instant: state, books, bets, score and operators’ acts.',
});

/** Recorded, although it only reads: the journal keeps the digest of what left the house. */
export const marketExport = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	/** With `persons`, wallets of players are named, for members who may see players; without, each has a number of this file alone. */
	input: v.strictObject({ ...OnMarket.entries, persons: v.optional(v.boolean(), false) }),
	response: v.object({
		/** JSON lines, an empty line, the manifest, and its signature. */
		file: v.string(),
		/** Of the file's bytes in hexadecimal digits; the journal has it in the act MARKET_EXPORTED. */
		sha256: v.string(),
		exportedAt: v.string(),
	}),
	summary: 'Everything about a market as a signed file, whose digest the journal keeps.',
});
