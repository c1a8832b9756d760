/**
 * Yen beside rupees in the same markets. A yen is a hundred minor units and has no parts, so a player of yen who does what a
 * player of rupees does with as many coins has a hundred times the minor units, through every rounding; and no bet of one
 * is matched with a bet of the other.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OpenMarket } from '#engine/command.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { LADDER } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';
import { matchedBets, reverseByWalk } from './reverse-by-walk.ts';
import { settleByWalk } from './settle-by-walk.ts';

const COINS = 100;
const PLAYERS = [1001, 1002, 1003];
/** The player of yen who does the same. */
const twinOf = (walletId: number): number => walletId + 1000;

const player = fc.constantFrom(...PLAYERS);
/** Bets are multiples of a hundred coins in yen. */
const stake = fc.integer({ min: 1, max: 500 }).map((hundreds) => hundreds * 100);
const act = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('bet' as const),
			player,
			stake,
			side: fc.constantFrom(0 as const, 1 as const),
			runner: fc.nat(2),
			price: fc.constantFrom(...LADDER.filter((price) => price < 900)),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('cancel' as const),
			at: fc.nat(50),
			size: fc.integer({ min: 1, max: 5_000 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('cash-out' as const), player, share: fc.constantFrom(0.3, 0.5, 1) }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('plan' as const),
			player,
			stake,
			side: fc.constantFrom(0 as const, 1 as const),
			runner: fc.nat(2),
			price: fc.constantFrom(...LADDER.filter((price) => price > 150 && price < 600)),
			plan: fc.oneof(
				fc.record({
					kind: fc.constant('BRACKET' as const),
					profitTicks: fc.integer({ min: 1, max: 5 }),
					stopTicks: fc.integer({ min: 1, max: 5 }),
				}),
				fc.record({ kind: fc.constant('ICEBERG' as const), visible: fc.constantFrom(100, 300) }),
				fc.record({
					kind: fc.constant('PEG' as const),
					follows: fc.constantFrom('OWN' as const, 'OPPOSITE' as const),
					ticks: fc.integer({ min: 1, max: 3 }),
				}),
			),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('remove' as const),
			runner: fc.nat(2),
			reductionBp: fc.integer({ min: 1, max: 7_000 }),
		}),
	},
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
const results = fc.constantFrom<readonly RunnerResult[]>(
	['WIN', 'LOSE', 'LOSE'],
	['WIN', 'WIN', 'LOSE'],
	['WIN', 'WIN', 'WIN'],
);
/** Of a quarter line. */
const halves = fc.constantFrom<readonly RunnerResult[]>(['HALF_WIN', 'HALF_LOSE'], ['HALF_LOSE', 'HALF_WIN']);

class Twins extends ExchangeScene {
	/** Ids of the bets that stood, of rupees and of yen. */
	readonly #bets: (readonly [rupees: number, yen: number])[] = [];
	#nextId = 0;

	constructor(commissionBp: number, terms: Partial<OpenMarket> = { reducible: true }) {
		super();
		// The least stake of both is a hundred coins.
		this.openMarket({ pools: ['PLAY', 'PLAY-JPY'], commissionBp, minStake: 100, ...terms });
		this.players(5_000_000, PLAYERS);
		this.players(5_000_000 * COINS, PLAYERS.map(twinOf), 'PLAY-JPY');
	}

	do(asked: Act): void {
		if (asked.kind === 'bet') {
			const { player: walletId, side, runner, price } = asked;
			const [first, second] = [this.#id(), this.#id()];
			const bet = { kind: 'place-bet', atMs: 0, marketId: MARKET, side, runner, price, persist: false } as const;
			this.#same(
				this.apply({ ...bet, betId: first, walletId, stake: asked.stake }),
				this.apply({ ...bet, betId: second, walletId: twinOf(walletId), stake: asked.stake * COINS }),
			);
			this.#bets.push([first, second]);
		} else if (asked.kind === 'plan') {
			const { player: walletId, side, runner, price, plan } = asked;
			const terms = {
				persist: true,
				watches: 'NONE',
				moves: 'FALLS',
				at: null,
				trail: null,
				marketVersion: null,
			} as const;
			const trigger = { kind: 'place-trigger', atMs: 0, marketId: MARKET, side, runner, price, ...terms } as const;
			const inYen = plan.kind === 'ICEBERG' ? { ...plan, visible: plan.visible * COINS } : plan;
			const [first, second] = [this.#id(), this.#id()];
			this.#same(
				this.apply({ ...trigger, triggerId: first, walletId, stake: asked.stake, plan }),
				this.apply({
					...trigger,
					triggerId: second,
					walletId: twinOf(walletId),
					stake: asked.stake * COINS,
					plan: inYen,
				}),
			);
		} else if (asked.kind === 'cancel') {
			const [first, second] = this.#bets[asked.at % Math.max(1, this.#bets.length)] ?? [0, 0];
			this.#same(this.cancel(first, undefined, asked.size), this.cancel(second, undefined, asked.size * COINS));
		} else if (asked.kind === 'cash-out') {
			const agreed = {
				certain: Number.MIN_SAFE_INTEGER,
				lines: Number.MIN_SAFE_INTEGER,
				cancelled: Number.MAX_SAFE_INTEGER,
			};
			const cashOut = { kind: 'cash-out', atMs: 0, marketId: MARKET, share: asked.share, agreed } as const;
			const outcomes = [asked.player, twinOf(asked.player)].map((walletId) => {
				const outcome = this.apply({ ...cashOut, walletId, betId: this.#id() });
				this.#nextId = Math.max(this.#nextId, this.engine.counters().lastBetId);
				return outcome;
			});
			this.#same(outcomes[0] as never, outcomes[1] as never);
		} else {
			this.suspend();
			this.apply({
				kind: 'remove-runner',
				atMs: 0,
				marketId: MARKET,
				runner: asked.runner,
				reductionBp: asked.reductionBp,
			});
			this.resume();
		}
		this.#lookAtPlans();
		this.compare();
	}

	/** A bet on close of runner 0. */
	bid({ walletId, side, stake }: { walletId: number; side: SideCode; stake: number }): void {
		const [first, second] = [this.#id(), this.#id()];
		const bet = { kind: 'place-bet', atMs: 0, marketId: MARKET, runner: 0, side, price: 200, persist: false } as const;
		const onClose = { limit: null };
		this.#same(
			this.apply({ ...bet, betId: first, walletId, stake, onClose }),
			this.apply({ ...bet, betId: second, walletId: twinOf(walletId), stake: stake * COINS, onClose }),
		);
	}

	/** As at the end of a batch, until no plan goes on. */
	#lookAtPlans(): void {
		for (;;) {
			this.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] });
			const fired = this.apply({ kind: 'fire-triggers', atMs: 0, betId: this.engine.counters().lastBetId + 1 });
			this.#nextId = Math.max(this.#nextId, this.engine.counters().lastBetId);
			if (!fired.ok) return;
		}
	}

	compare(): void {
		for (const walletId of PLAYERS) {
			const [rupees, yen] = [this.engine.wallet(walletId), this.engine.wallet(twinOf(walletId))];
			expect([yen?.cash, yen?.exposure]).toEqual([(rupees?.cash ?? 0) * COINS, (rupees?.exposure ?? 0) * COINS]);
		}
	}

	#same(rupees: ReturnType<ExchangeScene['apply']>, yen: ReturnType<ExchangeScene['apply']>): void {
		expect(yen.ok ? 'done' : yen.code).toBe(rupees.ok ? 'done' : rupees.code);
	}

	#id(): number {
		return ++this.#nextId;
	}

	/** @returns false for a result that the market cannot have */
	settleByWalk(won: readonly RunnerResult[], numbers: SeededNumbers): boolean {
		const ending = { kind: 'settle-market', atMs: 0, marketId: MARKET, results: [...won] } as const;
		const { ok } = settleByWalk(this.engine, this.effects, ending, numbers, () => this.engine.checkInvariants());
		this.compare();
		return ok;
	}

	/** Settles by a walk, takes that back by a walk, and settles again. */
	settleTwice(won: readonly RunnerResult[], numbers: SeededNumbers): void {
		const bets = matchedBets(this.engine, this.effects, MARKET);
		if (!this.settleByWalk(won, numbers) || bets.length === 0) return;
		const payments = [...this.effects.settledPlayers];
		const settlement = { bets, payments, nextStep: this.engine.market(MARKET)?.nextStep ?? 0 };
		const taken = { marketId: MARKET, settlement, afterwards: { next: null } };
		reverseByWalk(this.engine, this.effects, taken, numbers, () => this.engine.checkInvariants());
		expect(this.engine.market(MARKET)?.status).toBe('CLOSED');
		this.compare();
		this.settleByWalk(won, numbers);
	}
}

/** A market of two sides has no third runner. */
const onSides = (act: Act, ofSides: boolean): Act =>
	ofSides && 'runner' in act ? { ...act, runner: act.runner % 2 } : act;

function walks(numRuns: number, most: number): void {
	fc.assert(
		fc.property(
			fc.array(act, { minLength: 5, maxLength: most }),
			fc.oneof(results, halves),
			fc.constantFrom(0, 200, 533),
			fc.constantFrom('AT_ONCE', 'BY_WALK', 'TWICE'),
			fc.nat(),
			(acts, won, rate, ending, seed) => {
				const ofSides = won.length === 2;
				const twins = new Twins(rate, ofSides ? { runners: 2 } : { reducible: true });
				for (const each of acts) if (!ofSides || each.kind !== 'remove') twins.do(onSides(each, ofSides));
				const numbers = new SeededNumbers(seed);
				if (ending === 'BY_WALK') twins.settleByWalk(won, numbers);
				else if (ending === 'TWICE') twins.settleTwice(won, numbers);
				else twins.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results: [...won] });
				twins.compare();
				const { postings } = twins.effects;
				expect(postings.filter(({ pool, amount }) => pool === 'PLAY-JPY' && amount % COINS !== 0)).toEqual([]);
				expect(twins.engine.houseBalance('commission', 'PLAY-JPY', 0)).toBe(
					twins.engine.houseBalance('commission', 'PLAY', 0) * COINS,
				);
				expect(twins.engine.houseBalance('rounding', 'PLAY-JPY', 0)).toBe(
					twins.engine.houseBalance('rounding', 'PLAY', 0) * COINS,
				);
			},
		),
		{ numRuns },
	);
}

it.each<[string, readonly RunnerResult[], readonly number[]]>([
	// Half of 91 yen, an exact half towards the house: the layer loses twice 45.5, which is a whole number of yen.
	['gets what the pot keeps', ['HALF_WIN', 'HALF_LOSE'], [-9_100, 4_500, 4_500]],
	// Each backer loses 4.5 yen, and the layer wins 9.
	['gets what the pot keeps', ['TIE', 'TIE'], [-500, -500, 900]],
	// Each backer is returned a third of 191 yen and loses 36.33, and the layer wins 72.67.
	['lends what the pot lacks', ['TIE', 'TIE', 'TIE'], [-3_600, -3_600, 7_300]],
])('the rounding account %s in a walk through yen: %s', (_, won, nets) => {
	const scene = new ExchangeScene();
	scene.openMarket({ pools: ['PLAY-JPY'], runners: won.length });
	scene.players(10_000_000, [1001, 1002, 1003], 'PLAY-JPY');
	for (const backer of [1002, 1003]) {
		scene.lay(1001, 0, 1.91, 10_000);
		scene.back(backer, 0, 1.91, 10_000);
	}
	const ending = { kind: 'settle-market', atMs: 0, marketId: MARKET, results: [...won] } as const;
	settleByWalk(scene.engine, scene.effects, ending, new SeededNumbers(1));
	expect(scene.effects.settledPlayers.map(({ net }) => net)).toEqual(nets);
	expect(scene.engine.houseBalance('rounding', 'PLAY-JPY', 0)).toBe(-nets.reduce((sum, net) => sum + net, 0));
});

it('holds, pays and charges yen as it does coins of rupees, whatever is done', () => walks(60, 40));
it('does so in long walks', { tags: ['thorough'], timeout: 300_000 }, () => walks(2_000, 200));

const bidAtStart = fc.record({
	player,
	side: fc.constantFrom(0 as const, 1 as const),
	coins: fc.integer({ min: 10, max: 99 }),
});

it('matches bets at the starting price in whole coins of both', () => {
	fc.assert(
		fc.property(fc.array(bidAtStart, { minLength: 2, maxLength: 12 }), results, (bids, won) => {
			const twins = new Twins(0, { startingPrice: true });
			for (const { player: walletId, side, coins } of bids) twins.bid({ walletId, side, stake: coins * 100 });
			twins.turnInPlay();
			twins.compare();
			for (const { matched, walletId } of twins.effects.bets.values())
				if (walletId > 2_000) expect(matched % COINS).toBe(0);
			twins.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results: [...won] });
			twins.compare();
		}),
	);
});

it('refuses a bet of other than a hundred coins, and a cancel of a part of one', () => {
	const twins = new Twins(0);
	expect(twins.back(2001, 0, 3, 10_050)).toMatchObject({ ok: false, code: 'INVALID_STAKE' });
	expect(twins.back(2001, 0, 3, 20_000).ok).toBe(true);
	expect(twins.cancel(twins.lastBet, 2001, 50)).toMatchObject({ ok: false, code: 'INVALID_SIZE' });
});

it('counts a market’s limits in the currency of the wallet', () => {
	const scene = new ExchangeScene();
	scene.openMarket({ pools: ['PLAY', 'PLAY-EUR', 'PLAY-JPY'], minStake: 10_000, maxStake: 1_000_000 });
	scene.player(1001, 10_000_000);
	scene.player(1002, 10_000_000, 'PLAY-EUR');
	scene.player(1003, 100_000_000, 'PLAY-JPY');
	// ₹100 to ₹10,000; €1 to €100; ¥200 to ¥20,000.
	const codes = (walletId: number, stakes: readonly number[]) =>
		stakes.map((amount) => {
			const outcome = scene.back(walletId, 0, 2, amount);
			return outcome.ok ? 'done' : outcome.code;
		});
	expect(codes(1001, [9_999, 10_000, 1_000_000, 1_000_001])).toEqual([
		'STAKE_TOO_SMALL',
		'done',
		'done',
		'STAKE_TOO_LARGE',
	]);
	expect(codes(1002, [99, 100, 10_000, 10_001])).toEqual(['STAKE_TOO_SMALL', 'done', 'done', 'STAKE_TOO_LARGE']);
	expect(codes(1003, [10_000, 20_000, 2_000_000, 2_010_000])).toEqual([
		'STAKE_TOO_SMALL',
		'done',
		'done',
		'STAKE_TOO_LARGE',
	]);
});
