/**
 * `npm run bench -- triggers [plans]`: what resting triggers cost bets, or resting plans. Two engines take the same stream of bets in the same
 * markets, in batches that end with a look at the triggers of the markets that changed and are sealed, as on a server
 * before it writes them; one of them has 100,000 triggers in those markets, which no price reaches, or as many icebergs, pegs and brackets whose bets
 * rest far away. Runs take turns. Prints one JSON line, with the share of the
 * speed that is left.
 */
import { createEngine } from '#engine/create-engine.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import { writtenRows } from '#server/exchange/ledger/batch-tables.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { BatchSealer } from '#server/exchange/ledger/seal-batch.ts';
import { Batch } from '#server/exchange/order/batch.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { byTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';

const MUST = { ratio: 0.97 };
const TRIGGERS = 100_000;
const MARKETS = 50;
const RUNNERS = 3;
/** Wallets with triggers, and wallets with bets. */
const OWNERS = 1_000;
const BETTORS = 200;
const FIRST_BETTOR = 10_000;
const BATCHES = 1_000;
const BETS_A_BATCH = 50;
const WARM_UP = 2;
const TURNS = 12;
const FASTEST = 0.25;
const FUNDS = 10_000_000_000;
/** Bets meet at these, and triggers are reached far from them. */
const PRICES = [198, 200, 202, 204];
/** The price of a back that rests far away, hundredths. */
const FAR_BET = 50_000;
const PLANS: readonly Plan[] = [
	{ kind: 'ICEBERG', visible: 10 },
	{ kind: 'PEG', follows: 'OWN', ticks: 0 },
	{ kind: 'BRACKET', profitTicks: 5, stopTicks: 3 },
];
/** The most bets of plans that one command places. */
const AT_ONCE = 100;
const ARE_PLANS = process.argv[2] === 'plans';
const FAR = { FALLS: [101, 110, 120], RISES: [600, 1000, 5000] } as const;
/** Only the engine counts. */
const NOTHING = new Proxy({}, { get: () => () => undefined }) as Effects;

/** A generator of whole numbers below a bound, always the same ones. */
function numbers(): (bound: number) => number {
	let state = 1;
	return (bound) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * bound);
	};
}

const nextId = (engine: Engine): number => engine.counters().lastBetId + 1;

function placeBetsOfPlans(engine: Engine): void {
	while (engine.hasTriggersToFire()) {
		engine.apply({ kind: 'fire-triggers', atMs: 0, betId: nextId(engine) }, NOTHING);
		engine.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] }, NOTHING);
	}
}

function opened(triggers: number): Engine {
	const engine = createEngine();
	const openWallet = (walletId: number): void => {
		engine.apply({ kind: 'open-wallet', atMs: 0, walletId, pool: 'PLAY' }, NOTHING);
		engine.apply({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount: FUNDS }, NOTHING);
	};
	for (let owner = 1; owner <= OWNERS; owner++) openWallet(owner);
	for (let bettor = 0; bettor < BETTORS; bettor++) openWallet(FIRST_BETTOR + bettor);
	for (let marketId = 1; marketId <= MARKETS; marketId++) {
		const terms = { runners: RUNNERS, numberOfWinners: 1, commissionBp: 0, minStake: 1, maxStake: 1_000_000 };
		const rules = { profitRatioRule: false, selfMatch: 'ALLOW', suspended: false } as const;
		engine.apply({ kind: 'open-market', atMs: 0, marketId, pools: ['PLAY'], ...terms, ...rules }, NOTHING);
	}
	for (let at = 0; at < triggers; at++) {
		const moves = at % 2 === 0 ? 'FALLS' : 'RISES';
		const watched = {
			side: at % 4 < 2 ? 0 : 1,
			price: 200,
			watches: at % 8 < 4 ? 'LAST_TRADED' : 'BEST',
			at: FAR[moves][at % 3] ?? 101,
		} as const;
		const planned = {
			side: 0,
			price: FAR_BET,
			watches: 'NONE',
			at: null,
			plan: PLANS[Math.floor(at / RUNNERS) % 3] ?? null,
		} as const;
		const outcome = engine.apply(
			{
				kind: 'place-trigger',
				atMs: 0,
				triggerId: nextId(engine),
				walletId: 1 + (at % OWNERS),
				marketId: 1 + (at % MARKETS),
				runner: at % RUNNERS,
				stake: 100,
				persist: false,
				moves,
				trail: null,
				marketVersion: null,
				...(ARE_PLANS ? planned : watched),
			},
			NOTHING,
		);
		if (!outcome.ok) throw new Error(`trigger ${at} is refused: ${outcome.code}`);
		if (ARE_PLANS && at % AT_ONCE === AT_ONCE - 1) placeBetsOfPlans(engine);
	}
	// Their share in the digest is computed once, as they are placed.
	engine.hash();
	return engine;
}

/** Seconds that the bets take. */
async function run(triggers: number): Promise<number> {
	const engine = opened(triggers);
	const next = numbers();
	const sealer = new BatchSealer(new LedgerSealer('a key of this bench'));
	let chain: Buffer = Buffer.alloc(32);
	const firstBet = nextId(engine);
	const views = new DurableViews();
	globalThis.gc?.();
	const begun = performance.now();
	for (let number = 0; number < BATCHES; number++) {
		const batch = new Batch(views.liveBets);
		for (let bet = 0; bet < BETS_A_BATCH; bet++) {
			batch.begin(0);
			engine.apply(
				{
					kind: 'place-bet',
					atMs: 0,
					betId: firstBet + number * BETS_A_BATCH + bet,
					walletId: FIRST_BETTOR + next(BETTORS),
					marketId: 1 + next(MARKETS),
					runner: next(RUNNERS),
					side: next(2) as 0 | 1,
					price: PRICES[next(PRICES.length)] ?? 200,
					stake: 100 + next(900),
					persist: false,
				},
				batch,
			);
		}
		if (engine.watchesBooks()) engine.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] }, batch);
		const rows = batch.seal(engine);
		chain = sealer.seal(number, chain, rows, writtenRows(rows)).chain;
		views.apply(number, rows);
		if (engine.hasTriggersToFire()) throw new Error('a trigger that is far away was reached');
	}
	return (performance.now() - begun) / 1_000;
}

const withTriggers = () => run(TRIGGERS);
const without = () => run(0);
await byTurns(WARM_UP, withTriggers, without);
const turns = await byTurns(TURNS, withTriggers, without);
const rate = (seconds: number[], share: number): number => (BATCHES * BETS_A_BATCH) / percentile(seconds, share);
print({
	[ARE_PLANS ? 'plans' : 'triggers']: TRIGGERS,
	betsPerSecond: Math.round(rate(turns.ours, FASTEST)),
	otherBetsPerSecond: Math.round(rate(turns.other, FASTEST)),
	ratio: round(rate(turns.ours, FASTEST) / rate(turns.other, FASTEST), 3),
	ratioOfMedians: round(rate(turns.ours, 0.5) / rate(turns.other, 0.5), 3),
	must: MUST,
});
