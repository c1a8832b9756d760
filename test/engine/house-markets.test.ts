/** Markets where the house is the other side of every bet: bookmaker, and fancies with their lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnerResult } from '#engine/market-terms.ts';
import { MARKET_TYPE_NAMES, marketType } from '#engine/market-types/all-market-types.ts';
import { addMatched, addUnmatched, emptyFigures, exposureMinor, netIfWins } from '#values/exposure.ts';
import { RISING } from '#values/figures.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const HOUSE = 1;
const AMPLE = 100_000_000;

/** A bookmaker market of two teams; the house has money, players 11 and 12 some. */
function bookmaker(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const scene = new ExchangeScene();
	scene.openMarket({ runners: 2, model: 'BOOKMAKER', ladder: 'RATES', houses: [HOUSE], ...terms });
	scene.player(HOUSE, AMPLE);
	scene.players(1_000_000, [11, 12]);
	return scene;
}

const LINES = [40, 45, 46, 48, 50, 55];
const lineOf = (line: number) => LINES.indexOf(line);
function fancy(): ExchangeScene {
	return bookmaker({ runners: LINES.length, numberOfWinners: RISING, model: 'FANCY' });
}

/** The house offers and the player takes: YES is a back, NO a lay; rates are per 100. */
function yes(scene: ExchangeScene, player: number, line: number, rate: number, stake: number) {
	scene.lay(HOUSE, lineOf(line), 1 + rate / 100, stake);
	return scene.back(player, lineOf(line), 1 + rate / 100, stake);
}
function no(scene: ExchangeScene, player: number, line: number, rate: number, stake: number) {
	scene.back(HOUSE, lineOf(line), 1 + rate / 100, stake);
	return scene.lay(player, lineOf(line), 1 + rate / 100, stake);
}
const settleAt = (
	scene: ExchangeScene,
	type: string,
	ended: Parameters<ReturnType<typeof marketType>['resultOf']>[0],
) =>
	scene.apply({
		kind: 'settle-market',
		atMs: 0,
		marketId: MARKET,
		results: marketType(type).resultOf(ended, { runners: LINES.length, lines: LINES }) ?? [],
	});
const profitOf = (scene: ExchangeScene, player: number) =>
	scene.effects.settledPlayers.find(({ walletId }) => walletId === player)?.profit;
const survives = (scene: ExchangeScene) => expect(scene.effects.rebuild().hash()).toBe(scene.engine.hash());

describe('a fancy', () => {
	it('nets YES at a lower line with NO at a higher one (example 13)', () => {
		const scene = fancy();
		yes(scene, 11, 46, 100, 1000);
		no(scene, 11, 50, 100, 1000);
		expect(scene.exposure(11)).toBe(0);
		no(scene, 12, 45, 100, 1000);
		yes(scene, 12, 48, 100, 1000);
		expect(scene.exposure(12)).toBe(2000);
		survives(scene);
	});

	it.each([
		[39, 500],
		[45, 2500],
		[52, 3400],
		[55, -600],
	])('with three lines, at %i runs comes to %i (example 14)', (runs, profit) => {
		const scene = fancy();
		yes(scene, 11, 40, 100, 1000);
		yes(scene, 11, 50, 80, 500);
		no(scene, 11, 55, 100, 2000);
		expect(scene.exposure(11)).toBe(600);
		survives(scene);
		expect(settleAt(scene, 'SESSION_RUNS', { value: runs })).toEqual({ ok: true });
		expect(profitOf(scene, 11)).toBe(profit);
		expect(profitOf(scene, HOUSE)).toBe(-profit);
	});

	it('returns every stake when play stops before its overs are complete', () => {
		const scene = fancy();
		yes(scene, 11, 46, 100, 1000);
		settleAt(scene, 'SESSION_RUNS', { unfinished: true, value: 47 });
		expect(scene.cash(11)).toBe(1_000_000);
	});

	it('is not settled on lines that no number can reach together', () => {
		const scene = fancy();
		const results: RunnerResult[] = ['LOSE', 'WIN', 'LOSE', 'LOSE', 'LOSE', 'LOSE'];
		expect(scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results })).toMatchObject({
			code: 'INCOMPLETE_RESULT',
		});
	});

	it('holds the worst of all possible numbers, for any bets', () => {
		const order = fc.record({
			line: fc.integer({ min: 0, max: 5 }),
			side: fc.constantFrom(0 as const, 1 as const),
			rate: fc.integer({ min: 1, max: 999 }),
			stake: fc.integer({ min: 1, max: 100_000 }),
			matched: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(order, { maxLength: 12 }), (orders) => {
				const figures = emptyFigures(6, RISING);
				for (const { line, side, rate, stake, matched } of orders) {
					if (matched) addMatched(figures, line, side, stake * (100 + rate), stake);
					else addUnmatched(figures, line, side, 100 + rate, stake);
				}
				let worst = 0;
				for (let reached = 0; reached <= 6; reached++) {
					let sum = 0;
					for (const { line, side, rate, stake, matched } of orders) {
						const yesWins = line < reached;
						const asYes = yesWins ? stake * rate : -stake * 100;
						const result = side === 0 ? asYes : -asYes;
						sum += matched ? result : Math.min(0, result);
					}
					worst = Math.min(worst, sum);
				}
				expect(exposureMinor(figures)).toBe(worst === 0 ? 0 : Math.ceil(-worst / 100));
			}),
		);
	});
});

describe('a bookmaker market', () => {
	it('nets a back with a lay of the same team (example 15)', () => {
		const scene = bookmaker();
		scene.lay(HOUSE, 0, 1.85, 1000);
		scene.back(11, 0, 1.85, 1000);
		scene.back(HOUSE, 0, 1.88, 1000);
		scene.lay(11, 0, 1.88, 1000);
		expect(scene.engine.profitLoss(11, MARKET)).toEqual([-3000, 0]);
		expect(scene.exposure(11)).toBe(30);
	});

	it('takes a bet as a whole at the shown rate or better, or not at all', () => {
		const scene = bookmaker();
		scene.lay(HOUSE, 0, 1.85, 1000);
		expect(scene.back(11, 0, 1.9, 500)).toMatchObject({ ok: true, matched: 0, remaining: 0 });
		expect(scene.back(11, 0, 1.85, 1500)).toMatchObject({ ok: true, matched: 0, remaining: 0 });
		expect(scene.exposure(11)).toBe(0);
		expect(scene.back(11, 0, 1.8, 600)).toMatchObject({ ok: true, matched: 600, matchedValue: 600 * 185 });
	});

	it('never lets players meet each other', () => {
		const scene = bookmaker();
		expect(scene.lay(11, 0, 1.85, 1000)).toMatchObject({ matched: 0, remaining: 0 });
		expect(scene.back(12, 0, 1.85, 1000)).toMatchObject({ matched: 0, remaining: 0 });
		expect(scene.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
	});

	it('takes every rate from 1 to 999 per 100, and no other', () => {
		const scene = bookmaker();
		for (const rate of [1, 85, 86, 999]) expect(scene.lay(HOUSE, 0, 1 + rate / 100, 100).ok).toBe(true);
		for (const price of [1, 11]) {
			expect(scene.lay(HOUSE, 0, price, 100)).toMatchObject({ code: 'PRICE_NOT_ON_LADDER' });
		}
	});

	it('limits players, not the house', () => {
		const scene = bookmaker({ maxStake: 500, maxProfit: 300 });
		expect(scene.lay(HOUSE, 0, 1.85, 100_000).ok).toBe(true);
		expect(scene.back(11, 0, 1.85, 501)).toMatchObject({ code: 'STAKE_TOO_LARGE' });
		expect(scene.back(11, 0, 1.85, 500)).toMatchObject({ code: 'PROFIT_TOO_LARGE' });
		expect(scene.back(11, 0, 1.85, 300)).toMatchObject({ matched: 300 });
	});

	it('suspends one team by itself; a bet in its delay lapses', () => {
		const scene = bookmaker({ betDelayMs: 5000, passiveGoesIn: true });
		const suspend = (kind: 'suspend-runner' | 'resume-runner', runner: number, how: { byFeed?: true } = {}) =>
			scene.apply({ kind, atMs: 0, marketId: MARKET, runner, ...how });
		scene.turnInPlay();
		scene.lay(HOUSE, 0, 1.85, 1000);
		scene.lay(HOUSE, 1, 2.1, 1000);
		const delayed = scene.back(11, 0, 1.85, 100);
		expect(delayed).toMatchObject({ dueAtMs: 5000 });
		suspend('suspend-runner', 0);
		survives(scene);
		expect(scene.back(12, 0, 1.85, 100)).toMatchObject({ code: 'RUNNER_SUSPENDED' });
		expect(scene.back(12, 1, 2.1, 100)).toMatchObject({ ok: true });
		expect(scene.apply({ kind: 'admit-bet', atMs: 5000, betId: 3 })).toMatchObject({ matched: 0, remaining: 0 });
		suspend('resume-runner', 0);
		expect(scene.back(12, 0, 1.85, 100)).toMatchObject({ ok: true });
		expect(suspend('suspend-runner', 9)).toMatchObject({ code: 'UNKNOWN_RUNNER' });
	});

	it('stays closed on a runner that an operator suspended, whatever its feed quotes, over a restart', () => {
		const scene = bookmaker();
		const runnerActs = (kind: 'suspend-runner' | 'resume-runner', how: { byFeed?: true } = {}) =>
			scene.apply({ kind, atMs: 0, marketId: MARKET, runner: 0, ...how });
		const version = () => scene.engine.market(MARKET)?.version;
		const seen = version();
		runnerActs('suspend-runner', { byFeed: true });
		expect(runnerActs('resume-runner', { byFeed: true })).toMatchObject({ ok: true });
		expect(version()).toBe(seen);
		runnerActs('suspend-runner');
		expect(version()).toBe((seen ?? 0) + 1);
		survives(scene);
		expect(runnerActs('resume-runner', { byFeed: true })).toMatchObject({ code: 'RUNNER_SUSPENDED' });
		expect(runnerActs('resume-runner')).toMatchObject({ ok: true });
		expect(scene.engine.market(MARKET)).toMatchObject({ suspended: [], heldRunners: [] });
	});
});

describe('a quarter line', () => {
	const handicap = (quarters: number, margin: number) => {
		const scene = new ExchangeScene();
		scene.openMarket({ runners: 2, ladder: 'FINE' });
		scene.players(1_000_000, [11, 12]);
		scene.lay(12, 0, 1.9, 10_000);
		scene.back(11, 0, 1.9, 10_000);
		survives(scene);
		const shape = { runners: 2, handicapQuarters: quarters };
		const results = marketType('ASIAN_HANDICAP').resultOf({ margin }, shape) ?? [];
		expect(scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results })).toEqual({ ok: true });
		expect(profitOf(scene, 12)).toBe(profitOf(scene, 11) === undefined ? undefined : -(profitOf(scene, 11) ?? 0));
		return profitOf(scene, 11);
	};

	it('is two half stakes on its neighbours (example 16)', () => {
		expect(handicap(-1, 0)).toBe(-5000);
		expect(handicap(-3, 1)).toBe(4500);
	});

	it.each([
		[-1, 1, 9000],
		[-3, 0, -10_000],
		[-5, 1, -5000],
		[3, -1, -5000],
		[1, 0, 4500],
		[-4, 1, undefined],
		[2, 0, 9000],
	])('of %i quarters with a margin of %i pays %s', (quarters, margin, profit) => {
		expect(handicap(quarters, margin)).toBe(profit);
	});

	it('takes every hundredth as a price', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ runners: 2, ladder: 'FINE' });
		scene.players(AMPLE, [11, 12, 13]);
		scene.lay(12, 0, 3.01, 100);
		scene.lay(12, 0, 999.99, 100);
		expect(scene.back(11, 0, 3.01, 200)).toMatchObject({ matched: 200, matchedValue: 100 * 99_999 + 100 * 301 });
		scene.back(13, 1, 1000, 100);
		expect(scene.lay(11, 1, 1000, 100)).toMatchObject({ matched: 100 });
	});
});

describe('a market type', () => {
	const shape = { runners: 2, handicapQuarters: 10 };
	const resultOf = (name: string, ...given: Parameters<ReturnType<typeof marketType>['resultOf']>) =>
		marketType(name).resultOf(...given);

	it('over and under is settled early once it is decided', () => {
		expect(resultOf('OVER_UNDER', { value: 3 }, shape)).toEqual(['WIN', 'LOSE']);
		expect(resultOf('OVER_UNDER', { value: 2 }, shape)).toEqual(['LOSE', 'WIN']);
		expect(resultOf('OVER_UNDER', { value: 2 }, { runners: 2, handicapQuarters: 8 })).toEqual(['VOID', 'VOID']);
		expect(resultOf('OVER_UNDER', { value: 3, unfinished: true }, shape)).toEqual(['WIN', 'LOSE']);
		expect(resultOf('OVER_UNDER', { value: 2, unfinished: true }, shape)).toEqual(['VOID', 'VOID']);
	});

	it('runs of a batsman with an unfinished innings count only when no line is open', () => {
		const lines = { runners: 2, lines: [20, 30] };
		expect(resultOf('BATSMAN_RUNS', { value: 30, unfinished: true }, lines)).toEqual(['WIN', 'WIN']);
		expect(resultOf('BATSMAN_RUNS', { value: 29, unfinished: true }, lines)).toEqual(['VOID', 'VOID']);
		expect(resultOf('BATSMAN_RUNS', { value: 29 }, lines)).toEqual(['WIN', 'LOSE']);
	});

	it('has a file, a name and a model, and every type of the rules exists', () => {
		const models = MARKET_TYPE_NAMES.map((name) => [marketType(name).model, name]);
		const named = (model: string) => models.filter(([of]) => of === model).map(([, name]) => name);
		expect(named('EXCHANGE').sort()).toEqual(
			[
				['MATCH_ODDS', 'TO_WIN_THE_TOSS', 'COMPLETED_MATCH', 'TIED_MATCH', 'SET_WINNER', 'CORRECT_SCORE'],
				['OVER_UNDER', 'ASIAN_HANDICAP', 'LINE', 'OUTRIGHT', 'WIN', 'PLACE', 'EACH_WAY', 'DOUBLE_CHANCE'],
			]
				.flat()
				.sort(),
		);
		expect(named('BOOKMAKER')).toEqual(['BOOKMAKER']);
		expect(named('FANCY').sort()).toEqual(
			[['SESSION_RUNS', 'OVER_RUNS', 'BATSMAN_RUNS', 'FALL_OF_WICKET', 'BOUNDARIES', 'ODD_EVEN', 'POINTS'], ['TRADE']]
				.flat()
				.sort(),
		);
	});

	it.each(['TO_WIN_THE_TOSS', 'TIED_MATCH', 'SET_WINNER', 'CORRECT_SCORE', 'OUTRIGHT', 'MATCH_ODDS'])(
		'%s has one winner, and is void when play stops before there is one',
		(name) => {
			expect(marketType(name).winners({ runners: 3 })).toBe(1);
			expect(resultOf(name, { winners: [1] }, { runners: 3 })).toEqual(['LOSE', 'WIN', 'LOSE']);
			expect(resultOf(name, { unfinished: true }, { runners: 3 })).toEqual(['VOID', 'VOID', 'VOID']);
		},
	);

	it('odd and even goes by the number', () => {
		expect(resultOf('ODD_EVEN', { value: 7 }, { runners: 2 })).toEqual(['WIN', 'LOSE']);
		expect(resultOf('ODD_EVEN', { value: 0 }, { runners: 2 })).toEqual(['LOSE', 'WIN']);
	});

	it('double chance pays two of three', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ runners: 3, numberOfWinners: marketType('DOUBLE_CHANCE').winners({ runners: 3 }) });
		scene.players(10_000, [11, 12]);
		scene.lay(12, 0, 1.5, 1000);
		scene.back(11, 0, 1.5, 1000);
		const results = resultOf('DOUBLE_CHANCE', { winners: [0, 2] }, { runners: 3 }) ?? [];
		scene.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results });
		expect(profitOf(scene, 11)).toBe(500);
	});

	it('without a result has none', () => {
		for (const name of ['MATCH_ODDS', 'OVER_UNDER', 'ASIAN_HANDICAP', 'SESSION_RUNS', 'ODD_EVEN']) {
			expect(resultOf(name, {}, shape)).toBeNull();
		}
	});
});

describe('the net of a line', () => {
	it('is the result of every number up to the next line', () => {
		const figures = emptyFigures(3, RISING);
		addMatched(figures, 0, 0, 1000 * 200, 1000);
		addMatched(figures, 2, 1, 1000 * 200, 1000);
		expect([0, 1, 2].map((line) => netIfWins(figures, line))).toEqual([200_000, 200_000, 0]);
	});
});
