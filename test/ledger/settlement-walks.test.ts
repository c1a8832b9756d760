/**
 * The settlement of a market with many bets is a walk: other players' bets are written between its steps, the ledger is sound
 * after each of its batches, and a process that recovers or takes over at any of them ends it. The exchange is lost after
 * every step; the long form takes many small ones.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SettleMarket, VoidMarket } from '#engine/command.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { BetRecord, Exchange, Receipt, Request } from '#server/exchange/exchange.ts';
import { writesBatch } from '#server/exchange/ledger/batch-statement.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import { type ExchangeOptions, openExchange } from '#server/exchange/open-exchange.ts';
import { MOST_A_STEP } from '#server/exchange/order/market-walks.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { byForm } from '../faults/support/form.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { restoredEngine } from '../support/restored-engine.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [MARKET, ELSEWHERE] = [1, 2];
/** The house has most of the bets, and more than a step takes. */
const MAKER = 3;
const OTHER = 2001;
const PLAYERS = Array.from({ length: byForm(12, 60) }, (_, at) => 1001 + at);
/** Bets of a step. A tenth of them goes through the market by as many steps. */
const A_STEP = byForm(MOST_A_STEP / 10, MOST_A_STEP);
const MATCHES = A_STEP * 1.2;
const FUNDS = 100_000_000;
const COMMISSION_BP = 200;
const WON: SettleMarket = { kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] };
const VOID: VoidMarket = { kind: 'void-market', marketId: MARKET };
/** So long that a standby joins within a few batches. */
const COMMIT_MS = 200;
/** Of the steps after a loss. */
const BETS_A_STEP = byForm(A_STEP, A_STEP / 10);
/**
 * A batch that an audit holds up is slow, and the steps after it are as small as one bet. The first batches, which have
 * each kind of step, are all looked at, and of the later ones one of so many.
 */
const [LOOKED_AT_FIRST, LOOKED_AT] = [4, byForm(8, 1)];
/** Exchanges that are lost in a walk: after each step one. */
const LEAST_LOSSES = byForm(2, 15);

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
/** All that were opened. */
let exchanges: Exchange[];
let batches: Committed[];
/** The market's bets before its settlement. */
let bets: BetRecord[];
let before: Map<number, number>;

/** @param commitMs how much longer a commit takes than it does here */
async function open(recovered?: Recovered, commitMs = 0): Promise<void> {
	gated = new GatedDatabase(commitMs > 0 ? slowed(database.db, commitMs) : database.db);
	await openGated({ recovered });
}

/** One that takes many steps. Its first batch waits for the gate. */
async function openStopped() {
	gated = new GatedDatabase(database.db);
	const first = gated.stop('update lease set batch = $2');
	await openGated({ betsAStep: BETS_A_STEP });
	return first;
}

async function openGated(more: Pick<ExchangeOptions, 'recovered' | 'betsAStep'>): Promise<void> {
	const log = pino({ level: 'silent' });
	const onCommitted = (batch: Committed) => void batches.push(batch);
	const ledger = gated.asDatabase();
	const ours = { db: database.db, ledger, log, ledgerKey: LEDGER_KEY, commandRows: true, onCommitted };
	exchange = await openExchange({ ...ours, betsAStep: A_STEP, ...more });
	exchanges.push(exchange);
}

/** A database far away. */
const slowed = (db: pg.Pool, ms: number): pg.Pool =>
	({
		query: async (query: pg.QueryConfig | string, values?: unknown[]) => {
			if (typeof query !== 'string' && writesBatch(query)) await delay(ms);
			return await db.query(query as string, values);
		},
	}) as unknown as pg.Pool;

const bet = (walletId: number, marketId: number, side: 0 | 1, price: number, stake: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side,
	price,
	stake,
	persist: false,
});

const moneyOf = (walletId: number): number => {
	const { cash = 0, exposure = 0 } = exchange.wallet(walletId) ?? {};
	return cash + exposure;
};

beforeEach(async () => {
	database = await freshDatabase();
	[exchanges, batches] = [[], []];
	await open();
	const numbers = new SeededNumbers(1);
	for (const walletId of [MAKER, OTHER, ...PLAYERS]) {
		const quotes = walletId === MAKER ? { quotes: true as const } : {};
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', ...quotes });
	}
	const grants = [MAKER, OTHER, ...PLAYERS].map((walletId): Request => {
		return { kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS };
	});
	await Promise.all(grants.map((grant) => exchange.submit(grant)));
	for (const marketId of [MARKET, ELSEWHERE])
		await exchange.submit(plainMarket(marketId, { commissionBp: COMMISSION_BP }));
	const orders = Array.from({ length: MATCHES }, (_, at) => {
		const [side, stake] = [numbers.chance(60) ? (0 as const) : (1 as const), 101 + numbers.below(400)];
		const [price, walletId] = [numbers.from([198, 210, 305]), PLAYERS[at % PLAYERS.length] as number];
		return [bet(MAKER, MARKET, side === 0 ? 1 : 0, price, stake), bet(walletId, MARKET, side, price, stake)];
	});
	for (const walletId of PLAYERS.slice(0, 5)) orders.push([bet(walletId, MARKET, 0, 1000, 500)]);
	await Promise.all(orders.flat().map((order) => exchange.submit(order)));
	// Some unmatched quotes, too.
	await exchange.submit(bet(MAKER, MARKET, 0, 2000, 500));
	await exchange.submit({ kind: 'suspend-market', marketId: MARKET, lapseUnmatched: false });
	bets = exchange.betsIn([MARKET]);
	before = new Map([MAKER, ...PLAYERS].map((walletId) => [walletId, moneyOf(walletId)]));
	batches = [];
});
afterEach(async () => {
	for (const each of exchanges) await each.drain();
	await database.drop();
});

/** What a wallet nets if runner 0 wins: in hundredths of a minor unit, rounded once, an exact half to the house. */
function netOf(walletId: number): number {
	const own = bets.filter((each) => each.walletId === walletId);
	const exact = own.reduce((sum, { side, matched, matchedValue }) => {
		const won = matchedValue - matched * 100;
		return sum + (side === 0 ? won : -won);
	}, 0);
	return Math.ceil(exact / 100 - 0.5);
}

function expectPaid(): void {
	expect(exchange.market(MARKET)?.status).toBe('SETTLED');
	for (const [walletId, had] of before) {
		const net = netOf(walletId);
		const commission = Math.floor((Math.max(0, net) * COMMISSION_BP) / 10_000 + 0.5);
		expect([walletId, moneyOf(walletId), exchange.wallet(walletId)?.exposure]).toEqual([
			walletId,
			had + net - commission,
			0,
		]);
	}
	expect(exchange.betsIn([MARKET])).toEqual([]);
}

/** Acts again and again until the walk has ended. */
async function beside(walk: Promise<unknown>, act: () => Promise<unknown>): Promise<void> {
	const end = { isReached: false };
	const ended = walk.finally(() => {
		end.isReached = true;
	});
	while (!end.isReached) await act();
	await ended;
}

const settledIn = ({ betEvents, bets: touched }: Committed): number => {
	const ofMarket = new Set(touched.filter(({ marketId }) => marketId === MARKET).map(({ betId }) => betId));
	return betEvents.filter(({ betId, event }) => ofMarket.has(betId) && (event === 'SETTLED' || event === 'VOIDED'))
		.length;
};

it('takes a bounded number of bets with each batch, serves others in between, and tells each player at once', async () => {
	const walk = exchange.submit(WON);
	const seen = new Set<string>();
	await beside(walk, async () => {
		seen.add(exchange.market(MARKET)?.status ?? '');
		await exchange.submit(bet(OTHER, ELSEWHERE, 0, 400, 100));
	});
	expect([...seen]).toContain('SETTLING');
	expectPaid();
	const steps = batches.filter((batch) => settledIn(batch) > 0);
	expect(Math.max(...steps.map(settledIn))).toBeLessThanOrEqual(A_STEP);
	expect(steps.reduce((sum, step) => sum + settledIn(step), 0)).toBe(2 * MATCHES);
	const between = batches.slice(batches.indexOf(steps[0] as Committed), batches.indexOf(steps.at(-1) as Committed));
	const placed = between.flatMap(({ betEvents }) => betEvents).filter(({ event }) => event === 'PLACED');
	expect(placed.length).toBeGreaterThan(0);
	for (const { settlements, wallets, bets: touched } of steps) {
		const paid = settlements.map(({ walletId }) => walletId).filter((walletId) => walletId !== MAKER);
		const decided = touched.filter((each) => each.result !== null && each.walletId !== MAKER);
		expect(new Set(decided.map(({ walletId }) => walletId))).toEqual(new Set(paid));
		expect(wallets.map(({ walletId }) => walletId)).toEqual(expect.arrayContaining(paid));
	}
	await exchange.drain();
	await expectSound(database.db);
});

mainlyEach<[string, Request]>(
	[
		['settled', WON],
		['void', VOID],
	],
	([what]) => what === 'settled',
)('the ledger of a market that is being %s is sound after every batch', async (_, request) => {
	const walk = { isOver: false };
	const ended = exchange.submit(request).finally(() => {
		walk.isOver = true;
	});
	let audits = 0;
	for (let batch = 0; !walk.isOver; batch++) {
		const gate = gated.stop('update lease');
		await Promise.race([gate.reached, ended]);
		try {
			if (walk.isOver || (batch >= LOOKED_AT_FIRST && batch % LOOKED_AT > 0)) continue;
			await expectSound(database.db);
			await expectRecoverable();
			audits++;
		} finally {
			gate.open();
		}
	}
	await ended;
	expect(audits).toBeGreaterThan((2 * MATCHES) / A_STEP);
	if (request === WON) expectPaid();
	else for (const [walletId, had] of before) expect([walletId, moneyOf(walletId)]).toEqual([walletId, had]);
	await exchange.drain();
	await expectSound(database.db);
});

async function expectRecoverable(): Promise<void> {
	const engine = await restoredEngine(database.db);
	expect(engine.market(MARKET)?.status).toBe(exchange.market(MARKET)?.status);
}

/** Waits until the walk has taken N steps, and stops the batch of the next one. */
async function stopAfter(steps: number): Promise<{ open: () => void }> {
	const taken = () => batches.filter((batch) => settledIn(batch) > 0).length;
	for (;;) {
		const gate = gated.stop('update lease');
		await gate.reached;
		if (taken() >= steps) return gate;
		gate.open();
	}
}

it('is joined by the same request, and refuses another one', async () => {
	const ours = [exchange.submit(WON), exchange.submit(WON)];
	const step = await stopAfter(1);
	expect(exchange.market(MARKET)?.status).toBe('SETTLING');
	ours.push(exchange.submit(WON));
	const reopening: Request = { kind: 'reopen-market', marketId: MARKET, bets: [], payments: [], nextStep: 0 };
	const others: Request[] = [{ ...WON, results: ['LOSE', 'WIN'] }, VOID, reopening];
	// Answered when the step that they are refused by is durable.
	const refusals = others.map((other) => codeOf(exchange.submit(other)));
	step.open();
	await Promise.all(ours);
	expect(await Promise.all(refusals)).toEqual(others.map(() => 'MARKET_SETTLING'));
	expectPaid();
	const paid = batches.flatMap(({ settlements }) => settlements);
	expect(paid.map(({ walletId }) => walletId).toSorted((a, b) => a - b)).toEqual([MAKER, ...PLAYERS]);
	expect(await codeOf(exchange.submit(WON))).toBe('WRONG_MARKET_STATE');
});

it(
	'is ended by the process that recovers, whenever the exchange is lost',
	async () => {
		const walk = codeOf(exchange.submit(WON));
		let stopped: { open: () => void } | null = await stopAfter(1);
		let losses = 0;
		for (; stopped; losses++) {
			// Another process takes the lease before the batch is written, and stops at its own first one.
			const first = await openStopped();
			stopped.open();
			await expectSound(database.db);
			expect(exchange.market(MARKET)?.status).toBe('SETTLING');
			batches = [];
			await first.reached;
			first.open();
			stopped = await Promise.race([stopAfter(1), exchange.settled(MARKET).then(() => null)]);
		}
		expect(await walk).toBe('OUTCOME_UNKNOWN');
		expect(losses).toBeGreaterThanOrEqual(LEAST_LOSSES);
		expectPaid();
		expect(await codeOf(exchange.submit(WON))).toBe('WRONG_MARKET_STATE');
		await exchange.drain();
		await expectSound(database.db);
	},
	byForm(60_000, 600_000),
);

/** A standby that follows until it takes over. */
function follow() {
	const log = pino({ level: 'silent' });
	const patience = { silenceMs: 60_000, goneMs: 30_000 };
	const standby = new Standby({ db: database.db, log, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
	const taken = standby.run();
	taken.catch(() => undefined);
	return { standby, taken };
}

async function expectEndedBy(taken: Promise<Recovered | null>): Promise<void> {
	const recovered = (await taken) ?? expect.unreachable();
	const { rows } = await database.db.query<{ digest: string }>('select digest from lease');
	expect(recovered.engine.hash()).toBe(rows[0]?.digest);
	expect(recovered.engine.market(MARKET)?.status).toBe('SETTLING');
	await open(recovered);
	await exchange.settled(MARKET);
	expectPaid();
	await exchange.drain();
	await expectSound(database.db);
}

it('is followed by a standby, which takes over in the middle and ends it', async () => {
	// Of so many steps that those on their way are not the last.
	await exchange.drain();
	await openGated({ betsAStep: A_STEP / 5 });
	const { standby, taken } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	void codeOf(exchange.submit(WON));
	const { open: goOn } = await stopAfter(1);
	const drained = exchange.drain();
	goOn();
	await drained;
	await expectEndedBy(taken);
});

it('lets a standby join in the middle', async () => {
	await exchange.drain();
	await open(undefined, COMMIT_MS);
	const { standby, taken } = follow();
	const walk = codeOf(exchange.submit(WON));
	await expect.poll(() => standby.position, { timeout: 30_000, interval: 5 }).not.toBeNull();
	expect(exchange.market(MARKET)?.status).toBe('SETTLING');
	await exchange.drain();
	expect(await walk).toBe('OUTCOME_UNKNOWN');
	await expectEndedBy(taken);
});

it('goes on beside bets, grants and cancellations of the same players', async () => {
	const numbers = new SeededNumbers(7);
	const walk = exchange.submit(WON);
	let grantId = 10_000;
	const granted = new Map<number, number>();
	const open = new Set<string>();
	await beside(walk, async () => {
		const walletId = numbers.from(PLAYERS);
		const acts: Request[] = [
			bet(walletId, ELSEWHERE, 0, 400, 100 + numbers.below(50)),
			{ kind: 'grant-coins', grantId: ++grantId, walletId, amount: 7 },
			{ kind: 'cancel-all', walletId },
			bet(walletId, MARKET, 0, 300, 100),
			{ kind: 'set-cash-out-target', walletId, marketId: MARKET, target: 1 },
		];
		const act = numbers.from(acts);
		const code = await codeOf(exchange.submit(act));
		open.add(`${act.kind} ${code}`);
		if (act.kind === 'grant-coins') granted.set(walletId, (granted.get(walletId) ?? 0) + 7);
	});
	for (const [walletId, amount] of granted) before.set(walletId, (before.get(walletId) ?? 0) + amount);
	for (const walletId of PLAYERS) await exchange.submit({ kind: 'cancel-all', walletId });
	expectPaid();
	for (const outcome of open) expect(outcome).toMatch(/ (done|MARKET_CLOSED|MARKET_SUSPENDED)$/);
	await exchange.drain();
	await expectSound(database.db);
});

mainlyEach<[string, Request]>(
	[
		['settled', WON],
		['voided', VOID],
		['settled with a void runner', { ...WON, results: ['VOID', 'VOID'] }],
	],
	([what]) => what !== 'settled',
)('a market that was %s by a walk is reopened with all its bets, and settled anew', async (_, request) => {
	await exchange.submit(request);
	await exchange.submit({ kind: 'reopen-market', marketId: MARKET, ...(await settlementOf(database.db, MARKET)) });
	expect(exchange.market(MARKET)?.status).toBe('CLOSED');
	const matchedOf = (records: readonly BetRecord[]) =>
		new Map(records.filter(({ matched }) => matched > 0).map(({ betId, matched }) => [betId, matched]));
	expect(matchedOf(exchange.betsIn([MARKET]))).toEqual(matchedOf(bets));
	for (const [walletId, had] of before) expect([walletId, moneyOf(walletId)]).toEqual([walletId, had]);
	await expectSound(database.db);
	const settled: Promise<Receipt> = exchange.submit(WON);
	await settled;
	expectPaid();
	await exchange.drain();
	await expectSound(database.db);
});
