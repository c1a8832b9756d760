/**
 * Plays episodes: each has accounts of its own, so its steps alone say what happened, and a part of them can be played
 * again to find the few that matter.
 */
import { SeededNumbers } from '../reference/random-commands.ts';
import { ACTS } from './acts/all-acts.ts';
import { PLOYS, type PloyName } from './ploys.ts';
import { RULES_OF_ALL } from './rules/all-rules.ts';
import type { Broken } from './rules/rule.ts';
import type { AdversarySite, Attacked } from './site.ts';
import { asLine, fromLine, type Step } from './step.ts';
import { CAST, World } from './world.ts';

/** Of an episode. */
export const EPISODE = 60;
/** Numbers of chance are below this; acts take what they need of them. */
const MOST = 1_000;
/** How often a plan is taken instead of a single act, and how often an act of chance comes between two steps of it. */
const PLOY_PERCENT = 40;
const BETWEEN_PERCENT = 25;
const ALL_PLOYS = Object.keys(PLOYS) as PloyName[];
const PLOYS_AT_ONCE = 6;
const REGISTERS: ReadonlySet<string> = new Set(['pose', 'again', 'invite']);
/** A weight is a hundredth at least. */
const HUNDREDTHS = 100;

const BY_WEIGHT: readonly string[] = Object.entries(ACTS).flatMap(([name, { weight }]) =>
	Array.from({ length: Math.round(weight * HUNDREDTHS) }, () => name),
);

function ofChance(numbers: SeededNumbers): Step {
	const own = () => numbers.below(MOST);
	return { act: numbers.from(BY_WEIGHT), numbers: [own(), own(), own(), own()] };
}

/** Adds steps of a plan, with others of chance between them. */
function add(steps: Step[], numbers: SeededNumbers, more: readonly Step[]): void {
	for (const step of more) {
		const between = numbers.chance(BETWEEN_PERCENT) ? ofChance(numbers) : null;
		// A plan names accounts by their numbers, so none registers in its middle.
		if (between && !REGISTERS.has(between.act)) steps.push(between);
		steps.push(step);
	}
}

function ploy(name: PloyName, numbers: SeededNumbers, before: readonly Step[]): Step[] {
	const next = CAST + before.filter(({ act }) => REGISTERS.has(act)).length;
	return PLOYS[name](numbers, next).map(fromLine);
}

/** The steps of an episode. @param ploys those that it takes; all when left out */
export function planned(seed: number, ploys = ALL_PLOYS, length = EPISODE): Step[] {
	const numbers = new SeededNumbers(seed);
	const steps: Step[] = [];
	while (steps.length < length) {
		const taken = numbers.chance(PLOY_PERCENT) ? ploy(numbers.from(ploys), numbers, steps) : [ofChance(numbers)];
		add(steps, numbers, taken);
	}
	return steps;
}

/** The steps of episodes that take each ploy once, a few in each. */
export function plannedOnce(seed: number): Step[][] {
	const numbers = new SeededNumbers(seed);
	const left = [...ALL_PLOYS];
	const episodes: Step[][] = [];
	while (left.length > 0) {
		const steps: Step[] = [];
		for (let count = 0; count < PLOYS_AT_ONCE && left.length > 0; count++) {
			const [name] = left.splice(numbers.below(left.length), 1) as [PloyName];
			add(steps, numbers, ploy(name, numbers, steps));
		}
		episodes.push(steps);
	}
	return episodes;
}

export interface Plan {
	currency: Attacked;
	steps: readonly Step[];
}

export interface Found extends Broken {
	currency: Attacked;
	/** Steps up to the one that broke the rule. */
	steps: readonly Step[];
}

/** Plays one step. @returns what it broke */
async function play(world: World, { act, numbers }: Step): Promise<Broken[]> {
	world.beginStep();
	try {
		await ACTS[act]?.run(world, numbers);
		world.endAct();
		const broken: Broken[] = [];
		for (const { check } of RULES_OF_ALL) broken.push(...(await check(world)));
		return broken;
	} catch (error) {
		return [{ rule: `${act} does not fail`, why: (error as Error).stack ?? String(error) }];
	}
}

/** Plays an episode to its end, or to the first rule that is broken. */
export async function episode(site: AdversarySite, { currency, steps }: Plan, goesOn = false): Promise<Found[]> {
	const world = await World.open(site, currency);
	const found: Found[] = [];
	for (const [at, step] of steps.entries()) {
		const broken = await play(world, step);
		found.push(...broken.map((one) => ({ ...one, currency, steps: steps.slice(0, at + 1) })));
		if (broken.length > 0 && !goesOn) break;
	}
	return found;
}

/** The steps without those that can be left out. Each try plays them with new accounts. */
export async function shrunk(site: AdversarySite, { rule, currency, steps }: Found): Promise<readonly Step[]> {
	let least = steps;
	for (let size = Math.ceil(least.length / 2); size >= 1; size = Math.floor(size / 2)) {
		for (let from = 0; from < least.length; ) {
			const fewer = [...least.slice(0, from), ...least.slice(from + size)];
			const found = await episode(site, { currency, steps: fewer }, true);
			if (found.some((one) => one.rule === rule)) least = fewer;
			else from += size;
		}
	}
	return least;
}

/** For a message: what was broken, and the steps as `--replay` reads them. */
export const report = ({ rule, why, currency, steps }: Found): string =>
	`${rule}\n${why}\nin ${currency}:\n${steps.map((step) => `  ${asLine(step)}`).join('\n')}`;
