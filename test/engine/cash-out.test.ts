/**
 * Cashing out in the engine under random streams of bets, presses, targets, delays, suspensions and cancels in every
 * type of market. The test computes a player's possible loss from the bets, apart from the planner.
 */
import { describe, expect, it } from 'vitest';
import type { OpenMarket } from '#engine/command.ts';
import type { WalletView } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { BetRecord, Exchange } from '#server/exchange/exchange.ts';
import { bookOf } from '#server/exchange/order/batch.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { standing } from '#server/money/cash-out/standing.ts';
import { addMatched, addUnmatched, netIfWins, worstOf } from '#values/exposure.ts';
import type { Figures } from '#values/figures.ts';
import { netMinorOfParts } from '#values/liability.ts';
import type { MarketCashOut } from '#values/market-cash-out.ts';
import { BACK, LAY } from '#values/sides.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const PLAYER = 1;
const MAKERS = [2, 3, 4];
const DELAY_MS = 5000;
/** Of each kind of market: these at least, and until everything was met; `npm run reference` plays 600. */
const STREAMS = Number(process.env.CASH_OUT_STREAMS ?? 3);
const MOST_STREAMS = Math.max(STREAMS, 40);
/** What streams have to meet: without cash-outs they would show nothing. */
const TO_MEET = ['done', 'delayed', 'filled after the delay', 'quote kept', 'target reached'];
const STEPS = 120;
/** Quotes beside own bets, of each kind of market: fewer are not of every sort. */
const QUOTES = 15;
const ANYTHING = { certain: -(10 ** 12), lines: -(10 ** 14), cancelled: 10 ** 12 };

/** A scene with one player whose cash-outs are watched. */
class Watched extends ExchangeScene {
	atMs = 0;
	/** The certain result of the hedges in progress, while nothing else changed the matched bets. */
	promised: { certain: number; matched: string } | null = null;

	bets(): BetRecord[] {
		const alive = [...this.effects.bets.values()].filter(
			(bet) => bet.walletId === PLAYER && bet.remaining + bet.matched > 0,
		);
		return alive.map((bet) => ({ ...bet, ...this.engine.betDetail(bet.betId) }) as unknown as BetRecord);
	}

	/** The quote of this moment, from the durable state. */
	quote(): ReturnType<typeof standing>['plan'] {
		const exchange: Pick<Exchange, 'market' | 'wallet' | 'book' | 'openBets' | 'profitLoss'> = {
			market: (id) => this.engine.market(id),
			wallet: (id) => ({ ...(this.engine.wallet(id) as WalletView), currency: 'INR' }),
			book: (id, pool) => ({ ...bookOf(this.engine, id, pool), version: 0 }),
			openBets: () => this.bets().reverse(),
			profitLoss: () => null,
		};
		return standing(exchange as Exchange, PLAYER, MARKET).plan;
	}

	/** The least of all that can come of the matched bets, exact. */
	matchedWorst(): number {
		return worstOf(this.#figures(() => false));
	}

	/** The same with what waits, and hedges in flight all matched or none. */
	worst(): number {
		const none = this.#figures((bet) => bet.delay?.cashOut === undefined);
		const all = this.#figures((bet) => bet.delay?.cashOut === undefined);
		for (const { runner, side, remaining, price, delay } of this.bets()) {
			if (!delay?.cashOut) continue;
			if (all.line) addMatched(all, runner, side, price * remaining, remaining);
			else addMatched(all, runner, side, delay.cashOut.value, remaining);
		}
		return Math.min(worstOf(none), worstOf(all));
	}

	#figures(waits: (bet: BetRecord) => boolean): Figures {
		const market = this.engine.market(MARKET);
		if (!market) throw new Error('no market');
		const bets = this.bets();
		const figures = positionOf(
			market,
			bets.map((bet) => ({ ...bet, remaining: 0 })),
		);
		for (const bet of bets) {
			if (waits(bet)) addUnmatched(figures, bet.runner, bet.side, bet.price, bet.remaining);
		}
		return figures;
	}

	/** Between the best and the worst outcome of matched bets, where one runner wins. */
	spread(): number {
		const figures = this.#figures(() => false);
		const nets = Array.from({ length: figures.runners }, (_, runner) => netIfWins(figures, runner));
		const standing = nets.filter((_, runner) => !figures.out?.has(runner));
		return Math.max(...standing) - Math.min(...standing);
	}

	/** The matched bets, for comparing two moments. */
	matched(): string {
		return JSON.stringify(this.bets().flatMap(({ betId, matched }) => (matched > 0 ? [[betId, matched]] : [])));
	}

	inFlight(): number {
		return new Set(this.bets().flatMap(({ delay }) => (delay?.cashOut ? [delay.cashOut.first] : []))).size;
	}

	nextId(): number {
		return this.engine.counters().lastBetId + 1;
	}

	press(share: number, agreed = ANYTHING): Outcome {
		const { atMs } = this;
		const betId = this.nextId();
		return this.apply({ kind: 'cash-out', atMs, betId, walletId: PLAYER, marketId: MARKET, share, agreed });
	}
	reach(): Outcome {
		const { atMs } = this;
		const betId = this.nextId();
		return this.apply({ kind: 'reach-cash-out-target', atMs, betId, walletId: PLAYER, marketId: MARKET });
	}
	setTarget(target: number | null): Outcome {
		return this.apply({ kind: 'set-cash-out-target', atMs: this.atMs, walletId: PLAYER, marketId: MARKET, target });
	}
	target(): number | null {
		return this.engine.cashOutTarget(PLAYER, MARKET);
	}

	/** Lets time pass and admits the due bets. */
	pass(ms: number, onAdmitted: (admit: () => void, isHedge: boolean) => void): void {
		this.atMs += ms;
		for (const { betId, dueAtMs } of this.engine.pendingBets()) {
			if (dueAtMs > this.atMs) continue;
			const isHedge = this.engine.betDetail(betId).delay?.cashOut !== undefined;
			onAdmitted(() => this.apply({ kind: 'admit-bet', atMs: this.atMs, betId }), isHedge);
		}
	}
}

const HOUSE = 99;
/** `makers` where the house alone may let bets wait. */
const KINDS: Record<string, { terms: Partial<OpenMarket>; prices: number[]; makers?: number[] }> = {
	'with one winner': { terms: { runners: 3 }, prices: [1.2, 1.5, 2, 2.5, 3, 4, 5, 8, 30] },
	'of two runners': { terms: { runners: 2, maxExposure: 400_000 }, prices: [1.01, 1.5, 2, 2.5, 3, 4, 5] },
	'that loses runners': { terms: { runners: 4, reducible: true }, prices: [1.5, 2, 2.5, 3, 4, 5, 8] },
	'with two places': { terms: { runners: 4, numberOfWinners: 2 }, prices: [1.2, 1.5, 2, 2.5, 3, 4] },
	'with any number of winners': { terms: { runners: 3, numberOfWinners: 0 }, prices: [1.2, 1.5, 2, 3, 4] },
	'each way': { terms: { runners: 4, numberOfWinners: 2, eachWayDivisor: 4 }, prices: [1.5, 2, 3, 5, 8, 12] },
	'on a line': {
		terms: { runners: 1, numberOfWinners: -2, ladder: { min: 150, max: 650, interval: 50 } },
		prices: [1.5, 2, 2.5, 3, 3.5, 4, 5, 6.5],
	},
	'with virtual prices': {
		terms: { runners: 3, crossMatching: true, houses: [HOUSE] },
		prices: [1.5, 2, 2.5, 3, 4, 5],
	},
	'of the house': {
		terms: { runners: 2, model: 'BOOKMAKER', houses: [HOUSE], maxProfit: 3_000_000 },
		prices: [1.5, 2, 2.5, 3, 4, 5],
		makers: [HOUSE],
	},
};

/** A step of a stream: its kind, and the numbers that decide the rest. */
interface Step {
	act: number;
	which: number;
	size: number;
	side: 0 | 1;
}
const stepOf = (random: SeededNumbers): Step => ({
	act: random.below(100),
	which: random.below(10_000),
	size: 1 + random.below(random.below(3) === 0 ? 300 : 60_000),
	side: random.below(2) as 0 | 1,
});

/** What happened in the streams, so that a test of nothing fails. */
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

/** A refusal changed nothing; an accepted cash-out left the player no worse off, in nothing that can come. */
function watch(scene: Watched, kind: string, share: number, act: () => Outcome, agreed: number): Outcome {
	const before = { worst: scene.worst(), matched: scene.matchedWorst(), spread: scene.spread() };
	const [told, hash, wasInFlight] = [scene.effects.told, scene.engine.hash(), scene.inFlight()];
	const outcome = act();
	if (!outcome.ok) {
		expect([scene.effects.told, scene.engine.hash()]).toEqual([told, hash]);
		count(outcome.code);
		return outcome;
	}
	if (!outcome.hedges) return outcome;
	expect(wasInFlight).toBe(0);
	expect(scene.worst()).toBeGreaterThanOrEqual(before.worst);
	const delayed = outcome.hedges.some(({ dueAtMs }) => dueAtMs !== null);
	count(delayed ? 'delayed' : 'done');
	if (outcome.hedges.length > 1) count('several hedges');
	if ((outcome.cancelled ?? 0) > 0) count('own bets cancelled');
	if (delayed) {
		scene.promised = share === 1 ? { certain: agreed, matched: scene.matched() } : null;
		return outcome;
	}
	expect(scene.matchedWorst()).toBeGreaterThanOrEqual(before.matched);
	if (share === 1) expect(leastMinor(scene, kind)).toBeGreaterThanOrEqual(agreed);
	if (kind === 'with one winner' || kind === 'of two runners') {
		expect(scene.spread()).toBeLessThanOrEqual(before.spread);
	}
	return outcome;
}

/** Where any number may win, the quote sums the certain result of each runner, and the exposure does not. */
const leastMinor = (scene: Watched, kind: string): number =>
	kind === 'with any number of winners'
		? Number.POSITIVE_INFINITY
		: netMinorOfParts(scene.matchedWorst(), kind === 'each way' ? 4 : 1);

/** Time passes; hedges that come to the book are all matched, as well as was agreed, or all lapse. */
function pass(scene: Watched, kind: string, ms: number): void {
	scene.pass(ms, (admit, isHedge) => {
		const [worst, matched, promised] = [scene.worst(), scene.matched(), scene.promised];
		const hedges = scene.bets().filter(({ delay }) => delay?.cashOut);
		admit();
		if (!isHedge || scene.inFlight() > 0) return;
		const filled = hedges.filter(({ betId }) => scene.effects.bets.get(betId)?.matched);
		expect([0, hedges.length]).toContain(filled.length);
		expect(scene.worst()).toBeGreaterThanOrEqual(worst);
		count(filled.length > 0 ? 'filled after the delay' : 'lapsed after the delay');
		if (filled.length > 0 && promised?.matched === matched) {
			expect(leastMinor(scene, kind)).toBeGreaterThanOrEqual(promised.certain);
		}
	});
}

/** A maker offers both sides of a price, and cancels the earlier offers. */
function quoteAround(scene: Watched, kind: string, which: number, stake: number): void {
	const { terms, prices, makers = MAKERS } = KINDS[kind] as (typeof KINDS)[string];
	const maker = makers[which % makers.length] as number;
	const { atMs } = scene;
	if (which % 5 === 0) scene.apply({ kind: 'cancel-all', atMs, walletId: maker, marketId: MARKET });
	const middle = 1 + (Math.floor(which / 7) % (prices.length - 2));
	const runner = which % (terms.runners ?? 3);
	scene.back(maker, runner, prices[middle + 1] as number, stake, { atMs, persist: true });
	scene.lay(maker, runner, prices[middle - 1] as number, stake, { atMs, persist: true });
}

/** As the server does when the target seems to be reached, and when it only seems so. */
function lookAtTarget(scene: Watched, kind: string): void {
	const target = scene.target();
	const outcome = watch(scene, kind, 1, () => scene.reach(), target ?? 0);
	if (outcome.ok) expect(scene.target()).toBeNull();
	if (outcome.ok && outcome.hedges) count('target reached');
}

function setLimits(scene: Watched, which: number): void {
	const [maxStake, maxProfit, maxExposure] = [which % 3, which % 5, which % 7].map((chance) =>
		chance === 1 ? 20_000 + (which % 90) * 1000 : 0,
	) as [number, number, number];
	const limits = { maxStake, maxProfit, maxExposure };
	scene.apply({ kind: 'set-limits', atMs: scene.atMs, walletId: PLAYER, limits });
}

/** The player takes the best offer. */
function takeBest(scene: Watched, runner: number, side: 0 | 1, size: number): void {
	const best = scene.engine.levels(MARKET, 'PLAY', runner, side === BACK ? LAY : BACK, 1)[0];
	if (!best) return;
	const { atMs } = scene;
	const take = side === BACK ? scene.back : scene.lay;
	take.call(scene, PLAYER, runner, best.price / 100, Math.min(size, best.size), { atMs });
}

function step(scene: Watched, kind: string, { act, which, size, side }: Step, quotes: MarketCashOut[]): void {
	const { terms, prices } = KINDS[kind] as (typeof KINDS)[string];
	const { atMs } = scene;
	const runner = which % (terms.runners ?? 3);
	const price = prices[Math.floor(which / 7) % prices.length] as number;
	const bet = (walletId: number, stake: number) =>
		(side === BACK ? scene.back : scene.lay).call(scene, walletId, runner, price, stake, { atMs, persist: true });
	if (act < 30) quoteAround(scene, kind, which, size * 4);
	else if (act < 36) bet(MAKERS[which % MAKERS.length] as number, size);
	else if (act < 42) bet(PLAYER, size);
	else if (act < 50) takeBest(scene, runner, side, size);
	else if (act < 56) {
		const quote = scene.quote();
		if (typeof quote !== 'string') quotes.push(quote);
	} else if (act < 66) {
		const share = [1, 1, 0.5, 0.1][which % 4] as number;
		watch(scene, kind, share, () => scene.press(share), -(10 ** 12));
	} else if (act < 76) pressQuoted(scene, kind, which, quotes);
	else if (act < 80) {
		const quote = scene.quote();
		const near = typeof quote === 'string' ? 0 : quote.certain;
		const target = which % 5 === 0 ? null : near + (which % 3) * 1000 - 1000;
		if (scene.setTarget(target).ok && target !== null) count('target set');
	} else if (act < 86) lookAtTarget(scene, kind);
	else if (act < 90) pass(scene, kind, which % 3 === 0 ? DELAY_MS : 1000);
	else if (act < 92) {
		const own = scene.bets().filter(({ remaining }) => remaining > 0);
		const one = own[which % Math.max(1, own.length)];
		if (one) scene.apply({ kind: 'cancel-bet', atMs, betId: one.betId, walletId: PLAYER });
	} else if (act < 93) scene.apply({ kind: 'cancel-all', atMs, walletId: PLAYER, marketId: MARKET });
	else if (act < 95) scene.turnInPlay();
	else if (act < 97) {
		scene.suspend({ lapseUnmatched: which % 2 === 0, ballRunning: which % 3 === 0 });
		if (which % 5 > 0) scene.resume();
	} else if (act < 98) scene.resume();
	else if (act < 99) setLimits(scene, which);
	else {
		const resumed = scene.engine.market(MARKET)?.suspended.includes(runner) === true;
		if (which % 4 > 0) {
			scene.apply({ kind: resumed ? 'resume-runner' : 'suspend-runner', atMs, marketId: MARKET, runner });
		} else {
			scene.apply({
				kind: 'remove-runner',
				atMs,
				marketId: MARKET,
				runner,
				reductionBp: terms.reducible ? size % 5000 : 0,
			});
		}
	}
}

/** With a quote of this moment, which is kept in full; or with an old one, which is kept or refused. */
function pressQuoted(scene: Watched, kind: string, which: number, quotes: MarketCashOut[]): void {
	const now = which % 2 === 0 ? scene.quote() : quotes[which % Math.max(1, quotes.length)];
	if (now === undefined) return;
	const open = scene.engine.market(MARKET)?.status === 'OPEN';
	if (typeof now === 'string') {
		if (open) expect(scene.press(1)).toEqual({ ok: false, code: now });
		return;
	}
	const agreed = { certain: now.certain, lines: now.lines ?? 0, cancelled: now.cancelled };
	const outcome = watch(scene, kind, 1, () => scene.press(1, agreed), now.certain);
	if (which % 2 > 0 || !open) return;
	expect(outcome).toMatchObject({ ok: true, cancelled: now.cancelled });
	count('quote kept');
}

function openedFor(kind: string): Watched {
	const scene = new Watched();
	const { terms } = KINDS[kind] as (typeof KINDS)[string];
	scene.players(100_000_000, [...MAKERS, HOUSE]);
	scene.player(PLAYER, 1_000_000);
	scene.openMarket({ betDelayMs: DELAY_MS, passiveGoesIn: true, minStake: 100, maxStake: 400_000, ...terms });
	return scene;
}

/** Those that differ most in what a hedge is; a quote beside own bets is carried out in all of them. */
const MAIN = new Set([
	'with one winner',
	'with any number of winners',
	'on a line',
	'with virtual prices',
	'of the house',
]);

describe.each(Object.keys(KINDS))('in a market %s', (kind) => {
	it(
		'no cash-out worsens the worst outcome, each keeps the agreed result, and quotes are kept',
		MAIN.has(kind) ? {} : { tags: 'thorough' },
		() => {
			seen.clear();
			const isUnmet = () => TO_MEET.some((what) => !seen.has(what));
			for (let seed = 1; seed <= STREAMS || (isUnmet() && seed <= MOST_STREAMS); seed++) {
				const random = new SeededNumbers(seed);
				const scene = openedFor(kind);
				if (seed % 2 === 0) scene.turnInPlay();
				const quotes: MarketCashOut[] = [];
				for (let at = 0; at < STEPS; at++) {
					try {
						step(scene, kind, stepOf(random), quotes);
						if (scene.target() !== null) lookAtTarget(scene, kind);
						expect(scene.inFlight()).toBeLessThanOrEqual(1);
					} catch (error) {
						throw new Error(`seed ${seed}, step ${at}`, { cause: error });
					}
				}
				const rebuilt = scene.effects.rebuild();
				expect(rebuilt.hash()).toBe(scene.engine.hash());
				expect(rebuilt.cashOutTarget(PLAYER, MARKET)).toBe(scene.target());
			}
			expect(TO_MEET.filter((what) => !seen.has(what))).toEqual([]);
		},
	);
});

/** A position, then own bets of every sort: resting in the way of a hedge or not, and in play in their bet delay. */
function withOwnBets(kind: string, random: SeededNumbers): Watched {
	const scene = openedFor(kind);
	const { terms, prices } = KINDS[kind] as (typeof KINDS)[string];
	const runners = terms.runners ?? 3;
	const quotes = () => {
		for (let at = 0; at < 12; at++) quoteAround(scene, kind, random.below(10_000), 20_000 + random.below(200_000));
	};
	quotes();
	for (let at = 0; at < 3; at++) {
		takeBest(scene, random.below(runners), random.below(2) as 0 | 1, 1000 + random.below(20_000));
	}
	if (random.below(2) === 0) scene.turnInPlay();
	quotes();
	pass(scene, kind, DELAY_MS);
	for (let at = 1 + random.below(4); at > 0; at--) {
		const price = prices[random.below(prices.length)] as number;
		const bet = random.below(2) === 0 ? scene.back : scene.lay;
		const { atMs } = scene;
		bet.call(scene, PLAYER, random.below(runners), price, 100 + random.below(30_000), { atMs, persist: true });
	}
	return scene;
}

it.each(Object.keys(KINDS))('a quote beside own bets is carried out, in play too: in a market %s', (kind) => {
	const done = { atOnce: 0, delayed: 0, cancelling: 0 };
	for (let seed = 1; seed <= Math.max(QUOTES, STREAMS); seed++) {
		const scene = withOwnBets(kind, new SeededNumbers(seed));
		const quote = scene.quote();
		if (typeof quote === 'string') continue;
		const agreed = { certain: quote.certain, lines: quote.lines ?? 0, cancelled: quote.cancelled };
		const outcome = scene.press(1, agreed);
		expect([seed, outcome]).toMatchObject([seed, { ok: true, cancelled: quote.cancelled }]);
		const hedges = outcome.ok ? (outcome.hedges ?? []) : [];
		done[hedges.some(({ dueAtMs }) => dueAtMs !== null) ? 'delayed' : 'atOnce']++;
		if (quote.cancelled > 0) done.cancelling++;
		pass(scene, kind, DELAY_MS);
		const unmatched = hedges.filter(({ betId }) => scene.effects.bets.get(betId)?.matched === 0);
		expect([seed, unmatched]).toEqual([seed, []]);
		expect(leastMinor(scene, kind)).toBeGreaterThanOrEqual(quote.certain);
	}
	for (const [what, count] of Object.entries(done)) expect([what, count]).not.toEqual([what, 0]);
});

it('a market that closes keeps no target, also where the hedges of one lapse in a step after that', () => {
	const made = new ExchangeScene();
	made.openMarket({ betDelayMs: DELAY_MS });
	made.players(1_000_000, [PLAYER, 2]);
	made.lay(2, 0, 5.0, 1_000);
	made.back(PLAYER, 0, 5.0, 1_000);
	made.back(2, 0, 4.0, 5_000, { persist: true });
	made.turnInPlay();
	const own = { atMs: 0, walletId: PLAYER, marketId: MARKET };
	made.apply({ kind: 'set-cash-out-target', ...own, target: 100 });
	const betId = made.engine.counters().lastBetId + 1;
	expect(made.apply({ kind: 'reach-cash-out-target', ...own, betId })).toMatchObject({
		hedges: [{ dueAtMs: DELAY_MS }],
	});
	made.apply({ kind: 'close-market', atMs: 0, marketId: MARKET, inSteps: true });
	made.apply({ kind: 'change-wallets', atMs: 0, marketId: MARKET, wallets: [PLAYER, 2], isLast: true });
	expect([made.engine.cashOutTarget(PLAYER, MARKET), made.exposure(PLAYER)]).toEqual([null, 1_000]);
});
