import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id } from '#contract/fields.ts';

const Batter = v.object({
	name: v.string(),
	runs: v.number(),
	balls: v.number(),
	fours: v.number(),
	sixes: v.number(),
	onStrike: v.boolean(),
});
const Bowler = v.object({ name: v.string(), overs: v.string(), runs: v.number(), wickets: v.number() });

/** A ball as the over's strip shows it: "1", "4", "W", "wd", "•". */
const Ball = v.object({ over: v.string(), label: v.string(), runs: v.number(), wicket: v.boolean() });

export const CricketScore = v.object({
	sport: v.literal('cricket'),
	eventId: Id,
	/** Rises with each change; an older score never overwrites a newer. */
	version: v.number(),
	state: v.picklist(['PRE_MATCH', 'IN_PLAY', 'INNINGS_BREAK', 'FINISHED', 'ABANDONED']),
	/** What goes on, in words: "Ball in progress", "Netherlands won the toss and bat". */
	note: v.string(),
	maxOvers: v.number(),
	currentInnings: v.number(),
	innings: v.array(
		v.object({
			team: v.string(),
			runs: v.number(),
			wickets: v.number(),
			overs: v.string(),
			target: v.nullable(v.number()),
		}),
	),
	batters: v.array(Batter),
	bowler: v.nullable(Bowler),
	recentBalls: v.array(Ball),
});

export const getScoreCard = defineCall({
	method: 'GET',
	path: 'api/services/app/Sport/GetScoreCard',
	auth: 'optional',
	quiet: true,
	summary: 'The score of an event in its sport’s own shape; null before there is one.',
	request: v.object({ eventId: Id }),
	response: v.nullable(CricketScore),
});
