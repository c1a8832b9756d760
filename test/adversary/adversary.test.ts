/**
 * The adversary: random sequences of all that players, related players, a stranger, a provider of games, the payment
 * provider, operators and the clock can do. After each step, the rules of `rules/` hold.
 *
 * @module-tag thorough
 */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { IS_WHOLE } from '../support/whole-run.ts';
import { EPISODE, episode, type Found, planned, plannedOnce, report, shrunk } from './driver.ts';
import type { PloyName } from './ploys.ts';
import { AdversarySite, ATTACKED, type Attacked } from './site.ts';
import { fromLine } from './step.ts';

/** Of the short form, which takes each plan once with each of them: together they find each hole that was known. */
const SHORT_FORM = IS_WHOLE ? [1, 2] : [1];
const LENGTH = process.env['ADVERSARY_STEPS'];
const STEPS = Number(LENGTH ?? 500);
const FIRST_SEED = Number(process.env['ADVERSARY_SEED'] ?? 1);
const REPLAY = process.env['ADVERSARY_REPLAY'];
/** Of the accounts of all episodes; in turn when left out. */
const CURRENCY = ATTACKED.find((currency) => currency === process.env['ADVERSARY_CURRENCY']);
/** Lists all rules that are broken instead of stopping at the first one: with the fewest steps that break each, or as found. */
const FORM = process.env['ADVERSARY_FORM'] ?? 'first';
const LISTS_ALL = FORM !== 'first';
/** One plan alone, for a look at what it finds. */
const PLOYS_TAKEN = process.env['ADVERSARY_PLOYS']?.split(',') as PloyName[] | undefined;
const EPISODES_PER_DATABASE = 40;
const LONGEST_STEP_MS = 10_000;

it(
	'no step breaks a rule',
	async () => {
		let site = await AdversarySite.open();
		onTestFinished(() => site.close());
		const plans = REPLAY
			? [readFileSync(REPLAY, 'utf8').trim().split('\n').map(fromLine)]
			: LENGTH === undefined
				? SHORT_FORM.flatMap(plannedOnce)
				: Array.from({ length: Math.ceil(STEPS / EPISODE) }, (_, at) => planned(FIRST_SEED + at, PLOYS_TAKEN));
		const all = new Map<string, { found: Found; seed: number; count: number }>();
		for (const [at, steps] of plans.entries()) {
			if (at > 0 && at % EPISODES_PER_DATABASE === 0) {
				await expectSound(site.server.database.db);
				await site.close();
				site = await AdversarySite.open();
			}
			const seed = FIRST_SEED + at;
			const currency = CURRENCY ?? (ATTACKED[at % ATTACKED.length] as Attacked);
			const broken = await episode(site, { currency, steps }, LISTS_ALL);
			if (LISTS_ALL) console.log(JSON.stringify({ seed, rules: [...new Set(broken.map(({ rule }) => rule))] }));
			for (const found of broken) {
				if (!LISTS_ALL) expect.fail(`seed ${seed}: ${report({ ...found, steps: await shrunk(site, found) })}`);
				const known = all.get(found.rule);
				if (known) known.count++;
				else all.set(found.rule, { found, seed, count: 1 });
			}
		}
		for (const { found, seed, count } of all.values()) {
			const steps = FORM === 'shrunk' ? await shrunk(site, found) : found.steps.slice(-1);
			console.log(`${count} times, first with seed ${seed}: ${report({ ...found, steps })}`);
		}
		await expectSound(site.server.database.db);
		expect([...all.keys()]).toEqual([]);
	},
	Math.max(180_000, STEPS * LONGEST_STEP_MS),
);
