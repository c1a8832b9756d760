/**
 * Markets of every type that are settled by random walks: after each, every bet, wallet and account is as one command leaves
 * it, and as the slow reference exchange has it. An engine that is rebuilt at any step stands at the same.
 */
import { describe, expect } from 'vitest';
import { mainlyEach } from '../support/main-rows.ts';
import { compareScenarios } from './comparison.ts';
import {
	LIMITED_MARKETS,
	MARKETS,
	RACING_MARKETS,
	type RandomMarket,
	START_MARKETS,
	WIDER_MARKETS,
} from './random-markets.ts';

const SCENARIOS = Math.ceil(Number(process.env['REFERENCE_SCENARIOS'] ?? 4) / 4);

const FIRST_SEED = 5_000;
/** More of them are played until they reach the rules. */
const LAST_SEED = FIRST_SEED + 10;

/** With `npm test`, the reference exchange is compared in these without walks. */
const THOROUGH = new Set(['with limits, delays and the house']);

describe('a walk settles as one command does', () => {
	mainlyEach<[string, { markets: readonly RandomMarket[]; rules: string[]; rare: readonly number[] }]>(
		[
			['with one winner', { markets: MARKETS, rules: ['rounding lent'], rare: [54] }],
			[
				'with several winners, each way, and lines of both kinds',
				{ markets: WIDER_MARKETS, rules: [], rare: [5_002, 5_011] },
			],
			[
				'with non-runners, dead heats, fewer places and short wallets',
				{
					markets: RACING_MARKETS,
					rules: ['dead heat', 'shortfall', 'fewer places', 'rounding lent'],
					rare: [602, 293, 62, 149, 102, 109],
				},
			],
			[
				'with limits, delays and the house',
				{ markets: LIMITED_MARKETS, rules: ['shortfall'], rare: [821, 843, 818, 706, 5_009] },
			],
			['with starting prices', { markets: START_MARKETS, rules: ['match at the starting price'], rare: [47, 82] }],
		],
		([kind]) => !THOROUGH.has(kind),
	)('%s', (_, { markets, rules, rare }) => {
		const met = new Set<string>();
		const play = (seed: number) => {
			for (const rule of compareScenarios(1, markets, seed, true).reached) met.add(rule);
		};
		const missing = () =>
			[...rules, 'walk of several steps', 'reopening by a walk', 'resettlement by a walk'].filter(
				(rule) => !met.has(rule),
			);
		for (const seed of rare) play(seed);
		const isWanted = (seed: number) => seed < FIRST_SEED + SCENARIOS || (seed <= LAST_SEED && missing().length > 0);
		for (let seed = FIRST_SEED; isWanted(seed); seed++) play(seed);
		expect(missing()).toEqual([]);
	});
});
