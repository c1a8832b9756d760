/** The engine and the slow reference exchange agree on random scenarios: see comparison.ts. */
import { describe, expect } from 'vitest';
import { mainlyEach } from '../support/main-rows.ts';
import { compareScenarios } from './comparison.ts';
import {
	LIMITED_MARKETS,
	MARKETS,
	MIXED_MARKETS,
	PLAN_MARKETS,
	RACING_MARKETS,
	type RandomMarket,
	START_MARKETS,
	TERMS_MARKETS,
	TRIGGER_MARKETS,
	WIDER_MARKETS,
} from './random-markets.ts';

/** Of each sort: these at least, and until every refusal and rule was met. The long run, 10,000 in all, is `npm run reference`. */
const SCENARIOS = Math.ceil(Number(process.env['REFERENCE_SCENARIOS'] ?? 40) / 4);
const MOST_SCENARIOS = Math.max(SCENARIOS, 300);
const AT_ONCE = 10;

const REFUSALS = [
	'MARKET_CLOSED',
	'MARKET_SUSPENDED',
	'UNKNOWN_MARKET',
	'UNKNOWN_RUNNER',
	'PRICE_NOT_ON_LADDER',
	'INVALID_STAKE',
	'STAKE_TOO_SMALL',
	'UNKNOWN_USER',
	'FORBIDDEN',
	'DUPLICATE_ORDER',
	'INSUFFICIENT_FUNDS',
	'SELF_MATCH',
	'NOT_OWNER',
	'ORDER_NOT_ACTIVE',
	'INVALID_SIZE',
	'UNKNOWN_ORDER',
	'ALREADY_IN_PLAY',
	'WRONG_MARKET_STATE',
];
const REFUSALS_OF_RACES = ['RUNNER_REMOVED', 'RUNNER_SUSPENDED', 'INVALID_REDUCTION', 'INCOMPLETE_RESULT'];
const RULES_OF_RACES = [
	'delay',
	'match after a delay',
	'lapse at the end of a delay',
	'lapse within a delay',
	'lapse by a removal',
	'reduction',
	'cut of a waiting lay',
	'correction',
	'return',
	'reduction taken back',
	'dead heat',
	'shortfall',
	'removal without a reduction',
	'fewer places',
];
const REFUSALS_OF_LIMITS = [
	'STAKE_TOO_SMALL',
	'STAKE_TOO_LARGE',
	'INVALID_PROFIT_RATIO',
	'PROFIT_TOO_LARGE',
	'INSUFFICIENT_FUNDS',
	'EXPOSURE_LIMIT',
	'SELF_MATCH',
	'RUNNER_REMOVED',
	'RUNNER_SUSPENDED',
];
const RULES_OF_LIMITS = [
	'delay',
	'match after a delay',
	'lapse at the end of a delay',
	'reduction',
	'return',
	'shortfall',
];

const REFUSALS_OF_TERMS = [
	'ORDER_GROUP_CLOSED',
	'UNKNOWN_ORDER_GROUP',
	'WOULD_MATCH',
	'EXPIRY_PASSED',
	'TERMS_NOT_POSSIBLE',
	'SELF_MATCH',
	'PROFIT_TOO_LARGE',
];
const RULES_OF_TERMS = [
	'group closed',
	'delay',
	'match after a delay',
	'post-only bet moved',
	'post-only bet moved by a new price',
	'post-only bet met at the end of a delay',
	'expiry',
	'volume reached',
	'own resting bet lapsed',
	'own resting bet lapsed after a delay',
	'bet ended before its own',
];

const REFUSALS_OF_TRIGGERS = ['TERMS_NOT_POSSIBLE', 'VALIDATION_FAILED', 'PRICE_NOT_ON_LADDER', 'INSUFFICIENT_FUNDS'];
const RULES_OF_TRIGGERS = [
	'trigger PLACED ',
	'trigger PLACED  trailing',
	'trigger REFUSED SELF_MATCH',
	'trigger CANCELLED ',
	'trigger LAPSED SUSPENDED',
	'trigger LAPSED TURNED_IN_PLAY',
	'trigger LAPSED RUNNER_REMOVED',
	'trigger LAPSED MARKET_CLOSED',
	'trigger LAPSED MARKET_SETTLED',
	'trigger LAPSED MARKET_VOIDED',
	'trigger LAPSED SITE_SUSPENDED',
	'match after a delay',
];

const REFUSALS_OF_PLANS = [
	'TERMS_NOT_POSSIBLE',
	'VALIDATION_FAILED',
	'PRICE_NOT_ON_LADDER',
	'INSUFFICIENT_FUNDS',
	'INVALID_SIZE',
	'STAKE_TOO_SMALL',
];
const RULES_OF_PLANS = [
	...['ICEBERG', 'PEG', 'BRACKET'].flatMap((kind) => [
		`${kind} PLACED `,
		`${kind} CANCELLED `,
		`${kind} LAPSED SUSPENDED`,
		`${kind} LAPSED RUNNER_REMOVED`,
		`${kind} LAPSED MARKET_SETTLED`,
	]),
	'ICEBERG REFUSED SELF_MATCH',
	'BRACKET REFUSED SELF_MATCH',
	'ICEBERG LAPSED TURNED_IN_PLAY',
	'PEG LAPSED TURNED_IN_PLAY',
	'ICEBERG LAPSED SITE_SUSPENDED',
	'trigger PLACED ',
];

const REFUSALS_OF_STARTS = [
	'TERMS_NOT_POSSIBLE',
	'PRICE_NOT_ON_LADDER',
	'STAKE_TOO_SMALL',
	'SELF_MATCH',
	'NOTHING_TO_UPDATE',
];
const RULES_OF_STARTS = [
	'match at the starting price',
	'rest of a bet at the starting price',
	'several starting prices',
	'part of a bid left over',
	'cut of a waiting lay',
	'reduction',
];

/** What only meets where every kind of order is given in one market. */
const RULES_OF_ALL = [
	'match at the starting price',
	'rest of a bet at the starting price',
	'match after a delay',
	'expiry',
	'volume reached',
	'group closed',
	'own resting bet lapsed',
	'post-only bet moved',
	'reduction',
	'trigger PLACED ',
	'ICEBERG PLACED ',
	'PEG PLACED ',
	'BRACKET PLACED ',
];

interface Sort {
	markets: readonly RandomMarket[];
	refusals: string[];
	rules?: string[];
	/** Of a scenario, on average. */
	accepted?: number;
	/** Seeds of scenarios that meet what is rare; they are played first. */
	rare: readonly number[];
}

/** The scenarios are worth something only if they reach the rules: more of them are played until they do. */
function play({ markets, refusals, rules = [], rare }: Sort) {
	const met = new Set<string>();
	let [accepted, played] = [0, 0];
	const compare = (count: number, firstSeed: number): void => {
		const found = compareScenarios(count, markets, firstSeed);
		for (const each of [...found.refusals, ...found.reached]) met.add(each);
		accepted += found.accepted;
		played += count;
	};
	const missing = () => [...refusals, ...rules].filter((each) => !met.has(each));
	for (const seed of rare) compare(1, seed);
	for (let seed = 1; seed <= SCENARIOS || (missing().length > 0 && seed <= MOST_SCENARIOS); seed += AT_ONCE)
		compare(AT_ONCE, seed);
	return { accepted, played, missing: missing() };
}

/** With `npm test`, test/engine shows these by hand. */
const THOROUGH = new Set(['with triggers', 'with starting prices']);

describe('engine and reference exchange', () => {
	mainlyEach<[string, Sort]>(
		[
			['with one winner', { markets: MARKETS, refusals: REFUSALS, rare: [19, 23, 6] }],
			[
				'with several winners, each way, lines of both kinds, fill-or-kill, versions and new prices',
				{ markets: WIDER_MARKETS, refusals: REFUSALS, rare: [37, 33, 10] },
			],
			[
				'with non-runners, returns, dead heats and in-play delays',
				{
					markets: RACING_MARKETS,
					refusals: [...REFUSALS, ...REFUSALS_OF_RACES],
					rules: RULES_OF_RACES,
					rare: [602, 293, 62, 149, 102],
				},
			],
			[
				'in every type of market, with limits and delays',
				{
					markets: LIMITED_MARKETS,
					refusals: REFUSALS_OF_LIMITS,
					rules: RULES_OF_LIMITS,
					accepted: 20,
					rare: [821, 843, 818, 706],
				},
			],
			[
				'with post-only bets, bets that end at a time or with the volume of others, and players who choose what becomes of their own',
				{
					markets: TERMS_MARKETS,
					refusals: REFUSALS_OF_TERMS,
					rules: RULES_OF_TERMS,
					accepted: 20,
					rare: [674, 259, 70, 291, 154, 37, 3, 54],
				},
			],
			[
				'with triggers',
				{
					markets: TRIGGER_MARKETS,
					refusals: REFUSALS_OF_TRIGGERS,
					rules: RULES_OF_TRIGGERS,
					accepted: 15,
					rare: [316, 125, 181, 243, 70, 4],
				},
			],
			[
				'with icebergs, pegs and brackets',
				{
					markets: PLAN_MARKETS,
					refusals: REFUSALS_OF_PLANS,
					rules: RULES_OF_PLANS,
					accepted: 15,
					rare: [139, 425, 77, 126, 172, 201, 24, 16, 66, 10],
				},
			],
			[
				'with starting prices',
				{
					markets: START_MARKETS,
					refusals: REFUSALS_OF_STARTS,
					rules: RULES_OF_STARTS,
					accepted: 20,
					rare: [],
				},
			],
			[
				'with every kind of order at once',
				{
					markets: MIXED_MARKETS,
					refusals: [...REFUSALS_OF_STARTS, 'INVALID_SIZE', 'WOULD_MATCH', 'EXPIRY_PASSED'],
					rules: RULES_OF_ALL,
					accepted: 15,
					rare: [97, 259, 75, 275, 31, 123, 389, 207, 286],
				},
			],
		],
		([sort]) => !THOROUGH.has(sort),
	)('agree on random scenarios %s', (_, sort) => {
		const { accepted, played, missing } = play(sort);
		expect(missing).toEqual([]);
		expect(accepted).toBeGreaterThan(played * (sort.accepted ?? 25));
	});
});
