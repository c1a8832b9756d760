/** Plans on an exchange scene: their placing, and the ends of batches that they go on at. */
import { expect } from 'vitest';
import type { Outcome } from '#engine/outcome.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import type { PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

export const [ASHA, BALA, CARLA] = [11, 12, 13];
export const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);

export function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, ...terms });
	made.players(1_000_000, [ASHA, BALA, CARLA]);
	return made;
}

/** Asha backs runner 0 with 10.00 at 3.00 by a plan. */
export function place(made: ExchangeScene, plan: Plan, asked: Partial<PlaceTrigger> = {}): Outcome {
	return made.apply({
		kind: 'place-trigger',
		atMs: 0,
		triggerId: made.engine.counters().lastBetId + 1,
		walletId: ASHA,
		marketId: MARKET,
		runner: 0,
		side: 0,
		price: 300,
		stake: 1_000,
		persist: true,
		watches: 'NONE',
		moves: 'FALLS',
		at: null,
		trail: null,
		marketVersion: null,
		plan,
		...asked,
	});
}

/** As at the end of a batch, and at the beginning of the next; and once more, until nothing goes on. An engine that was rebuilt in between has the same state. */
export function batches(made: ExchangeScene, atMs = 0): void {
	for (let count = 0; count < 100; count++) {
		made.apply({ kind: 'look-at-triggers', atMs, withoutBest: [] });
		expect(made.effects.rebuild(true).hash(), 'a rebuilt engine').toBe(made.engine.hash());
		const fired = made.apply({ kind: 'fire-triggers', atMs, betId: made.engine.counters().lastBetId + 1 });
		if (!fired.ok) return;
	}
	throw new Error('a plan goes on without end');
}

/** What rests of a runner, as [side, price, remaining]. */
export const restingOf = (made: ExchangeScene, runner = 0) =>
	made.engine.restingBets(MARKET, 'PLAY', runner).map(({ side, price, remaining }) => [side, price, remaining]);

/** How the plans stand, or ended: status, reason and stake. */
export const plansOf = ({ effects }: ExchangeScene) =>
	[...effects.triggers.values()].map(({ status, reason, stake }) => [status, reason, stake]);
