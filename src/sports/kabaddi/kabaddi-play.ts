/** Kabaddi: two halves of forty raids, a raid every half minute; betting is suspended at all-outs. */

import { KabaddiMatch, type MatchOutlook, RAIDS_A_HALF, type Raid } from '#sports/kabaddi/kabaddi-match.ts';
import { lineRunners, linesBetween, reachedChances } from '#sports/lines.ts';
import type { MarketState, PlayState } from '#sports/play.ts';
import { cardHead, type Play, type SimulatedSport, type Step } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import type { KabaddiCard } from '#sports/score-card.ts';
import { linesOf } from '#values/line-range.ts';
import { KABADDI } from '#values/sports.ts';

const RAID_SECONDS = 30;
const HALF_TIME_MS = 5 * 60_000;
const ALL_OUT_MS = 40_000;
const BET_DELAY_SECONDS = 2;
const TOTAL_LINES = linesBetween(45, 115);
/** Between whole numbers, so that there is no tie: 45.5 to 115.5. */
const TOTAL_RANGE = { min: 4550, max: 11_550, interval: 100 };
const LINE_DEPTH = 3;
const SIDE_LINES = linesBetween(15, 70);
const FIRST_HALF_LINES = linesBetween(15, 65);

const RULES = {
	odds: 'Who has more points at the end of the match. Void if it is not played to its end.',
	total: 'Points of both sides in the match, all-outs and bonus points included. Void if it is not played to its end.',
	line:
		'Points of both sides in the match. Buy a line and you win your stake when there are more points, sell it and you ' +
		'win your stake when there are fewer. Void if the match is not played to its end.',
	side: 'Points of that side in the match, all-outs and bonus points included. Void if it is not played to its end.',
	firstHalf: 'Points of both sides in the first half. Void if the half is not played to its end.',
};

export const kabaddi: SimulatedSport = {
	sportId: KABADDI,
	key: 'kabaddi',
	model: 2,
	spacingMs: 35 * 60_000,
	leadMs: 0,
	headStartSteps: 26,
	calendar: { next: 12, every: 5 },
	orders: { inPlay: 50, atTheStart: 15 },
	begin: (seed, number) => new KabaddiPlay(seed, number),
};

class KabaddiPlay implements Play {
	readonly title: string;
	readonly competition: string;
	readonly #match: KabaddiMatch;

	constructor(seed: number, number: number) {
		this.#match = new KabaddiMatch(seedOf(seed, KABADDI, number), number);
		this.title = this.#match.teams.map(({ name }) => name).join(' v ');
		this.competition = this.#match.competition;
	}

	get steps(): number {
		return this.#match.mat.raids;
	}
	get isEnded(): boolean {
		return this.#match.isEnded;
	}
	get #isBreak(): boolean {
		return this.steps === RAIDS_A_HALF;
	}

	step(): Step {
		const { allOut } = this.#match.raid();
		const pauseMs = allOut ? ALL_OUT_MS : RAID_SECONDS * 1000;
		return { pauseMs: pauseMs + (this.#isBreak ? HALF_TIME_MS : 0), incident: allOut && !this.#isBreak };
	}

	state(): PlayState {
		const [one, two] = this.#match.mat.points;
		return {
			inPlay: this.steps > 0,
			isEnded: this.isEnded,
			markets: this.#markets(this.#match.outlook()),
			score: this.#card(),
			scoreLine: `${one} – ${two}`,
		};
	}

	#markets({ margin, total, firstHalf }: MatchOutlook): MarketState[] {
		const { teams, mat, isEnded } = this.#match;
		const share = (which: (margin: number) => boolean) => margin.filter(which).length / margin.length;
		const ahead = mat.points[0] - mat.points[1];
		const half = this.#match.firstHalf;
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
			this.#totalLine(total),
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
	#totalLine(total: readonly number[]): MarketState {
		const { mat, isEnded } = this.#match;
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

	#card(): KabaddiCard {
		const { teams, mat, allOuts, half, raiding, raids } = this.#match;
		const left = this.isEnded ? 0 : RAIDS_A_HALF - (mat.raids % RAIDS_A_HALF);
		return {
			sport: 'kabaddi',
			...cardHead(this, this.#isBreak),
			note: this.#note(),
			half,
			secondsLeft: left * RAID_SECONDS,
			teams: teams.map(({ name }, side) => ({
				name,
				points: mat.points[side] as number,
				onMat: mat.men[side] as number,
				allOuts: allOuts[side] as number,
			})),
			raiding,
			raids: [...raids],
		};
	}

	#note(): string {
		const { teams, raids, raiding } = this.#match;
		if (this.isEnded) return 'Full time';
		if (this.#isBreak) return 'Half time';
		const [last] = raids;
		return last ? said(last) : `${teams[raiding]?.name} raid first`;
	}
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

/** A raid in words. */
function said({ raider, kind, points, allOut }: Raid): string {
	const what = {
		EMPTY: 'empty raid',
		RAID: 'raid',
		SUPER_RAID: 'super raid',
		TACKLE: 'tackled',
		SUPER_TACKLE: 'super tackle',
	}[kind];
	const scored = points[0] + points[1];
	return `${raider}: ${what}${scored > 0 ? `, ${scored} ${scored === 1 ? 'point' : 'points'}` : ''}${allOut ? ', all out' : ''}`;
}
