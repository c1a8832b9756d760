/** A wrong result put right: the payment is taken back posting by posting, and the new one is as if it had been the first. */
import { describe, expect, it } from 'vitest';
import type { Command, Settlement, VoidMatches } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Engine } from '#engine/engine.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import type { Outcome } from '#engine/outcome.ts';
import { PLAYERS, RandomCommands } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';
import { type KeptBet, RecordedEffects } from './recorded-effects.ts';

/** The long form, `STORIES=long`, meets what is rare. */
const SEEDS = process.env['STORIES'] === 'long' ? 150 : 15;

/** Settles, and answers with the ledger's record of the settlement. */
class Ledger {
	readonly engine: Engine;
	readonly effects: RecordedEffects;
	#bets: KeptBet[] = [];
	#paidBefore = 0;

	constructor(engine: Engine, effects = new RecordedEffects(engine)) {
		this.engine = engine;
		this.effects = effects;
	}

	settle(results: readonly RunnerResult[], places?: number): Outcome {
		this.#bets = [...this.effects.bets.values()]
			.filter((bet) => bet.marketId === MARKET && bet.matched > 0)
			.map((bet) => ({ ...bet, remaining: 0, fills: this.engine.betDetail(bet.betId).fills }));
		this.#paidBefore = this.effects.settledPlayers.length;
		const paid = places === undefined ? {} : { places };
		return this.#apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results, ...paid });
	}

	reopen(change: { net?: number; bets?: KeptBet[] } = {}): Outcome {
		return this.#apply({ kind: 'reopen-market', atMs: 0, marketId: MARKET, ...this.#settlement(change) });
	}

	/** Pays by another result, or voids, in one command. */
	resettle(results: readonly RunnerResult[] | null, correction?: { runner: number; reductionBp: number }): Outcome {
		const about = { kind: 'resettle-market', atMs: 0, marketId: MARKET, results } as const;
		return this.#apply({ ...about, ...this.#settlement(), ...(correction ? { correction } : {}) });
	}

	#settlement(change: { net?: number; bets?: KeptBet[] } = {}): Settlement {
		const payments = this.effects.settledPlayers
			.slice(this.#paidBefore)
			.filter(({ marketId }) => marketId === MARKET)
			.map(({ walletId, net, commission }) => ({ walletId, net: net + (change.net ?? 0), commission }));
		return { bets: change.bets ?? this.#bets, payments, nextStep: 0 };
	}

	/** Matches of the market whose bets are live, as the ledger names them. */
	matches(): VoidMatches['matches'][number][] {
		const isLive = (betId: number) => (this.effects.bets.get(betId)?.matched ?? 0) > 0;
		return this.effects.fills
			.map(({ taker, maker, price, stake, marketId }, rowNumber) => ({
				batch: 1,
				rowNumber,
				takerBetId: taker,
				makerBetId: maker,
				price,
				stake,
				marketId,
			}))
			.filter(
				({ marketId, takerBetId, makerBetId }) => marketId === MARKET && isLive(takerBetId) && isLive(makerBetId),
			);
	}

	void(matches: VoidMatches['matches']): Outcome {
		return this.#apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches });
	}

	voidSettled(matches: VoidMatches['matches']): Outcome {
		const settlement = this.#settlement();
		return this.#apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches, settlement });
	}

	#apply(command: Command): Outcome {
		const outcome = this.engine.apply(command, this.effects);
		this.engine.checkInvariants();
		return outcome;
	}
}

function story(seed: number): Ledger {
	const random = new RandomCommands(seed);
	const ledger = new Ledger(createEngine());
	for (const command of random.opening()) ledger.engine.apply(command, ledger.effects);
	for (let count = 0; count < 90; count++) {
		const command = random.next();
		if (command.kind !== 'settle-market' && command.kind !== 'void-market')
			ledger.engine.apply(command, ledger.effects);
	}
	return ledger;
}
const cashOf = (ledger: Ledger) => PLAYERS.map(({ walletId }) => ledger.engine.wallet(walletId)?.cash);

describe('a market settled anew', () => {
	it(`leaves every player with what the right result alone had given him (${SEEDS} random stories)`, () => {
		let moved = 0;
		for (let seed = 8001; seed <= 8000 + SEEDS; seed++) {
			const [wrong, right] = [story(seed), story(seed)];
			const results: RunnerResult[][] = [
				['WIN', 'LOSE', 'LOSE'],
				['LOSE', 'WIN', 'LOSE'],
				['VOID', 'LOSE', 'WIN'],
			];
			const [first, second] = [results[seed % 3], results[(seed + 1) % 3]] as [RunnerResult[], RunnerResult[]];
			wrong.settle(first);
			const paid = cashOf(wrong);
			if (seed % 2 === 0) {
				expect(wrong.reopen(), `seed ${seed}`).toEqual({ ok: true });
				expect(wrong.effects.rebuild().hash(), `seed ${seed}`).toBe(wrong.engine.hash());
				expect(wrong.settle(second)).toEqual({ ok: true });
			} else expect(wrong.resettle(second), `seed ${seed}`).toEqual({ ok: true });
			expect(wrong.effects.rebuild().hash(), `seed ${seed}`).toBe(wrong.engine.hash());
			right.settle(second);
			expect(cashOf(wrong), `seed ${seed}`).toEqual(cashOf(right));
			if (JSON.stringify(paid) !== JSON.stringify(cashOf(right))) moved++;
		}
		expect(moved).toBeGreaterThan(SEEDS / 2);
	});

	it('is relieved of a match by one command as by reopening, voiding and settling (random stories)', {
		tags: 'thorough',
	}, () => {
		let compared = 0;
		for (let seed = 8001; seed <= 8060; seed++) {
			const [inOne, inThree] = [story(seed), story(seed)];
			const [match] = inOne.matches();
			if (!match) continue;
			const results: RunnerResult[] = ['WIN', 'LOSE', 'LOSE'];
			for (const ledger of [inOne, inThree]) expect(ledger.settle(results)).toEqual({ ok: true });
			const paid = inOne.engine.hash();
			expect(inOne.voidSettled([{ ...match, stake: match.stake + 1e9 }]), `seed ${seed}`).toMatchObject({ ok: false });
			expect(inOne.engine.hash()).toBe(paid);
			expect(inOne.voidSettled([match]), `seed ${seed}`).toEqual({ ok: true });
			expect(inOne.engine.market(MARKET), `seed ${seed}`).toMatchObject({ status: 'SETTLED', results });
			expect(inOne.effects.rebuild().hash(), `seed ${seed}`).toBe(inOne.engine.hash());
			inThree.reopen();
			inThree.void([match]);
			inThree.settle(results);
			expect(cashOf(inOne), `seed ${seed}`).toEqual(cashOf(inThree));
			compared++;
		}
		expect(compared).toBeGreaterThan(30);
	});

	it('can be reopened and settled repeatedly, and every posting has a number of its own', () => {
		const ledger = story(8001);
		for (const winner of [0, 1, 0]) {
			ledger.settle([0, 1, 2].map((runner) => (runner === winner ? 'WIN' : 'LOSE')));
			expect(ledger.reopen()).toEqual({ ok: true });
		}
		const numbers = ledger.effects.postings.map(({ kind, ref, step }) => `${kind} ${ref} ${step}`);
		expect(new Set(numbers).size).toBe(numbers.length);
	});
});

describe('paying another result', () => {
	/** 12 backs the first runner at 3.00 for 100 of 11, and the second one is removed without a factor. */
	function race(factorBp: number): Ledger {
		const scene = new ExchangeScene();
		scene.openMarket({ reducible: true });
		scene.players(1000, [11, 12]);
		scene.lay(11, 0, 3, 100);
		scene.back(12, 0, 3, 100);
		scene.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 1, reductionBp: factorBp });
		return new Ledger(scene.engine, scene.effects);
	}
	const WON: RunnerResult[] = ['WIN', 'LOSE', 'LOSE'];

	it('with a corrected factor gives what a settlement at that factor had given', () => {
		const [wrong, right] = [race(0), race(2200)];
		for (const ledger of [wrong, right]) ledger.settle(WON);
		expect(wrong.engine.wallet(12)).toMatchObject({ cash: 1200 });
		expect(wrong.resettle(WON, { runner: 1, reductionBp: 2200 })).toEqual({ ok: true });
		// 3.00 × 0.78 = 2.34
		expect(wrong.engine.wallet(12)).toMatchObject({ cash: 1134, exposure: 0 });
		expect(cashOf(wrong)).toEqual(cashOf(right));
		expect(wrong.engine.market(MARKET)).toMatchObject({ status: 'SETTLED', removed: [[1, 2200]] });
		expect(wrong.effects.rebuild().hash()).toBe(wrong.engine.hash());
	});

	it('or none at all returns every stake', () => {
		const ledger = race(0);
		ledger.settle(WON);
		expect(ledger.resettle(null)).toEqual({ ok: true });
		expect(ledger.engine.market(MARKET)).toMatchObject({ status: 'VOIDED' });
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1000, exposure: 0 });
	});

	it('is refused whole when the result or the factor is none, or the market is not paid', () => {
		const ledger = race(0);
		expect(ledger.resettle(WON)).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
		ledger.settle(WON);
		const paid = ledger.engine.hash();
		expect(ledger.resettle(['WIN', 'LOSE'])).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
		for (const correction of [
			{ runner: 2, reductionBp: 500 },
			{ runner: 1, reductionBp: 10_000 },
		])
			expect(ledger.resettle(WON, correction)).toEqual({ ok: false, code: 'INVALID_REDUCTION' });
		expect(ledger.engine.hash()).toBe(paid);
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1200 });
	});
});

describe('reopening a settled market', () => {
	/** 12 wins 500 from 11, less 10 of commission. */
	function paid(): Ledger {
		const scene = new ExchangeScene();
		scene.openMarket({ commissionBp: 200 });
		scene.players(1000, [11, 12]);
		scene.lay(11, 0, 2, 500);
		scene.back(12, 0, 2, 500);
		const ledger = new Ledger(scene.engine, scene.effects);
		ledger.settle(['WIN', 'LOSE', 'LOSE']);
		return ledger;
	}

	it('reverses winnings, losses and commission, and holds the bets’ exposure', () => {
		const ledger = paid();
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1490, exposure: 0 });
		ledger.reopen();
		expect(ledger.engine.wallet(11)).toMatchObject({ cash: 500, exposure: 500 });
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 500, exposure: 500 });
		expect(ledger.engine.houseBalance('commission', 'PLAY', 0)).toBe(0);
		expect(ledger.engine.market(MARKET)).toMatchObject({ status: 'CLOSED', results: null });
	});

	it('reverses a settlement for fewer places, and the next one pays all of them', () => {
		const scene = new ExchangeScene();
		scene.openMarket({ numberOfWinners: 2, reducible: true });
		scene.players(1000, [11, 12]);
		scene.lay(11, 0, 3, 200);
		scene.back(12, 0, 3, 200);
		const ledger = new Ledger(scene.engine, scene.effects);
		expect(ledger.settle(['WIN', 'WIN', 'LOSE'], 1)).toEqual({ ok: true });
		// Half of the stake wins 200, the other half loses 100.
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1100 });
		expect(ledger.effects.rebuild().hash()).toBe(ledger.engine.hash());
		expect(ledger.reopen()).toEqual({ ok: true });
		expect(ledger.settle(['WIN', 'WIN', 'LOSE'])).toEqual({ ok: true });
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1400 });
	});

	it('lets single matches be voided before it is settled anew', () => {
		const ledger = paid();
		ledger.reopen();
		const match = { batch: 1, rowNumber: 0, takerBetId: 2, makerBetId: 1, price: 200, stake: 500 };
		const command: Command = { kind: 'void-matches', atMs: 0, marketId: MARKET, matches: [match] };
		expect(ledger.engine.apply(command, ledger.effects)).toEqual({ ok: true });
		ledger.settle(['WIN', 'LOSE', 'LOSE']);
		expect(ledger.engine.wallet(12)).toMatchObject({ cash: 1000, exposure: 0 });
	});

	it('takes spent winnings from a balance below zero', () => {
		const scene = new ExchangeScene();
		scene.openMarket();
		scene.openMarket({ marketId: 2 });
		scene.players(1000, [11, 12]);
		scene.lay(11, 0, 2, 1000);
		scene.back(12, 0, 2, 1000);
		const ledger = new Ledger(scene.engine, scene.effects);
		ledger.settle(['WIN', 'LOSE', 'LOSE']);
		scene.back(12, 0, 2, 2000, { marketId: 2 });
		ledger.reopen();
		expect(scene.engine.wallet(12)).toMatchObject({ cash: -1000, exposure: 2000 });
		expect(scene.back(12, 0, 2, 10, { marketId: 2 })).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
	});

	it('is refused when the ledger’s bets do not come to the settlement, and nothing changes', () => {
		const ledger = paid();
		const before = ledger.engine.hash();
		expect(ledger.reopen({ net: 1 })).toMatchObject({ code: 'WRONG_MARKET_STATE' });
		expect(ledger.reopen({ bets: [] })).toMatchObject({ code: 'WRONG_MARKET_STATE' });
		expect(ledger.engine.hash()).toBe(before);
	});

	it('is refused for a market that was not settled', () => {
		const ledger = story(8001);
		expect(ledger.reopen()).toMatchObject({ code: 'WRONG_MARKET_STATE' });
	});
});
