/** Every kind of market paid both ways: by the runners that won, as a stream tells it, and by the number that came. */
import { describe, expect, it } from 'vitest';
import type { RunnerResult } from '#engine/market-terms.ts';
import { MARKET_TYPE_NAMES, marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketShape } from '#engine/market-types/market-type.ts';
import type { PlayResult } from '#values/play-result.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const LINE_RANGE = { min: 1050, max: 1250, interval: 100 };
const NUMBERS = ['SESSION_RUNS', 'OVER_RUNS', 'BATSMAN_RUNS', 'FALL_OF_WICKET', 'BOUNDARIES', 'POINTS', 'TRADE'];
/** The listing of a market of the type: goals on 2.5, a handicap of −0.5, lines 10 to 12. */
const SHAPES: Record<string, MarketShape> = {
	OVER_UNDER: { runners: 2, handicapQuarters: 10 },
	ASIAN_HANDICAP: { runners: 2, handicapQuarters: -2 },
	COMPLETED_MATCH: { runners: 2 },
	ODD_EVEN: { runners: 2 },
	PLACE: { runners: 4, places: 2 },
	EACH_WAY: { runners: 4, places: 2 },
	LINE: { runners: 1, lineRange: LINE_RANGE },
	...Object.fromEntries(NUMBERS.map((name) => [name, { runners: 3, lines: [10, 11, 12] }])),
};
const shapeOf = (name: string): MarketShape => SHAPES[name] ?? { runners: 3 };
const DECIDED = MARKET_TYPE_NAMES.filter((name) => marketType(name).decidedByWinners(shapeOf(name)));
const UNDECIDED = MARKET_TYPE_NAMES.filter((name) => !DECIDED.includes(name));

/** The engine's answer to the result, in a market of the type. */
function paid(
	name: string,
	ended: PlayResult,
): { results: readonly RunnerResult[] | null; status: string | undefined } {
	const type = marketType(name);
	const shape = shapeOf(name);
	const results = type.resultOf(ended, shape);
	const scene = new ExchangeScene();
	scene.openMarket({
		runners: shape.runners,
		numberOfWinners: type.winners(shape),
		model: type.model,
		ladder: shape.lineRange ?? type.ladder,
		houses: [1],
		...(name === 'EACH_WAY' ? { eachWayDivisor: 4 } : {}),
	});
	if (results) scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results });
	return { results, status: scene.engine.market(MARKET)?.status };
}

describe('by the runners that won', () => {
	it.each(DECIDED)('%s is settled', (name) => {
		const { runners } = shapeOf(name);
		for (let winner = 0; winner < runners; winner++) {
			const next = (winner + 1) % runners;
			const winners = marketType(name).winners(shapeOf(name)) === 2 && name !== 'EACH_WAY' ? [winner, next] : [winner];
			const { results, status } = paid(name, { winners, ...(name === 'EACH_WAY' ? { placed: [next] } : {}) });
			expect([name, status]).toEqual([name, 'SETTLED']);
			const won = results?.flatMap((result, runner) => (result === 'WIN' ? [runner] : []));
			expect(won).toEqual(winners.toSorted((one, other) => one - other));
		}
	});

	it('market types on lines are not decided, and say so', () => {
		expect(UNDECIDED.toSorted()).toEqual([...NUMBERS, 'LINE'].toSorted());
		for (const name of UNDECIDED) expect([name, paid(name, { winners: [0] }).results]).toEqual([name, null]);
	});

	it.each(['OVER_UNDER', 'ASIAN_HANDICAP'])('%s on a quarter line is not decided', (name) => {
		for (const handicapQuarters of [-3, -1, 1, 9]) {
			const shape = { runners: 2, handicapQuarters };
			expect(marketType(name).decidedByWinners(shape)).toBe(false);
			expect(marketType(name).resultOf({ winners: [0] }, shape)).toBeNull();
		}
	});
});

describe('by the number reached', () => {
	it.each<[string, PlayResult, RunnerResult[]]>([
		['OVER_UNDER', { value: 3 }, ['WIN', 'LOSE']],
		['OVER_UNDER', { value: 2 }, ['LOSE', 'WIN']],
		['ASIAN_HANDICAP', { margin: 1 }, ['WIN', 'LOSE']],
		['ASIAN_HANDICAP', { margin: 0 }, ['LOSE', 'WIN']],
		['ODD_EVEN', { value: 7 }, ['WIN', 'LOSE']],
		['LINE', { value: 11 }, ['WIN', 'LOSE', 'LOSE']],
		...NUMBERS.map((name): [string, PlayResult, RunnerResult[]] => [name, { value: 11 }, ['WIN', 'WIN', 'LOSE']]),
	])('%s is paid (%o)', (name, ended, results) => {
		expect(paid(name, ended)).toEqual({ results, status: 'SETTLED' });
	});

	it('market types between rivals are not decided', () => {
		const onNumbers = new Set(['OVER_UNDER', 'ASIAN_HANDICAP', 'ODD_EVEN', 'LINE', ...NUMBERS]);
		for (const name of MARKET_TYPE_NAMES.filter((candidate) => !onNumbers.has(candidate)))
			expect([name, paid(name, { value: 3 }).results]).toEqual([name, null]);
	});
});
