/** The markets of a T20 match: toss, winner (exchange and bookmaker), completion, tie, and the fancies of each innings. */

import { chanceOfFirst, chanceOfTie } from '#sports/cricket/ball-model.ts';
import { inningsFancies } from '#sports/cricket/cricket-fancies.ts';
import type { TwentyOverMatch } from '#sports/cricket/twenty-over-match.ts';
import type { MarketState } from '#sports/play.ts';

const RULES = {
	match:
		'Who wins the match. A tie is decided by the super over. The market turns in-play at the first ball; unmatched bets ' +
		'that are not kept lapse then. If the match is abandoned without a winner every bet is void.',
	bookmaker:
		'Who wins the match, at the house’s rates per 100. A bet is taken whole at the rate shown or better, or not at all; ' +
		'betting rests while a ball is bowled. Void without a winner.',
	toss: 'Which side wins the toss. It stands whatever becomes of the match, and is void if no coin is tossed.',
	completed:
		'Whether the match is played to a result, a tie included. An abandoned match is a No; one without a ball bowled is void.',
	tied: 'Whether both sides make as many runs, before any super over. Void if the match is abandoned.',
};
const YES_NO = [
	{ id: 'yes', name: 'Yes' },
	{ id: 'no', name: 'No' },
];

export function cricketMarkets(match: TwentyOverMatch, seed: number): MarketState[] {
	const runners = match.teams.map(({ name }, at) => ({ id: String(at + 1), name }));
	const { winner, standing } = match;
	const isPlayed = winner === null;
	const first = chanceOfFirst(standing);
	const tie = chanceOfTie(standing);
	const how = { betDelaySeconds: 0 };
	const who = {
		runners,
		chances: isPlayed ? [first, 1 - first] : null,
		result: isPlayed ? null : { winners: [winner] },
		...how,
	};
	return [
		{ name: 'Match Odds', type: 'MATCH_ODDS', rules: RULES.match, ...who },
		{ name: 'Bookmaker', type: 'BOOKMAKER', rules: RULES.bookmaker, ...who },
		{
			name: 'To Win the Toss',
			type: 'TO_WIN_THE_TOSS',
			runners,
			rules: RULES.toss,
			chances: [0.5, 0.5],
			result: match.tossed ? { winners: [match.tossWinner] } : null,
			...how,
		},
		{
			name: 'Completed Match',
			type: 'COMPLETED_MATCH',
			runners: YES_NO,
			rules: RULES.completed,
			chances: isPlayed ? [match.chanceOfEnd, 1 - match.chanceOfEnd] : null,
			result: isPlayed ? null : { winners: [0] },
			...how,
		},
		{
			name: 'Tied Match',
			type: 'TIED_MATCH',
			runners: YES_NO,
			rules: RULES.tied,
			chances: isPlayed ? [tie, 1 - tie] : null,
			result: isPlayed ? null : { winners: [match.isTied ? 0 : 1] },
			...how,
		},
		...match.innings.flatMap((innings, at) => inningsFancies(match, innings, at, seed)),
	];
}
