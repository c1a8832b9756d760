/**
 * Quotes of a market maker: to the book and to everybody else bets like any, and nothing to the ledger until they are
 * matched.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Engine } from '#engine/engine.ts';
import { addMatched, emptyFigures, exposureMinor } from '#values/exposure.ts';
import { lineCount } from '#values/line-range.ts';
import { RandomCommands } from '../reference/random-commands.ts';
import { MARKETS, RACING_MARKETS, type RandomMarket, WIDER_MARKETS } from '../reference/random-markets.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';
import { RecordedEffects } from './recorded-effects.ts';

const MAKER = 11;
/** The long form, `STORIES=long`, meets what is rare. */
const SEEDS = process.env['STORIES'] === 'long' ? 60 : 6;

function scene(funds = 10_000): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket();
	made.apply({ kind: 'open-wallet', atMs: 0, walletId: MAKER, pool: 'PLAY', quotes: true });
	made.apply({ kind: 'grant-coins', atMs: 0, grantId: MAKER, walletId: MAKER, amount: funds });
	made.players(10_000, [12]);
	return made;
}
const postingsOf = ({ effects }: ExchangeScene, walletId: number) =>
	effects.postings.filter((posting) => posting.walletId === walletId && posting.kind !== 'GRANT');

describe('a quote', () => {
	it('moves no money and leaves the digest unchanged, placed, lowered and cancelled', () => {
		const made = scene();
		const digest = made.engine.hash();
		made.back(MAKER, 0, 3, 1000);
		made.lay(MAKER, 1, 2, 1000);
		made.cancel(1, MAKER, 400);
		made.cancel(2);
		expect(made.engine.levels(MARKET, 'PLAY', 0, 0, 3)).toEqual([{ price: 300, size: 600 }]);
		expect([made.cash(MAKER), made.exposure(MAKER), postingsOf(made, MAKER)]).toEqual([10_000, 0, []]);
		expect(made.engine.hash()).toBe(digest);
	});

	it('holds money for its matched part alone', () => {
		const made = scene();
		made.back(MAKER, 0, 3, 1000);
		made.lay(12, 0, 3, 300);
		expect([made.cash(MAKER), made.exposure(MAKER)]).toEqual([9700, 300]);
		made.cancel(1, MAKER);
		expect([made.cash(MAKER), made.exposure(MAKER)]).toEqual([9700, 300]);
		expect(postingsOf(made, MAKER)).toHaveLength(1);
	});

	it('is refused when the wallet cannot pay for it beside its quotes in all markets', () => {
		const made = scene(1000);
		made.openMarket({ marketId: 2 });
		expect(made.back(MAKER, 0, 3, 600).ok).toBe(true);
		expect(made.back(MAKER, 0, 3, 401, { marketId: 2 })).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
		expect(made.back(MAKER, 0, 3, 400, { marketId: 2 }).ok).toBe(true);
		made.lay(12, 0, 3, 600);
		made.lay(12, 0, 3, 400, { marketId: 2 });
		expect([made.cash(MAKER), made.exposure(MAKER)]).toEqual([0, 1000]);
	});

	it('is honoured although its wallet lost the money since by a reversed settlement', () => {
		const made = scene(1000);
		made.openMarket({ marketId: 2 });
		made.back(MAKER, 0, 2, 500, { marketId: 2 });
		made.lay(12, 0, 2, 500, { marketId: 2 });
		const bets = [...made.effects.bets.values()].map((bet) => ({ ...bet, remaining: 0 }));
		made.settle(0, 2);
		expect(made.cash(MAKER)).toBe(1500);
		made.back(MAKER, 0, 3, 1500);
		const payments = [
			{ walletId: MAKER, net: 500, commission: 0 },
			{ walletId: 12, net: -500, commission: 0 },
		];
		made.apply({ kind: 'reopen-market', atMs: 0, marketId: 2, bets, payments, nextStep: 10 });
		made.lay(12, 0, 3, 1500);
		expect([made.cash(MAKER), (made.cash(MAKER) ?? 0) + (made.exposure(MAKER) ?? 0)]).toEqual([-500, 1000]);
	});
});

describe('a wallet that begins to quote', () => {
	it('cancels its unmatched bets and keeps the matched parts', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(10_000, [MAKER, 12]);
		made.back(MAKER, 0, 3, 1000);
		made.lay(12, 0, 3, 300);
		made.lay(MAKER, 1, 2, 500);
		const open = {
			kind: 'open-wallet',
			atMs: 0,
			walletId: MAKER,
			pool: 'PLAY',
			quotes: true,
		} as const;
		expect(made.apply(open).ok).toBe(true);
		expect([made.cash(MAKER), made.exposure(MAKER)]).toEqual([9700, 300]);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
		const told = made.effects.told;
		expect(made.apply(open).ok).toBe(true);
		expect(made.effects.told).toBe(told);
		expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
	});
});

/** The possible loss of a wallet in a market, from its matched bets alone. */
function matchedExposure({ bets, engine }: RecordedEffects, walletId: number, marketId: number): number {
	const market = engine.market(marketId);
	if (!market) throw new Error(`no market ${marketId}`);
	const line = typeof market.ladder === 'string' ? null : market.ladder;
	const out = new Map(market.removed);
	const options = { eachWay: market.eachWayDivisor, line, out: out.size > 0 ? out : null };
	const figures = emptyFigures(line ? lineCount(line) : market.runners, market.numberOfWinners, options);
	for (const bet of bets.values()) {
		if (bet.walletId !== walletId || bet.marketId !== marketId || bet.matched === 0) continue;
		const fills = line ? (engine.betDetail(bet.betId).fills ?? []) : [];
		if (!line) addMatched(figures, bet.runner, bet.side, bet.matchedValue, bet.matched);
		for (const { stake, price } of fills) addMatched(figures, bet.runner, bet.side, stake * price, stake);
	}
	return exposureMinor(figures);
}

/** Two engines that are told the same; only in the second do some wallets quote. */
class Pair {
	readonly ordinary = new RecordedEffects(createEngine());
	readonly quoting = new RecordedEffects(createEngine());
	readonly #makers: ReadonlySet<number>;

	constructor(makers: readonly number[]) {
		this.#makers = new Set(makers);
	}

	apply(command: Command): void {
		const told = this.#told();
		const expected = this.ordinary.engine.apply(command, this.ordinary);
		const opens = command.kind === 'open-wallet' && this.#makers.has(command.walletId);
		const outcome = this.quoting.engine.apply(opens ? { ...command, quotes: true } : command, this.quoting);
		this.quoting.engine.checkInvariants();
		expect(outcome).toEqual(expected);
		expect(this.#told()[1]?.map((list, at) => list.slice(told[1]?.[at]?.length))).toEqual(
			this.#told()[0]?.map((list, at) => list.slice(told[0]?.[at]?.length)),
		);
	}

	#told(): unknown[][][] {
		return [this.ordinary, this.quoting].map(({ fills, lapses, voids, settledBets, settledPlayers }) =>
			[fills, lapses, voids, settledBets, settledPlayers].map((list) => [...list]),
		);
	}

	/** Players have the same to the minor unit, makers the same in all, and only their matched part is held. */
	compare(markets: readonly RandomMarket[]): void {
		for (const [walletId] of this.ordinary.wallets) {
			const [one, other] = [this.ordinary.engine.wallet(walletId), this.quoting.engine.wallet(walletId)];
			if (!one || !other) throw new Error(`no wallet ${walletId}`);
			if (!this.#makers.has(walletId)) expect(other).toEqual(one);
			expect(other.cash + other.exposure).toBe(one.cash + one.exposure);
			if (!this.#makers.has(walletId)) continue;
			for (const { marketId } of markets) {
				const held = this.quoting.engine.marketExposure(walletId, marketId);
				const market = this.quoting.engine.market(marketId);
				const isPaid = market?.status === 'SETTLED' || market?.status === 'VOIDED';
				const asked = isPaid ? 0 : matchedExposure(this.quoting, walletId, marketId);
				if (market?.reducible || market?.mayBeShort) expect(held).toBeLessThanOrEqual(asked);
				else expect(held).toBe(asked);
			}
		}
	}
}

describe('a quoting wallet', () => {
	mainlyEach<[string, readonly RandomMarket[]]>(
		[
			['usual', MARKETS],
			['wider', WIDER_MARKETS],
			['racing', RACING_MARKETS],
		],
		([kind]) => kind === 'usual',
	)(`bets, is matched, refused and paid as if he did not, %s markets (${SEEDS} random stories)`, (_, markets) => {
		let quotes = 0;
		for (let seed = 1; seed <= SEEDS; seed++) {
			const random = new RandomCommands(seed, markets);
			const pair = new Pair([[11], [12, 21], [11, 13, 22]][seed % 3] as number[]);
			for (const command of random.opening()) pair.apply(command);
			for (let count = 0; count < 100; count++) {
				pair.apply(random.next());
				pair.compare(markets);
			}
			quotes += waiting(pair.quoting);
			const rebuilt = pair.quoting.rebuild();
			rebuilt.checkInvariants();
			expect(rebuilt.hash(), `seed ${seed}`).toBe(pair.quoting.engine.hash());
			expect(quotesIn(rebuilt, pair.quoting), `seed ${seed}`).toBe(0);
			for (const command of random.ending()) pair.apply(command);
			pair.compare(markets);
		}
		expect(quotes).toBeGreaterThan(SEEDS);
	});
});

const quoteIds = (kept: RecordedEffects) => [...kept.bets.values()].filter(({ quote }) => quote);
const waiting = (kept: RecordedEffects) => quoteIds(kept).filter(({ remaining }) => remaining > 0).length;

/** Quotes that rest in an engine's books. */
function quotesIn(engine: Engine, kept: RecordedEffects): number {
	const ids = new Set(quoteIds(kept).map(({ betId }) => betId));
	return [...kept.markets.values()]
		.flatMap(({ marketId, pools, runners }) =>
			pools.flatMap((pool) =>
				Array.from({ length: runners }, (_, runner) => engine.restingBets(marketId, pool, runner)).flat(),
			),
		)
		.filter(({ betId }) => ids.has(betId)).length;
}
