/** Score cards, one shape for each sport, and the ways to watch an event. */
import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Silks } from '#contract/calls/market.ts';
import { Id, MarketStatus } from '#contract/fields.ts';

/** Fields of every card. */
const Card = {
	eventId: Id,
	/** Rises with each change; an older score never overwrites a newer one. */
	version: v.number(),
	/** The state of play in words: "Ball in progress", "Netherlands won the toss and bat". */
	note: v.string(),
};
const State = v.picklist(['PRE_MATCH', 'IN_PLAY', 'BREAK', 'FINISHED', 'ABANDONED']);
/** Index of one of two sides. */
const Side = v.picklist([0, 1]);

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
	...Card,
	state: v.picklist(['PRE_MATCH', 'IN_PLAY', 'INNINGS_BREAK', 'FINISHED', 'ABANDONED']),
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
	/** Runs and wickets by over, for each innings begun. */
	overs: v.optional(v.array(v.array(v.object({ runs: v.number(), wickets: v.number() })))),
	/** The scoring shots of this innings: degrees clockwise from behind the bowler, and runs. */
	shots: v.optional(v.array(v.object({ angle: v.number(), runs: v.number() }))),
	/** Since the last wicket. */
	partnership: v.optional(v.object({ runs: v.number(), balls: v.number() })),
});

export const FootballScore = v.object({
	sport: v.literal('football'),
	...Card,
	state: State,
	half: v.picklist([1, 2]),
	/** Minutes of play as the referee counts them, 45 or 90 at most, and stoppage time. */
	minute: v.number(),
	addedMinute: v.number(),
	teams: v.array(v.object({ name: v.string(), goals: v.number(), yellowCards: v.number(), redCards: v.number() })),
	/** The state of play for a tracker; not every feed has it. */
	play: v.optional(
		v.object({
			/** The side with the ball. */
			side: Side,
			/** The fifth of the pitch with the ball; 0 is before the first side's goal. */
			zone: v.number(),
			kind: v.picklist(['POSSESSION', 'ATTACK', 'DANGER']),
			shots: v.array(v.number()),
			onTarget: v.array(v.number()),
			corners: v.array(v.number()),
			/** Of the last minutes, from -1 (the second side presses) to 1, oldest first. */
			momentum: v.array(v.number()),
		}),
	),
	/** Newest first. */
	incidents: v.array(
		v.object({
			/** "12", "45+2". */
			minute: v.string(),
			kind: v.picklist(['GOAL', 'YELLOW_CARD', 'RED_CARD']),
			team: Side,
			player: v.string(),
		}),
	),
});

export const TennisScore = v.object({
	sport: v.literal('tennis'),
	...Card,
	state: State,
	bestOf: v.number(),
	tieBreak: v.boolean(),
	players: v.array(
		v.object({
			name: v.string(),
			sets: v.number(),
			/** Of each set begun. */
			games: v.array(v.number()),
			/** "0", "15", "30", "40", "A"; the count in a tie-break. */
			points: v.string(),
			serving: v.boolean(),
		}),
	),
	/** Winners of the last points, newest last. */
	recentPoints: v.array(Side),
	/** Where the last serve went. */
	lastServe: v.optional(v.picklist(['WIDE', 'BODY', 'T'])),
});

export const KabaddiScore = v.object({
	sport: v.literal('kabaddi'),
	...Card,
	state: State,
	half: v.picklist([1, 2]),
	secondsLeft: v.number(),
	teams: v.array(v.object({ name: v.string(), points: v.number(), onMat: v.number(), allOuts: v.number() })),
	/** The side that raids next. */
	raiding: Side,
	/** Newest first. */
	raids: v.array(
		v.object({
			team: Side,
			raider: v.string(),
			kind: v.picklist(['EMPTY', 'RAID', 'SUPER_RAID', 'TACKLE', 'SUPER_TACKLE']),
			/** For the raiding side and the other, the points of an all-out included. */
			points: v.array(v.number()),
			allOut: v.boolean(),
		}),
	),
});

export const RacingScore = v.object({
	sport: v.literal('horseRacing'),
	...Card,
	state: v.picklist(['PRE_MATCH', 'AT_THE_POST', 'IN_PLAY', 'FINISHED', 'ABANDONED']),
	distanceMetres: v.number(),
	going: v.string(),
	/** By number; `position` is 0 before the off, for a non-runner and for one that fell. */
	runners: v.array(
		v.object({
			runnerId: Id,
			number: v.number(),
			name: v.string(),
			jockey: v.string(),
			/** The stall, in flat races. */
			draw: v.optional(v.number()),
			silks: Silks,
			status: v.picklist(['RUNNER', 'NON_RUNNER', 'FELL']),
			position: v.number(),
			/** Metres run. */
			metres: v.number(),
			/** Time over the line. */
			seconds: v.nullable(v.number()),
		}),
	),
});

export const TradeScore = v.object({
	sport: v.literal('trade'),
	...Card,
	state: State,
	instrument: v.string(),
	unit: v.string(),
	openLevel: v.number(),
	level: v.number(),
	/** Ticks left before the level counts. */
	ticksLeft: v.number(),
	/** Levels since the open, oldest first. */
	history: v.array(v.number()),
});

export const ScoreCard = v.variant('sport', [
	CricketScore,
	FootballScore,
	TennisScore,
	KabaddiScore,
	RacingScore,
	TradeScore,
]);

export const getScoreCard = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/services/app/Sport/GetScoreCard',
	auth: 'optional',
	quiet: true,
	summary: 'The score of an event in its sport’s own shape; null before there is one.',
	request: v.object({ eventId: Id }),
	response: v.nullable(ScoreCard),
});

export const getVideoLink = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/services/app/Sport/GetVideoLink',
	auth: 'optional',
	quiet: true,
	summary: 'How an event can be watched: a stream, a tracker drawn from its score, or not at all.',
	request: v.object({ eventId: Id }),
	response: v.object({ kind: v.picklist(['HLS', 'TRACKER', 'NONE']), url: v.optional(v.string()) }),
});

export const getTvStream = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/services/app/Sport/GetTvStream',
	auth: 'optional',
	quiet: true,
	summary: 'The address of an event’s stream, in HLS; null without one.',
	request: v.object({ eventId: Id }),
	response: v.object({ url: v.nullable(v.string()) }),
});

export const getScoreSession = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/services/app/Sport/GetScoreSession',
	auth: 'optional',
	quiet: true,
	summary: 'The score of an event, and its sessions: the fancies on what it comes to.',
	request: v.object({ eventId: Id }),
	response: v.object({
		score: v.nullable(ScoreCard),
		sessions: v.array(
			v.object({
				marketId: Id,
				name: v.string(),
				status: MarketStatus,
				/** Rising; their rates are in the market’s odds. */
				lines: v.array(v.number()),
			}),
		),
	}),
});
