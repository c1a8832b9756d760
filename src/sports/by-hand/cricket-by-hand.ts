/** Cricket by hand, ball by ball: runs, extras and wickets of two innings. */
import { ahead, beforePlay, changedAt, type ScoredByHand } from '#sports/by-hand/scored-by-hand.ts';
import type { CricketCard } from '#sports/score-card.ts';

const BALLS_AN_OVER = 6;
const WICKETS = 10;
const RECENT_BALLS = 12;

/** What a ball adds, and how the strip of balls shows it. */
interface Ball {
	runs: number;
	isWicket: boolean;
	/** A wide or a no ball is bowled again. */
	isLegal: boolean;
	label: string;
}

const EXTRAS: Readonly<Record<string, Ball>> = {
	WIDE: { runs: 1, isWicket: false, isLegal: false, label: 'wd' },
	NO_BALL: { runs: 1, isWicket: false, isLegal: false, label: 'nb' },
	WICKET: { runs: 0, isWicket: true, isLegal: true, label: 'W' },
};

function ballOf(act: string): Ball | null {
	const runs = /^RUNS_(\d)$/.exec(act)?.[1];
	if (runs === undefined) return EXTRAS[act] ?? null;
	return { runs: Number(runs), isWicket: false, isLegal: true, label: runs === '0' ? '•' : runs };
}

const ballsIn = (overs: string): number => {
	const [whole = 0, balls = 0] = overs.split('.').map(Number);
	return whole * BALLS_AN_OVER + balls;
};
const oversOf = (balls: number): string => `${Math.floor(balls / BALLS_AN_OVER)}.${balls % BALLS_AN_OVER}`;

type Innings = CricketCard['innings'][number];

const hasEnded = ({ runs, wickets, overs, target }: Innings, maxOvers: number): boolean =>
	wickets >= WICKETS || ballsIn(overs) >= maxOvers * BALLS_AN_OVER || (target !== null && runs >= target);

/** Opens an innings: the first, or that of the other side. */
function batsNow(card: CricketCard, team: string): CricketCard | null {
	const [first] = card.innings;
	if (card.state === 'IN_PLAY' && !first)
		return { ...card, innings: [inningsOf(team, null)], note: `${team} bat first` };
	if (card.state !== 'INNINGS_BREAK' || !first || first.team === team || card.innings.length > 1) return null;
	const target = first.runs + 1;
	return {
		...card,
		state: 'IN_PLAY',
		currentInnings: 2,
		innings: [first, inningsOf(team, target)],
		recentBalls: [],
		note: `${team} need ${target}`,
	};
}

const inningsOf = (team: string, target: number | null): Innings => ({
	team,
	runs: 0,
	wickets: 0,
	overs: '0.0',
	target,
});

export const cricketByHand: ScoredByHand<CricketCard> = {
	begin: (_, { overs }) => ({
		sport: 'cricket',
		...beforePlay(),
		maxOvers: overs,
		currentInnings: 1,
		innings: [],
		batters: [],
		bowler: null,
		recentBalls: [],
	}),
	after: (card, { act, side, sides }) => {
		if (act === 'BATS') return side === null ? null : batsNow(card, sides[side]);
		const at = card.currentInnings - 1;
		const innings = card.innings[at];
		const ball = ballOf(act);
		if (card.state !== 'IN_PLAY' || !innings || !ball || hasEnded(innings, card.maxOvers)) return null;
		const balls = ballsIn(innings.overs);
		const now: Innings = {
			...innings,
			runs: innings.runs + ball.runs,
			wickets: innings.wickets + (ball.isWicket ? 1 : 0),
			overs: oversOf(balls + (ball.isLegal ? 1 : 0)),
		};
		const { runs, label, isWicket: wicket } = ball;
		const bowled = { over: String(Math.floor(balls / BALLS_AN_OVER) + 1), label, runs, wicket };
		const endsNow = hasEnded(now, card.maxOvers);
		return {
			...card,
			state: endsNow ? 'INNINGS_BREAK' : 'IN_PLAY',
			innings: changedAt(card.innings, at, () => now),
			recentBalls: [...card.recentBalls, bowled].slice(-RECENT_BALLS),
			note: endsNow ? 'Innings over' : wicket ? `Wicket, ${now.team} ${now.runs}/${now.wickets}` : `${now.team} bat`,
		};
	},
	line: ({ innings }) =>
		innings.map(({ team, runs, wickets, overs }) => `${team} ${runs}/${wickets} (${overs})`).join(' · '),
	outcome: ({ innings, maxOvers }, sides) => {
		const runsOf = (side: string) => innings.find(({ team }) => team === side)?.runs ?? 0;
		const totals = [runsOf(sides[0]), runsOf(sides[1])] as const;
		const chase = innings[1];
		// A chase that was neither won nor bowled out: what was agreed decides, such as a target after rain.
		const isPlayed = chase !== undefined && hasEnded(chase, maxOvers);
		return { winner: isPlayed ? ahead(totals) : undefined, totals, parts: [] };
	},
};
