/**
 * A kabaddi match raid by raid: points for touches and tackles, players out and revived, all-outs. The rest of the match
 * is forecast by playing it out many times.
 */
import { KABADDI_LEAGUES } from '#sports/kabaddi/kabaddi-teams.ts';
import { meetingOf, type Team } from '#sports/names.ts';
import { type Draw, normalFrom, pick, randomFrom, seedOf } from '#sports/random.ts';

export const RAIDS_A_HALF = 40;
const MEN = 7;
const EMPTY_CHANCE = 0.35;
const RAID_CHANCE = 0.38;
/** Added chance that a raid of the better side succeeds. */
const EDGE_SPREAD = 0.03;
/** Shares of successful raids that score at least two and at least three points. */
const TWO_CHANCE = 0.22;
const THREE_CHANCE = 0.05;
const SUPER_RAID = 3;
/** With this many defenders or fewer a tackle is a super tackle. */
const SUPER_TACKLE_MEN = 3;
const ALL_OUT_POINTS = 2;
const PLAYED_ON = 1500;
const SHOWN_RAIDS = 20;

type SideIndex = 0 | 1;
const other = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0);

export interface Raid {
	team: SideIndex;
	raider: string;
	kind: 'EMPTY' | 'RAID' | 'SUPER_RAID' | 'TACKLE' | 'SUPER_TACKLE';
	/** For the raiding side and the other. */
	points: [number, number];
	allOut: boolean;
}

/** The state of a match that its remainder depends on. */
interface Mat {
	points: [number, number];
	men: [number, number];
	/** Raids so far, both halves. */
	raids: number;
}

/** Each list holds one result for each time the match was played out. */
interface MatchOutlook {
	/** Points of the first side less the second's. */
	margin: number[];
	total: number[];
	/** Of both sides in the first half. */
	firstHalf: number[];
}

export class KabaddiMatch {
	readonly competition: string;
	readonly teams: readonly Team[];
	readonly mat: Mat = { points: [0, 0], men: [MEN, MEN], raids: 0 };
	readonly allOuts: [number, number] = [0, 0];
	/** Newest first. */
	readonly raids: Raid[] = [];
	/** Points of both when the first half ended; null before. */
	firstHalf: number | null = null;
	readonly #seed: number;
	readonly #draw: Draw;
	/** By side, the chance that a raid succeeds. */
	readonly #strengths: readonly [number, number];

	constructor(seed: number, number: number) {
		this.#seed = seed;
		this.#draw = randomFrom(seed);
		({ competition: this.competition, teams: this.teams } = meetingOf(KABADDI_LEAGUES, number));
		const edge = EDGE_SPREAD * normalFrom(this.#draw);
		this.#strengths = [RAID_CHANCE + edge, RAID_CHANCE - edge];
	}

	get isEnded(): boolean {
		return this.mat.raids >= 2 * RAIDS_A_HALF;
	}
	get half(): 1 | 2 {
		return this.mat.raids < RAIDS_A_HALF ? 1 : 2;
	}
	get raiding(): SideIndex {
		return raidingSide(this.mat.raids);
	}

	raid(): Raid {
		const team = this.raiding;
		const raider = pick(this.teams[team]?.players.slice(0, MEN) ?? [], this.#draw);
		const raid: Raid = { team, raider, ...play(this.mat, this.#strengths, this.#draw) };
		if (raid.allOut) this.allOuts[raid.kind.endsWith('RAID') ? other(team) : team]++;
		if (this.mat.raids === RAIDS_A_HALF) this.firstHalf = this.mat.points[0] + this.mat.points[1];
		this.raids.unshift(raid);
		this.raids.length = Math.min(this.raids.length, SHOWN_RAIDS);
		return raid;
	}

	outlook(): MatchOutlook {
		const draw = randomFrom(seedOf(this.#seed, this.mat.raids));
		const outlook: MatchOutlook = { margin: [], total: [], firstHalf: [] };
		for (let time = 0; time < PLAYED_ON; time++) {
			const { points, men, raids } = this.mat;
			const mat: Mat = { points: [...points], men: [...men], raids };
			let firstHalf = this.firstHalf;
			while (mat.raids < 2 * RAIDS_A_HALF) {
				play(mat, this.#strengths, draw);
				if (mat.raids === RAIDS_A_HALF) firstHalf = mat.points[0] + mat.points[1];
			}
			outlook.margin.push(mat.points[0] - mat.points[1]);
			outlook.total.push(mat.points[0] + mat.points[1]);
			outlook.firstHalf.push(firstHalf ?? 0);
		}
		return outlook;
	}
}

/** Sides take turns; the other side begins the second half. */
function raidingSide(raids: number): SideIndex {
	const begins = raids < RAIDS_A_HALF ? 0 : 1;
	return ((raids + begins) % 2) as SideIndex;
}

function play(mat: Mat, strengths: readonly [number, number], draw: Draw): Pick<Raid, 'kind' | 'points' | 'allOut'> {
	const side = raidingSide(mat.raids);
	mat.raids++;
	const drawn = draw();
	if (drawn < EMPTY_CHANCE) return { kind: 'EMPTY', points: [0, 0], allOut: false };
	return drawn < EMPTY_CHANCE + strengths[side] ? touch(mat, side, draw()) : tackle(mat, side);
}

function touch(mat: Mat, side: SideIndex, drawn: number): Pick<Raid, 'kind' | 'points' | 'allOut'> {
	const against = other(side);
	const wanted = drawn < THREE_CHANCE ? SUPER_RAID : drawn < TWO_CHANCE ? 2 : 1;
	const touched = Math.min(wanted, mat.men[against]);
	mat.men[against] -= touched;
	mat.men[side] = Math.min(MEN, mat.men[side] + touched);
	const allOut = clear(mat, against);
	const points = touched + (allOut ? ALL_OUT_POINTS : 0);
	mat.points[side] += points;
	return { kind: touched >= SUPER_RAID ? 'SUPER_RAID' : 'RAID', points: [points, 0], allOut };
}

function tackle(mat: Mat, side: SideIndex): Pick<Raid, 'kind' | 'points' | 'allOut'> {
	const against = other(side);
	const isSuper = mat.men[against] <= SUPER_TACKLE_MEN;
	mat.men[side]--;
	mat.men[against] = Math.min(MEN, mat.men[against] + 1);
	const allOut = clear(mat, side);
	const points = (isSuper ? 2 : 1) + (allOut ? ALL_OUT_POINTS : 0);
	mat.points[against] += points;
	return { kind: isSuper ? 'SUPER_TACKLE' : 'TACKLE', points: [0, points], allOut };
}

/** A side with no player left returns with all of them. */
function clear(mat: Mat, side: SideIndex): boolean {
	if (mat.men[side] > 0) return false;
	mat.men[side] = MEN;
	return true;
}
