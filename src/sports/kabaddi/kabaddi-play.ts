/** Kabaddi: two halves of forty raids, a raid every half minute; betting is suspended at all-outs. */

import { kabaddiMarkets } from '#sports/kabaddi/kabaddi-markets.ts';
import { KabaddiMatch, RAIDS_A_HALF, type Raid } from '#sports/kabaddi/kabaddi-match.ts';
import { cardHead, type Play, type PlayState, type SimulatedSport, type Step } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import type { KabaddiCard } from '#sports/score-card.ts';
import { KABADDI } from '#values/sports.ts';

const RAID_SECONDS = 30;
const HALF_TIME_MS = 5 * 60_000;
const ALL_OUT_MS = 40_000;

export const kabaddi: SimulatedSport = {
	sportId: KABADDI,
	key: 'kabaddi',
	model: 3,
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
			markets: kabaddiMarkets(this.#match),
			score: this.#card(),
			scoreLine: `${one} – ${two}`,
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
