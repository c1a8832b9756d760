/** An engine runs for months: the memory of an ended market is freed. */
import { describe, expect, it } from 'vitest';
import type { Pool } from '#values/pools.ts';
import { ExchangeScene } from './exchange-scene.ts';

/** The pools of every other market: its row is as long as its books are many. */
const SEVERAL_POOLS: readonly Pool[] = ['PLAY', 'DEMO', 'PLAY-JPY'];

/** A market of the longest ladder, from its opening to the payment of a bet, with another left to lapse. */
function playMarket(scene: ExchangeScene, marketId: number): void {
	scene.openMarket({ marketId, runners: 2, ladder: 'FINE', pools: marketId % 2 === 0 ? SEVERAL_POOLS : ['PLAY'] });
	scene.lay(1, 0, 1.9, 1000, { marketId });
	scene.back(2, 0, 1.9, 600, { marketId });
	scene.back(2, 1, 900, 100, { marketId });
	const settled = scene.apply({ kind: 'settle-market', atMs: 0, marketId, results: ['WIN', 'LOSE'] });
	expect(settled.ok).toBe(true);
}

function forgetAfterPlay(scene: ExchangeScene, marketId: number): void {
	playMarket(scene, marketId);
	scene.engine.forgetMarket(marketId);
}

describe('memory of ended markets', () => {
	it('is reused by later markets', { tags: 'thorough' }, () => {
		const scene = new ExchangeScene();
		scene.players(1_000_000_000, [1, 2]);
		for (let marketId = 1; marketId <= 20; marketId++) playMarket(scene, marketId);
		const before = scene.engine.memoryBytes();
		for (let marketId = 21; marketId <= 420; marketId++) playMarket(scene, marketId);
		// The ladders of one such market take 200 kB: kept, they were 80 MB.
		expect(scene.engine.memoryBytes() - before).toBeLessThan(4_000_000);
	});

	it('is not allocated when they are restored', () => {
		const scene = new ExchangeScene();
		scene.players(1_000_000_000, [1, 2]);
		for (let marketId = 1; marketId <= 200; marketId++) playMarket(scene, marketId);
		expect(scene.effects.rebuild().memoryBytes()).toBeLessThan(4_000_000);
	});

	it('is allocated for open markets', () => {
		const scene = new ExchangeScene();
		const before = scene.engine.memoryBytes();
		for (let marketId = 1; marketId <= 100; marketId++) scene.openMarket({ marketId, runners: 2, ladder: 'FINE' });
		expect(scene.engine.memoryBytes() - before).toBeGreaterThan(4_000_000);
	});

	it('is freed once they are forgotten, and the others are found as before', () => {
		const scene = new ExchangeScene();
		scene.players(1_000_000_000, [1, 2]);
		for (const marketId of [1, 2, 3, 5]) scene.openMarket({ marketId, runners: 2 });
		scene.lay(1, 0, 2.5, 1000, { marketId: 5 });
		for (const marketId of [1, 3]) expect(scene.settle(0, marketId).ok).toBe(true);
		const digest = scene.engine.hash();
		for (const marketId of [1, 2, 3, 4]) scene.engine.forgetMarket(marketId);
		expect([1, 2, 3, 5].map((marketId) => scene.engine.market(marketId)?.status)).toEqual([
			undefined,
			'OPEN',
			undefined,
			'OPEN',
		]);
		expect(scene.engine.hash()).toBe(digest);
		scene.back(2, 0, 2.5, 300, { marketId: 5 });
		scene.lay(1, 1, 2.5, 10, { marketId: 2 });
		expect(scene.engine.marketExposure(1, 5)).toBe(1500);
		expect(scene.apply({ kind: 'cancel-all', atMs: 0, walletId: 1 })).toMatchObject({ ok: true, cancelled: 710 });
		expect(scene.effects.rebuild().hash()).toBe(scene.engine.hash());
		for (let marketId = 100; marketId < 120; marketId++) forgetAfterPlay(scene, marketId);
		const before = scene.engine.memoryBytes();
		for (let marketId = 120; marketId < 3000; marketId++) forgetAfterPlay(scene, marketId);
		expect(scene.engine.memoryBytes()).toBe(before);
		expect(scene.engine.houseAccounts().filter(({ kind }) => kind === 'pot')).toEqual([]);
	});

	it('is freed without touching the books and the traded volume of others', () => {
		const scene = new ExchangeScene();
		scene.players(1_000_000_000, [1, 2]);
		playMarket(scene, 1);
		scene.openMarket({ marketId: 2, runners: 2, ladder: 'FINE' });
		scene.lay(1, 0, 2.5, 1000, { marketId: 2 });
		playMarket(scene, 3);
		expect(scene.engine.levels(2, 'PLAY', 0, 1, 3)).toEqual([{ price: 250, size: 1000 }]);
		for (const marketId of [1, 3]) {
			expect(scene.engine.levels(marketId, 'PLAY', 0, 1, 3)).toEqual([]);
			expect(scene.engine.totalMatched(marketId, 'PLAY', 0)).toBe(600);
			expect(scene.engine.lastPriceTraded(marketId, 'PLAY', 0)).toBe(190);
		}
	});
});
