/**
 * Positions for which less is held than their bets may lose: the money that they lack is spent on nothing else. That a bet is
 * refused exactly then, in markets of every type, is in test/reference/reference.test.ts.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { changeByWalk } from './change-by-walk.ts';
import { ExchangeScene } from './exchange-scene.ts';
import { matchedBets, reverseByWalk, reversedWallets } from './reverse-by-walk.ts';
import { settleByWalk } from './settle-by-walk.ts';

const [SHORT, RICH] = [11, 12];
const ELSEWHERE = { marketId: 2 };
const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);

let scene: ExchangeScene;
/** Bets of SHORT that wait elsewhere: a back of 1,000, and a lay of 10 at 2.00. */
let waitingBack: number;
let waitingLay: number;

/** SHORT has 1,010, of which market 1 may lose 1,000 and holds nothing; 1,000 are free again. */
beforeEach(() => {
	scene = new ExchangeScene();
	for (const marketId of [1, 2]) scene.openMarket({ marketId });
	scene.player(SHORT, 1_010);
	scene.player(RICH, 100_000);
	for (const runner of [0, 2]) {
		scene.back(RICH, runner, 2, 1_000);
		scene.lay(SHORT, runner, 2, 1_000);
	}
	scene.back(SHORT, 0, 2, 1_000, ELSEWHERE);
	waitingBack = scene.lastBet;
	scene.lay(SHORT, 1, 2, 10, ELSEWHERE);
	waitingLay = scene.lastBet;
	scene.apply({ kind: 'remove-runner', atMs: 0, marketId: 1, runner: 2, reductionBp: 0 });
	scene.cancel(waitingBack, SHORT);
});

const withdraw = (engine: Engine, walletId: number, amount: number, effects: Effects): Outcome => {
	const move = { kind: 'WITHDRAWAL', ref: 1, step: 0, debit: 'cash', credit: 'hold', amount } as const;
	return engine.apply({ kind: 'transfer', atMs: 0, walletId, pool: 'PLAY', moves: [move] }, effects);
};
const trigger = {
	kind: 'place-trigger',
	atMs: 0,
	walletId: SHORT,
	...ELSEWHERE,
	runner: 0,
	side: 0,
	price: 200,
	stake: 10,
	persist: true,
	watches: 'LAST_TRADED',
	moves: 'FALLS',
	at: 150,
	trail: null,
	marketVersion: null,
} as const;

describe('money that the bets of one market lack', () => {
	it('is not there for a bet in another market, for a trigger, or for a price that asks more', () => {
		expect([scene.cash(SHORT), scene.exposure(SHORT)]).toEqual([1_000, 10]);
		expect(codeOf(scene.back(SHORT, 0, 2, 1, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
		const triggerId = scene.engine.counters().lastBetId + 1;
		expect(codeOf(scene.apply({ ...trigger, triggerId }))).toBe('INSUFFICIENT_FUNDS');
		const dearer = { kind: 'replace-bet', atMs: 0, betId: waitingLay, newBetId: triggerId, walletId: SHORT } as const;
		expect(codeOf(scene.apply({ ...dearer, price: 300 }))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(scene.apply({ ...dearer, price: 150 }))).toBe(null);
	});

	it('leaves what is beyond it', () => {
		scene.apply({ kind: 'grant-coins', atMs: 0, grantId: 99, walletId: SHORT, amount: 50 });
		expect(codeOf(scene.back(SHORT, 0, 2, 51, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(scene.back(SHORT, 0, 2, 50, ELSEWHERE))).toBe(null);
	});

	it('counts in the player’s largest exposure', () => {
		scene.apply({ kind: 'grant-coins', atMs: 0, grantId: 99, walletId: SHORT, amount: 500 });
		const limits = { maxStake: 0, maxProfit: 0, maxExposure: 1_100 };
		scene.apply({ kind: 'set-limits', atMs: 0, walletId: SHORT, limits });
		expect(codeOf(scene.back(SHORT, 0, 2, 91, ELSEWHERE))).toBe('EXPOSURE_LIMIT');
		expect(codeOf(scene.back(SHORT, 0, 2, 90, ELSEWHERE))).toBe(null);
	});

	it('is there for its own market, and bets there that lower the loss set it free', () => {
		scene.lay(RICH, 0, 2, 600);
		expect(codeOf(scene.back(SHORT, 0, 2, 600))).toBe(null);
		expect([scene.cash(SHORT), scene.exposure(SHORT)]).toEqual([600, 410]);
		expect(codeOf(scene.back(SHORT, 0, 2, 601, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(scene.back(SHORT, 0, 2, 600, ELSEWHERE))).toBe(null);
	});

	it('is free again with the end of its market', () => {
		scene.settle(1);
		expect(codeOf(scene.back(SHORT, 0, 2, 2_000, ELSEWHERE))).toBe(null);
	});

	it('is the same after a recovery', () => {
		const bet = { kind: 'place-bet', atMs: 0, walletId: SHORT, runner: 0, side: 0, price: 200, stake: 1 } as const;
		const placeIn = (marketId: number) => {
			const recovered = scene.effects.rebuild();
			const betId = recovered.counters().lastBetId + 1;
			return codeOf(recovered.apply({ ...bet, persist: false, marketId, betId }, scene.effects.copy(recovered)));
		};
		expect([placeIn(1), placeIn(2)]).toEqual([null, 'INSUFFICIENT_FUNDS']);
	});

	it('is not spent while its market is settled, wallet by wallet, until its own turn', () => {
		const step = { atMs: 0, marketId: 1 };
		scene.apply({ kind: 'begin-settlement', ...step, results: ['WIN', 'LOSE', 'LOSE'] });
		expect(codeOf(withdraw(scene.engine, SHORT, 1, scene.effects))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(scene.back(SHORT, 0, 2, 1, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
		scene.apply({ kind: 'settle-wallets', ...step, wallets: [SHORT] });
		expect([scene.cash(SHORT), scene.exposure(SHORT)]).toEqual([0, 10]);
		scene.apply({ kind: 'settle-wallets', ...step, wallets: [RICH] });
		expect(scene.engine.market(1)?.status).toBe('SETTLED');
	});

	it('is not spent while the unmatched bets of its market lapse, wallet by wallet', () => {
		scene.apply({ kind: 'suspend-market', atMs: 0, marketId: 1, lapseUnmatched: true, inSteps: true });
		expect(codeOf(scene.back(SHORT, 0, 2, 1, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
	});
});

/** Two players and two markets; in the first one RICH backs these runners at 2.00, and SHORT lays them. */
function layingScene(runners: readonly number[]): ExchangeScene {
	const laying = new ExchangeScene();
	for (const marketId of [1, 2]) laying.openMarket({ marketId });
	laying.player(SHORT, 1_010);
	laying.player(RICH, 100_000);
	for (const runner of runners) {
		laying.back(RICH, runner, 2, 1_000);
		laying.lay(SHORT, runner, 2, 1_000);
	}
	return laying;
}

/** Ten are free, and no more, for a withdrawal and for a bet elsewhere, in a recovered engine, too. */
function expectTenFree({ engine, effects }: ExchangeScene): void {
	expect([engine.lacked(SHORT), effects.rebuild().lacked(SHORT)]).toEqual([1_000, 1_000]);
	const bet = { kind: 'place-bet', atMs: 0, walletId: SHORT, ...ELSEWHERE, runner: 0, side: 0, price: 200 } as const;
	const spend = (amount: number) => {
		const [forBet, forWithdrawal] = [effects.rebuild(), effects.rebuild()];
		const betId = forBet.counters().lastBetId + 1;
		return [
			codeOf(forBet.apply({ ...bet, betId, stake: amount, persist: false }, effects.copy(forBet))),
			codeOf(withdraw(forWithdrawal, SHORT, amount, effects.copy(forWithdrawal))),
		];
	};
	expect(spend(11)).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS']);
	expect(spend(10)).toEqual([null, null]);
	expect(codeOf(withdraw(engine, SHORT, 11, effects))).toBe('INSUFFICIENT_FUNDS');
}

it('money that a removed runner will leave lacking is not spent while a walk is on its way to the bets', () => {
	const walked = layingScene([0, 2]);
	expect([walked.cash(SHORT), walked.exposure(SHORT)]).toEqual([1_010, 0]);
	const removal = { atMs: 0, marketId: 1, runner: 2, reductionBp: 0 } as const;
	walked.apply({ kind: 'remove-runner', ...removal, inSteps: true });
	expectTenFree(walked);
	expect(codeOf(walked.back(SHORT, 0, 2, 11, ELSEWHERE))).toBe('INSUFFICIENT_FUNDS');
	walked.apply({ kind: 'change-wallets', atMs: 0, marketId: 1, wallets: [SHORT] });
	expect([walked.cash(SHORT), walked.exposure(SHORT), walked.engine.lacked(SHORT)]).toEqual([10, 1_000, 0]);
	walked.apply({ kind: 'change-wallets', atMs: 0, marketId: 1, wallets: [RICH], isLast: true });
	expect(walked.engine.market(1)?.changing).toBe(null);
});

it('money that a returned runner will leave lacking is not spent while a walk is on its way to the bets', () => {
	const walked = layingScene([0]);
	const ofMarket = { atMs: 0, marketId: 1 };
	// Now 1,000 are won with the first runner, and lost with both others. When these are out, nothing is held.
	walked.lay(RICH, 0, 2, 2_000);
	walked.back(SHORT, 0, 2, 2_000);
	for (const runner of [1, 2]) walked.apply({ kind: 'remove-runner', ...ofMarket, runner, reductionBp: 0 });
	expect([walked.cash(SHORT), walked.exposure(SHORT)]).toEqual([1_010, 0]);
	walked.apply({ kind: 'return-runner', ...ofMarket, runner: 1, inSteps: true });
	expectTenFree(walked);
	walked.apply({ kind: 'change-wallets', ...ofMarket, wallets: [SHORT, RICH], isLast: true });
	expect([walked.cash(SHORT), walked.exposure(SHORT)]).toEqual([10, 1_000]);
});

it('money that is lacked is not spent while a walk takes the settlement back, from the step that brings the bets back', () => {
	const walked = layingScene([0]);
	const bets = matchedBets(walked.engine, walked.effects, 1);
	walked.settle(1);
	const { nextStep = 0 } = walked.engine.market(1) ?? {};
	const settlement = { bets, payments: walked.effects.settledPlayers.slice(), nextStep };
	walked.back(SHORT, 0, 2, 2_010, ELSEWHERE);
	const elsewhere = walked.lastBet;
	const extent = { betCount: bets.length, paidSinceMs: 0, nextStep };
	walked.apply({ kind: 'begin-reversal', atMs: 0, marketId: 1, ...extent, next: null });
	const [winner, loser] = reversedWallets(walked.engine, 1, settlement);
	const bringBack = (wallet: typeof winner) =>
		walked.apply({ kind: 'reverse-wallets', atMs: 0, marketId: 1, wallets: wallet ? [wallet] : [] });
	bringBack(winner);
	walked.cancel(elsewhere, SHORT);
	expect([walked.engine.market(1)?.status, walked.cash(SHORT), walked.exposure(SHORT)]).toEqual(['SETTLING', 1_010, 0]);
	expectTenFree(walked);
	bringBack(loser);
	expect(walked.engine.market(1)?.status).toBe('CLOSED');
	expectTenFree(walked);
});

const PLAYERS = [11, 12, 13];
const PAIRS = PLAYERS.flatMap((one) => PLAYERS.filter((other) => other !== one).map((other) => [one, other] as const));
const RANDOM_MARKETS = [
	{ marketId: 1, runners: 3 },
	{ marketId: 2, runners: 4, reducible: true },
	{ marketId: 3, runners: 4, numberOfWinners: 2 },
];
/** Nothing happens here but bets that wait. */
const WAITING = { marketId: 4 };

/** Bets, removals, voids, settlements and reversals, in one command or by walks with bets in between. */
class RandomLife {
	readonly scene = new ExchangeScene();
	readonly #numbers: SeededNumbers;
	/** Commands after which a wallet lacked something. */
	lacked = 0;
	refused = 0;

	constructor(seed: number) {
		this.#numbers = new SeededNumbers(seed);
		for (const terms of [...RANDOM_MARKETS, WAITING]) this.scene.openMarket(terms);
		for (const walletId of PLAYERS) this.scene.player(walletId, 300 + this.#numbers.below(1_200));
	}

	/** By the worst of each market, without what the engine remembers. */
	#lackingOf(walletId: number): number {
		const { engine } = this.scene;
		const lacks = [...RANDOM_MARKETS, WAITING].map(
			({ marketId }) => engine.exposureWith(walletId, marketId, []).now - engine.marketExposure(walletId, marketId),
		);
		return lacks.reduce((sum, each) => sum + Math.max(0, each), 0);
	}

	#free(walletId: number): number {
		return (this.scene.cash(walletId) ?? 0) - this.#lackingOf(walletId);
	}

	/** A wallet spends all but what its bets lack, and no more; so does a recovered engine. */
	checkRecovered(): void {
		const { engine, effects } = this.scene;
		const recovered = effects.rebuild();
		recovered.checkInvariants();
		for (const walletId of PLAYERS) {
			const free = this.#free(walletId);
			if (this.#lackingOf(walletId) > 0) this.lacked++;
			for (const each of [engine, recovered])
				expect(codeOf(withdraw(each, walletId, Math.max(0, free) + 1, effects))).toBe('INSUFFICIENT_FUNDS');
			if (free > 0) expect(codeOf(withdraw(recovered, walletId, free, effects.copy(recovered)))).toBe(null);
		}
	}

	readonly #onStep = (): void => {
		this.scene.engine.checkInvariants();
		this.scene.effects.rebuild().checkInvariants();
		if (this.#numbers.chance(50)) this.#bet();
	};

	/** A bet of one player that another one's bet meets, where both are taken. */
	#bet(): Outcome {
		const numbers = this.#numbers;
		const terms = { marketId: numbers.from(RANDOM_MARKETS).marketId, persist: true };
		const [maker, taker] = numbers.from(PAIRS);
		const [runner, price, stake] = [numbers.below(3), numbers.from([1.5, 2, 3]), 50 + numbers.below(250)];
		this.scene.lay(maker, runner, price, stake, terms);
		return this.scene.back(taker, runner, price, numbers.chance(70) ? stake : 10, terms);
	}

	/** All money of a player, at a price that nothing meets: a cancel frees it when it may be lacked elsewhere. */
	#waitWithAll(walletId = this.#numbers.from(PLAYERS)): Outcome {
		const cash = this.scene.cash(walletId) ?? 0;
		return this.scene.back(walletId, 2, 1_000, Math.max(1, cash), WAITING);
	}

	/** A bet never takes what others lack; where a void match left less, no bet makes it less still. */
	#placeAndCompare(place: () => Outcome): void {
		const before = PLAYERS.map((walletId) => this.#free(walletId));
		const outcome = place();
		if (!outcome.ok && outcome.code === 'INSUFFICIENT_FUNDS') this.refused++;
		for (const [at, walletId] of PLAYERS.entries())
			expect(this.#free(walletId)).toBeGreaterThanOrEqual(Math.min(0, before[at] as number));
	}

	#voidMatch(): void {
		const { effects } = this.scene;
		if (effects.fills.length === 0) return;
		const { taker, maker, price, stake, marketId } = this.#numbers.from(effects.fills);
		if (marketId === 2) return;
		for (const betId of [taker, maker])
			this.#placeAndCompare(() => this.#waitWithAll(effects.bets.get(betId)?.walletId));
		const match = { batch: 1, rowNumber: 0, takerBetId: taker, makerBetId: maker, price, stake };
		this.scene.apply({ kind: 'void-matches', atMs: 0, marketId, matches: [match] });
	}

	#settle(marketId: number): void {
		const [numbers, { engine, effects }] = [this.#numbers, this.scene];
		const market = engine.market(marketId);
		if (!market || market.status === 'SETTLED' || market.status === 'VOIDED') return;
		const [first, second] = numbers.below(2) === 0 ? [0, 1] : [1, 2];
		const isWinner = (runner: number) => runner === first || (market.numberOfWinners === 2 && runner === second);
		const results = Array.from({ length: market.runners }, (_, runner) => (isWinner(runner) ? 'WIN' : 'LOSE'));
		const of = { atMs: 0, marketId };
		const ending = numbers.chance(20)
			? ({ kind: 'void-market', ...of } as const)
			: ({ kind: 'settle-market', ...of, results } as const);
		const bets = matchedBets(engine, effects, marketId);
		const paidBefore = effects.settledPlayers.length;
		if (!settleByWalk(engine, effects, ending, numbers, this.#onStep).ok || numbers.chance(40)) return;
		const payments = effects.settledPlayers.slice(paidBefore);
		const settlement = { bets, payments, nextStep: engine.market(marketId)?.nextStep ?? 0 };
		if (bets.length === 0) return;
		if (numbers.chance(50)) this.scene.apply({ kind: 'reopen-market', ...of, ...settlement });
		else reverseByWalk(engine, effects, { marketId, settlement, afterwards: { next: null } }, numbers, this.#onStep);
	}

	#changeRunner(kind: 'remove-runner' | 'return-runner'): void {
		const [numbers, { engine, effects }] = [this.#numbers, this.scene];
		const { marketId, runners, reducible } = numbers.from(RANDOM_MARKETS);
		const command = { atMs: 0, marketId, runner: numbers.below(runners) };
		const reductionBp = reducible ? numbers.from([100, 2_500]) : 0;
		const change =
			kind === 'remove-runner' ? ({ kind, ...command, reductionBp } as const) : ({ kind, ...command } as const);
		if (numbers.chance(50)) changeByWalk(engine, effects, change, numbers, this.#onStep);
		else this.scene.apply(change);
	}

	next(): void {
		const numbers = this.#numbers;
		const at = numbers.below(100);
		if (at < 44) this.#placeAndCompare(() => this.#bet());
		else if (at < 52) this.#placeAndCompare(() => this.#waitWithAll());
		else if (at < 70) this.scene.cancel(1 + numbers.below(Math.max(1, this.scene.lastBet)));
		else if (at < 78) this.#changeRunner('remove-runner');
		else if (at < 83) this.#changeRunner('return-runner');
		else if (at < 95) this.#voidMatch();
		else if (at < 98) withdraw(this.scene.engine, numbers.from(PLAYERS), 1 + numbers.below(300), this.scene.effects);
		else this.#settle(numbers.from(RANDOM_MARKETS).marketId);
	}
}

it('what a wallet lacks is the sum over its positions, after whatever came, and no bet spends it', () => {
	let [lacked, refused] = [0, 0];
	for (let seed = 1; seed <= 20; seed++) {
		const life = new RandomLife(seed);
		for (let at = 0; at < 80; at++) {
			life.next();
			life.scene.engine.checkInvariants();
			if (at % 4 === 0) life.checkRecovered();
		}
		lacked += life.lacked;
		refused += life.refused;
	}
	expect(lacked).toBeGreaterThan(50);
	expect(refused).toBeGreaterThan(20);
});

/** Bets of SHORT that RICH meets, at prices of a race and of a market with two winners. */
function hedgedScene(terms: (typeof RANDOM_MARKETS)[number], numbers: SeededNumbers): ExchangeScene {
	const hedged = new ExchangeScene();
	hedged.openMarket(terms);
	hedged.player(SHORT, 2_000);
	hedged.player(RICH, 1_000_000);
	const { marketId } = terms;
	for (let bets = 4 + numbers.below(8); bets > 0; bets--) {
		const [runner, price, stake] = [
			numbers.below(terms.runners),
			numbers.from([1.5, 2, 3, 8]),
			50 + numbers.below(900),
		];
		const isBack = numbers.chance(40);
		if (isBack) hedged.lay(RICH, runner, price, stake, { marketId });
		else hedged.back(RICH, runner, price, stake, { marketId });
		if (isBack) hedged.back(SHORT, runner, price, stake, { marketId });
		else hedged.lay(SHORT, runner, price, stake, { marketId });
	}
	return hedged;
}

it.each(RANDOM_MARKETS)(
	'a wallet lacks from the beginning of a walk what one command leaves it short of, in %o',
	(terms) => {
		let leftShort = 0;
		for (let seed = 1; seed <= 60; seed++) {
			const numbers = new SeededNumbers(seed);
			const { engine, effects } = hedgedScene(terms, numbers);
			const { marketId, runners, reducible = false } = { reducible: false, ...terms };
			const held = engine.marketExposure(SHORT, marketId);
			const removal = { kind: 'remove-runner', atMs: 0, marketId, runner: numbers.below(runners) } as const;
			const change = { ...removal, reductionBp: reducible ? numbers.from([100, 2_500]) : 0 };
			const [atOnce, walked] = [effects.rebuild(), effects.rebuild()];
			expect(atOnce.apply(change, effects.copy(atOnce)).ok).toBe(true);
			walked.apply({ ...change, inSteps: true }, effects.copy(walked));
			const asked = Math.max(0, atOnce.exposureWith(SHORT, marketId, []).now - held);
			expect([seed, walked.lacked(SHORT)]).toEqual([seed, asked]);
			if (asked > 0) leftShort++;
		}
		expect(leftShort).toBeGreaterThan(10);
	},
);
