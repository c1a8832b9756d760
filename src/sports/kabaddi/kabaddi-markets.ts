/** The markets of a kabaddi match, all priced from the match played out many times. */
import type { KabaddiMatch } from '#sports/kabaddi/kabaddi-match.ts';
import { lineRunners, linesBetween, reachedChances } from '#sports/lines.ts';
import type { MarketState } from '#sports/play.ts';
import { linesOf } from '#values/line-range.ts';

const BET_DELAY_SECONDS = 2;
const TOTAL_LINES = linesBetween(45, 115);
/** Between whole numbers, so that there is no tie: 45.5 to 115.5. */
const TOTAL_RANGE = { min: 4550, max: 11_550, interval: 100 };
const LINE_DEPTH = 3;
const SIDE_LINES = linesBetween(15, 70);
const FIRST_HALF_LINES = linesBetween(15, 65);

const RULES = {
	odds: 'Who has more points at the end of the match. Void if it is not played to its end.',
	total:
		'Points of both sides in the match, all-outs and bonus points included. Void if it is not played to its end, ' +
		'unless every line is reached by then: YES wins.',
	line:
		'Points of both sides in the match. Buy a line and you win your stake when there are more points, sell it and you ' +
		'win your stake when there are fewer. Void if the match is not played to its end.',
	side:
		'Points of that side in the match, all-outs and bonus points included. Void if it is not played to its end, ' +
		'unless every line is reached by then: YES wins.',
	firstHalf:
		'Points of both sides in the first half. Void if the half is not played to its end, unless every line is reached ' +
		'by then: YES wins.',
};

export function kabaddiMarkets(match: KabaddiMatch): MarketState[] {
	const { teams, mat, isEnded } = match;
	const { margin, total, firstHalf } = match.outlook();
	const share = (which: (margin: number) => boolean) => margin.filter(which).length / margin.length;
	const ahead = mat.points[0] - mat.points[1];
	const half = match.firstHalf;
	return [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: [...teams.map(({ name }, at) => ({ id: String(at + 1), name })), { id: 'tie', name: 'Tie' }],
			betDelaySeconds: BET_DELAY_SECONDS,
			rules: RULES.odds,
			chances: [share((lead) => lead > 0), share((lead) => lead < 0), share((lead) => lead === 0)],
			result: isEnded ? { winners: [ahead > 0 ? 0 : ahead < 0 ? 1 : 2] } : null,
		},
		pointsMarket({
			name: 'Total points',
			rules: RULES.total,
			lines: TOTAL_LINES,
			results: total,
			soFar: mat.points[0] + mat.points[1],
			isEnded,
		}),
		totalLine(match, total),
		...teams.map(({ name }, side) =>
			pointsMarket({
				name: `${name} points`,
				rules: RULES.side,
				lines: SIDE_LINES,
				results: margin.map((lead, at) => ((total[at] as number) + (side === 0 ? lead : -lead)) / 2),
				soFar: mat.points[side] as number,
				isEnded,
			}),
		),
		pointsMarket({
			name: 'First half points',
			rules: RULES.firstHalf,
			lines: FIRST_HALF_LINES,
			results: firstHalf,
			soFar: half ?? mat.points[0] + mat.points[1],
			isEnded: half !== null,
		}),
	];
}

/** The total as a line market between players. */
function totalLine({ mat, isEnded }: KabaddiMatch, total: readonly number[]): MarketState {
	const lines = linesOf(TOTAL_RANGE).map((line) => line / 100);
	return {
		name: 'Total points line',
		type: 'LINE',
		lineRange: TOTAL_RANGE,
		runners: [{ id: '1', name: 'Points in the match' }],
		betDelaySeconds: BET_DELAY_SECONDS,
		rules: RULES.line,
		chances: reachedChances(total, lines),
		depth: LINE_DEPTH,
		result: isEnded ? { value: mat.points[0] + mat.points[1] } : null,
	};
}

function pointsMarket(of: {
	name: string;
	rules: string;
	lines: readonly number[];
	/** Points for each time the match was played out. */
	results: readonly number[];
	soFar: number;
	isEnded: boolean;
}): MarketState {
	const { name, rules, lines, results, soFar, isEnded } = of;
	return {
		name,
		type: 'POINTS',
		lines,
		runners: lineRunners(lines),
		betDelaySeconds: 0,
		rules,
		chances: reachedChances(results, lines),
		result: isEnded ? { value: soFar } : null,
		soFar,
	};
}
