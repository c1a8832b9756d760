/**
 * A removal by steps: what becomes of bets between them. That a walk comes to what one command comes to, in markets of every type,
 * is in test/reference/walks.test.ts.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const [LAYER, RICH] = [11, 12];
const [STAYS, OTHER, LEAVES] = [0, 1, 2];

let scene: ExchangeScene;
let waiting: number;

/** LAYER loses 1,000 if LEAVES wins; without it, and without the lay on it, if STAYS does. */
beforeEach(() => {
	scene = new ExchangeScene();
	scene.openMarket();
	scene.player(LAYER, 2_010);
	scene.player(RICH, 100_000);
	scene.back(RICH, LEAVES, 3, 1_000);
	scene.lay(LAYER, LEAVES, 3, 1_000);
	scene.back(RICH, STAYS, 2, 1_000);
	scene.lay(LAYER, STAYS, 2, 1_000);
	scene.back(LAYER, OTHER, 2, 10);
	waiting = scene.lastBet;
});

const remove = () =>
	scene.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: LEAVES, reductionBp: 0, inSteps: true });
const step = (wallets: readonly number[], isLast?: true) =>
	scene.apply({ kind: 'change-wallets', atMs: 0, marketId: MARKET, wallets, ...(isLast ? { isLast } : {}) });

describe('a wallet that no step of a removal has reached', () => {
	it.each<[string, () => Command]>([
		['the cancel of a bet', () => ({ kind: 'cancel-bet', atMs: 0, betId: waiting, walletId: LAYER })],
		['the cancel of all its bets', () => ({ kind: 'cancel-all', atMs: 0, walletId: LAYER })],
	])('holds on what its bets ask, after %s, too', (_, command) => {
		expect(scene.exposure(LAYER)).toBe(1_010);
		remove();
		scene.apply(command());
		expect([scene.cash(LAYER), scene.exposure(LAYER)]).toEqual([1_010, 1_000]);
		expect(scene.effects.rebuild().hash()).toBe(scene.engine.hash());
		step([LAYER, RICH], true);
		expect([scene.cash(LAYER), scene.exposure(LAYER)]).toEqual([1_010, 1_000]);
	});
});
