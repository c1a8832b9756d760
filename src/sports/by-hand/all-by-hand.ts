/** The sports that are scored by hand, with their scores and the markets that a trader opens with one press. */
import { cricketByHand } from '#sports/by-hand/cricket-by-hand.ts';
import { footballByHand } from '#sports/by-hand/football-by-hand.ts';
import { kabaddiByHand } from '#sports/by-hand/kabaddi-by-hand.ts';
import type { HandMarket, HandOutcome, ScoredByHand, Sides } from '#sports/by-hand/scored-by-hand.ts';
import { tennisByHand } from '#sports/by-hand/tennis-by-hand.ts';
import type { PlayResult } from '#values/play-result.ts';
import type { ScoredSport } from '#values/score-acts.ts';

const SCORES = { football: footballByHand, tennis: tennisByHand, cricket: cricketByHand, kabaddi: kabaddiByHand };

/** A caller hands a card only to the sport that made it. */
export const scoredByHand = (sport: ScoredSport): ScoredByHand => SCORES[sport];

const both = (sides: Sides): string[] => [...sides];
const withDraw = (sides: Sides): string[] => [...sides, 'The Draw'];
const yesOrNo = (): string[] => ['Yes', 'No'];

/** Of runners that are the sides, and the draw where there is one. */
const winner = ({ winner: side }: HandOutcome): PlayResult | null => (side == null ? null : { winners: [side] });
const winnerOrDraw = ({ winner: side }: HandOutcome): PlayResult => ({ winners: [side ?? 2] });
const byTotal = ({ totals }: HandOutcome): PlayResult => ({ value: totals[0] + totals[1] });
const undecided = (): null => null;

const MATCH = 'Who wins the match. Void if it is not played to its end.';

const overUnder = (quarters: number, what: string): HandMarket => ({
	name: `Over/Under ${quarters / 4} ${what}`,
	type: 'OVER_UNDER',
	handicapQuarters: quarters,
	runners: () => [`Over ${quarters / 4} ${what}`, `Under ${quarters / 4} ${what}`],
	betDelaySeconds: 5,
	rules: `${what} of both sides together. What is over already stands even if the match is abandoned.`,
	result: byTotal,
});

const bookmaker = (runners: HandMarket['runners'], result: HandMarket['result']): HandMarket => ({
	name: 'Bookmaker',
	type: 'BOOKMAKER',
	runners,
	betDelaySeconds: 0,
	rules: MATCH,
	result,
});

const setWinner = (set: number): HandMarket => ({
	name: `Set ${set} Winner`,
	type: 'SET_WINNER',
	runners: both,
	betDelaySeconds: 3,
	rules: `Who wins set ${set}. Void if it is not played to its end.`,
	isDecidedEarly: true,
	result: ({ parts }) => {
		const side = parts[set - 1];
		return side === undefined ? null : { winners: [side] };
	},
});

/** The first of each sport is the main market of its matches. */
export const HAND_MARKETS: Readonly<Record<ScoredSport, readonly HandMarket[]>> = {
	football: [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: withDraw,
			betDelaySeconds: 5,
			rules: 'Who leads when the referee ends the match, added time included. Void if it is not played to its end.',
			result: winnerOrDraw,
		},
		...[6, 10, 14].map((quarters) => overUnder(quarters, 'Goals')),
		{
			name: 'Double Chance',
			type: 'DOUBLE_CHANCE',
			runners: ([home, away]) => [`${home} or the draw`, `${away} or the draw`, `${home} or ${away}`],
			betDelaySeconds: 5,
			rules: 'Two of the three ends of the match in one bet. Void if it is not played to its end.',
			result: ({ winner: side }) => ({ winners: side === 0 ? [0, 2] : side === 1 ? [1, 2] : [0, 1] }),
		},
		bookmaker(withDraw, winnerOrDraw),
	],
	tennis: [
		{ name: 'Match Odds', type: 'MATCH_ODDS', runners: both, betDelaySeconds: 3, rules: MATCH, result: winner },
		setWinner(1),
		setWinner(2),
		bookmaker(both, winner),
	],
	cricket: [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: both,
			betDelaySeconds: 5,
			rules: `${MATCH} Of a tie, each side has a half.`,
			result: ({ winner: side }) =>
				side === undefined ? null : side === null ? { tied: [0, 1] } : { winners: [side] },
		},
		{
			name: 'To Win the Toss',
			type: 'TO_WIN_THE_TOSS',
			runners: both,
			betDelaySeconds: 0,
			closesAtStart: true,
			rules: 'Which side wins the toss.',
			result: undecided,
		},
		{
			name: 'Tied Match',
			type: 'TIED_MATCH',
			runners: yesOrNo,
			betDelaySeconds: 5,
			rules: 'Whether both sides have the same runs when the match ends.',
			result: ({ winner: side }) => (side === undefined ? null : { winners: [side === null ? 0 : 1] }),
		},
		bookmaker(both, winner),
	],
	kabaddi: [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: withDraw,
			betDelaySeconds: 3,
			rules: MATCH,
			result: winnerOrDraw,
		},
		bookmaker(withDraw, winnerOrDraw),
	],
};
