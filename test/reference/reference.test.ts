/** The engine and the slow reference exchange agree on random scenarios: see comparison.ts. */
import { describe, expect, it } from 'vitest';
import { compareScenarios } from './comparison.ts';
import { MARKETS, RACING_MARKETS, type RandomMarket, WIDER_MARKETS } from './random-commands.ts';

/** The long run, 10,000 of them, is `npm run reference`. */
const SCENARIOS = Number(process.env['REFERENCE_SCENARIOS'] ?? 1200);

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
	'return',
	'dead heat',
	'shortfall',
	'removal without a reduction',
	'fewer places',
];

describe('engine and reference exchange', () => {
	it.each<[string, readonly RandomMarket[], string[], string[]]>([
		['with one winner', MARKETS, REFUSALS, []],
		[
			'with several winners, each way, lines of both kinds, fill-or-kill, versions and new prices',
			WIDER_MARKETS,
			REFUSALS,
			[],
		],
		[
			'with non-runners, returns, dead heats and in-play delays',
			RACING_MARKETS,
			[...REFUSALS, ...REFUSALS_OF_RACES],
			RULES_OF_RACES,
		],
	])(`agree on ${SCENARIOS / 3} random scenarios %s`, (_, markets, expected, rules) => {
		const { accepted, refusals, reached } = compareScenarios(SCENARIOS / 3, markets);
		// The scenarios are worth something only if they reach the rules.
		expect(accepted).toBeGreaterThan((SCENARIOS / 3) * 25);
		expect(refusals).toEqual(expect.arrayContaining(expected));
		expect(reached).toEqual(expect.arrayContaining(rules));
	});
});
