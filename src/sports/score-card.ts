/**
 * Score cards, a shape for each sport. The server adds the fixture's id; the contract's schema states the same shapes for
 * the wire, and the compiler compares them where the server stores a score.
 */

/** A jockey's colours. */
export interface Silks {
	pattern: 'PLAIN' | 'HOOPS' | 'STRIPES' | 'SASH' | 'DIAMONDS' | 'SPOTS';
	body: string;
	mark: string;
	sleeves: string;
	cap: string;
}

interface Card {
	/** Rises with each change. */
	version: number;
	/** The state of play in words, such as "Half time". */
	note: string;
}
type State = 'PRE_MATCH' | 'IN_PLAY' | 'BREAK' | 'FINISHED';
/** Index of one of two sides. */
type Side = 0 | 1;

export interface CricketCard extends Card {
	sport: 'cricket';
	state: 'PRE_MATCH' | 'IN_PLAY' | 'INNINGS_BREAK' | 'FINISHED';
	maxOvers: number;
	currentInnings: number;
	innings: { team: string; runs: number; wickets: number; overs: string; target: number | null }[];
	batters: { name: string; runs: number; balls: number; fours: number; sixes: number; onStrike: boolean }[];
	bowler: { name: string; overs: string; runs: number; wickets: number } | null;
	/** Labels such as "1", "4", "W", "wd" and "•", oldest first. */
	recentBalls: { over: string; label: string; runs: number; wicket: boolean }[];
	/** Of each innings begun, runs and wickets by over. */
	overs?: { runs: number; wickets: number }[][];
	/** The scoring shots of this innings: where they went, in degrees clockwise from behind the bowler, and their runs. */
	shots?: { angle: number; runs: number }[];
	/** Since the last wicket. */
	partnership?: { runs: number; balls: number };
}

export interface FootballCard extends Card {
	sport: 'football';
	state: State;
	half: 1 | 2;
	/** Minutes on the referee's clock, 45 or 90 at most, and the minutes beyond. */
	minute: number;
	addedMinute: number;
	teams: { name: string; goals: number; yellowCards: number; redCards: number }[];
	/** The state of play for a tracker to draw. */
	play?: {
		/** Who has the ball, in which fifth of the pitch (0 is before the first side's goal), and how near it is to a goal. */
		side: Side;
		zone: number;
		kind: 'POSSESSION' | 'ATTACK' | 'DANGER';
		shots: number[];
		onTarget: number[];
		corners: number[];
		/** Of the last minutes, from -1 (the second side presses) to 1, oldest first. */
		momentum: number[];
	};
	/** Newest first; `minute` is such as "12" or "45+2". */
	incidents: { minute: string; kind: 'GOAL' | 'YELLOW_CARD' | 'RED_CARD'; team: Side; player: string }[];
}

export interface TennisCard extends Card {
	sport: 'tennis';
	state: State;
	bestOf: number;
	tieBreak: boolean;
	players: {
		name: string;
		sets: number;
		/** One count for each set begun. */
		games: number[];
		/** "0", "15", "30", "40", "A"; the count in a tie-break. */
		points: string;
		serving: boolean;
	}[];
	/** Winners of the last points, newest last. */
	recentPoints: Side[];
	/** Where the last serve went. */
	lastServe?: 'WIDE' | 'BODY' | 'T';
}

export interface KabaddiCard extends Card {
	sport: 'kabaddi';
	state: State;
	half: 1 | 2;
	secondsLeft: number;
	teams: { name: string; points: number; onMat: number; allOuts: number }[];
	/** The side that raids next. */
	raiding: Side;
	/** Newest first. */
	raids: {
		team: Side;
		raider: string;
		kind: 'EMPTY' | 'RAID' | 'SUPER_RAID' | 'TACKLE' | 'SUPER_TACKLE';
		/** Of the raiding side and the other side, the points of an all-out included. */
		points: number[];
		allOut: boolean;
	}[];
}

export interface RacingCard extends Card {
	sport: 'horseRacing';
	state: 'PRE_MATCH' | 'AT_THE_POST' | 'IN_PLAY' | 'FINISHED';
	distanceMetres: number;
	going: string;
	/** By number. */
	runners: {
		runnerId: string;
		number: number;
		name: string;
		jockey: string;
		/** The stall, in flat races. */
		draw?: number;
		silks: Silks;
		status: 'RUNNER' | 'NON_RUNNER' | 'FELL';
		/** 0 before the off, for a non-runner and for a horse that fell. */
		position: number;
		/** Metres run. */
		metres: number;
		/** Time at the post; null before. */
		seconds: number | null;
	}[];
}

export interface TradeCard extends Card {
	sport: 'trade';
	state: State;
	instrument: string;
	unit: string;
	openLevel: number;
	level: number;
	/** Ticks still to come before the level counts. */
	ticksLeft: number;
	/** Levels from the open on, oldest first. */
	history: number[];
}

export type ScoreCard = CricketCard | FootballCard | TennisCard | KabaddiCard | RacingCard | TradeCard;
