/**
 * Recovery: an engine rebuilt from a listener's record has the digest of the first one and behaves the same from then
 * on, postings and their numbers included.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import { RandomCommands } from '../reference/random-commands.ts';
import { MARKETS, RACING_MARKETS } from '../reference/random-markets.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';
import { RecordedEffects } from './recorded-effects.ts';

/** The long form, `STORIES=long`, meets what is rare. */
const SEEDS = process.env['STORIES'] === 'long' ? 150 : 40;

describe('an engine rebuilt from the record', () => {
	it(`equals the first one in digest and in everything that follows (${SEEDS} random stories)`, () => {
		for (let seed = 5001; seed <= 5000 + SEEDS; seed++) {
			const random = new RandomCommands(seed, [MARKETS, RACING_MARKETS][seed % 2]);
			const first = createEngine();
			const before = new RecordedEffects(first);
			for (const command of random.opening()) first.apply(command, before);
			for (let count = 0; count < 20 + (seed % 60); count++) first.apply(random.next(), before);

			const second = before.rebuild();
			expect(second.hash(), `seed ${seed}`).toBe(first.hash());
			second.checkInvariants();

			const future: Command[] = Array.from({ length: 40 }, () => random.next());
			future.push(...random.ending());
			const secondAfter = tellAll(before.copy(second), future);
			const firstAfter = tellAll(before, future);
			expect(secondAfter, `seed ${seed}`).toEqual(firstAfter);
		}
	});

	it('keeps the place of a delayed bet, behind one that was placed during its delay', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ betDelayMs: 1000, passiveGoesIn: true });
		scene.players(100_000, [11, 12, 13]);
		scene.turnInPlay();
		scene.back(11, 0, 3, 100);
		scene.lay(12, 0, 3, 100);
		scene.cancel(1);
		scene.lay(13, 0, 3, 100);
		scene.apply({ kind: 'admit-bet', atMs: 1000, betId: 2 });
		scene.lay(11, 0, 3, 100);
		const queue = (engine: typeof scene.engine) => engine.restingBets(MARKET, 'PLAY', 0).map(({ betId }) => betId);
		expect(queue(scene.engine)).toEqual([3, 2, 4]);
		expect(queue(scene.effects.rebuild())).toEqual([3, 2, 4]);
	});

	it('keeps the order of the queue', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(100_000, [11, 12, 13]);
		scene.lay(11, 0, 2.0, 500);
		scene.lay(12, 0, 2.0, 500);
		scene.cancel(1, 11, 300);
		const second = scene.effects.rebuild();
		expect(second.restingBets(MARKET, 'PLAY', 0)).toEqual([
			{ betId: 1, side: 1, price: 200, remaining: 200 },
			{ betId: 2, side: 1, price: 200, remaining: 500 },
		]);
	});
});

describe('the digest', () => {
	it('differs with every difference that decides later behaviour', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.players(100_000, [11, 12]);
		scene.lay(11, 0, 2.0, 500);
		scene.back(12, 0, 2.0, 200);
		const digest = scene.engine.hash();
		const changes: ((kept: RecordedEffects) => void)[] = [
			(kept) => change(kept.bets.get(1), { remaining: 301 }),
			(kept) => change(kept.bets.get(1), { persist: true }),
			(kept) => change(kept.bets.get(1), { price: 202 }),
			(kept) => change(kept.bets.get(1), { matchedValue: 40_001 }),
			(kept) => change(kept.bets.get(1), { runner: 1 }),
			(kept) => change(kept.wallets.get(11), { cash: 1 }),
			(kept) => change(kept.wallets.get(11), { version: 9 }),
			(kept) => change(kept.wallets.get(11), { commissionBp: 100 }),
			(kept) => change(kept.markets.get(MARKET), { inPlay: true }),
			(kept) => change(kept.markets.get(MARKET), { commissionBp: 1 }),
			(kept) => change(kept.markets.get(MARKET), { status: 'SUSPENDED' }),
			(kept) => change(kept.house.get('mint PLAY 0'), { balance: 0 }),
		];
		expect(scene.effects.rebuild().hash()).toBe(digest);
		for (const make of changes) {
			const kept = scene.effects.copy();
			make(kept);
			expect(kept.rebuild().hash(), make.toString()).not.toBe(digest);
		}
	});
});

function change<T extends object>(record: T | undefined, fields: Partial<T>): void {
	if (!record) throw new Error('nothing kept to change');
	Object.assign(record, fields);
}

/** All that an engine answers and tells for some commands, and its digest after each. */
function tellAll(effects: RecordedEffects, commands: readonly Command[]): unknown[] {
	const { postings, fills, lapses, voids, settledBets, settledPlayers } = effects;
	const from = [postings, fills, lapses, voids, settledBets, settledPlayers].map((list) => list.length);
	const answers = commands.map((command) => [effects.engine.apply(command, effects), effects.engine.hash()]);
	const told = [postings, fills, lapses, voids, settledBets, settledPlayers].map((list, at) => list.slice(from[at]));
	return [...answers, ...told];
}
