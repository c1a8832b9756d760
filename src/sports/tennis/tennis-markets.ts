/** The markets of a tennis match, priced by the chances of its score. */
import type { MarketState } from '#sports/play.ts';
import type { TennisMatch } from '#sports/tennis/tennis-match.ts';

const BET_DELAY_SECONDS = 3;

const RULES = {
	odds: 'Who wins the match. Void if it is not played to its end.',
	set: 'Who wins the set. Void if it is not played to its end.',
};

/** The match, and each set that is certain to be played. */
export function tennisMarkets(match: TennisMatch): MarketState[] {
	const runners = match.players.map((name, at) => ({ id: String(at + 1), name }));
	const how = { runners, betDelaySeconds: BET_DELAY_SECONDS };
	const { winner } = match;
	const sets = Math.max(2, match.games.length);
	return [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			rules: RULES.odds,
			chances: [match.chance, 1 - match.chance],
			result: winner === null ? null : { winners: [winner] },
			...how,
		},
		...Array.from({ length: sets }, (_, at): MarketState => {
			const taken = match.setWinners[at];
			const isPlayed = at === match.games.length - 1;
			const chance = taken === undefined ? (isPlayed ? match.setChance : match.freshSetChance) : 1 - taken;
			return {
				name: `Set ${at + 1} Winner`,
				type: 'SET_WINNER',
				rules: RULES.set,
				chances: [chance, 1 - chance],
				result: taken === undefined ? null : { winners: [taken] },
				...how,
			};
		}),
	];
}
