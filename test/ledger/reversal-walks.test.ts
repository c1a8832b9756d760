/**
 * The settlement of a market with many bets is taken back by a walk: a reopening, another result, none, another factor of a
 * removed runner, voided matches. The ledger is sound after each of its batches, a process that recovers or takes over at
 * any of them ends it, and nothing else happens to the market meanwhile. That it comes to what one command comes to, in
 * markets of every type, is in test/reference/walks.test.ts.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BeginReversal, RemoveRunner } from '#engine/command.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { type Recovered, recover } from '#server/exchange/recovery/recovery.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { reverseSettlement } from '#server/operators/reopen-market.ts';
import { standingMatches } from '#server/operators/void-bets.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { restoredEngine } from '../support/restored-engine.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [MARKET, ELSEWHERE] = [1, 2];
/** The house lays most bets, more than a step takes, and comes back in parts. */
const HOUSE = 3;
const PLAYERS = [1001, 1002, 1003, 1004, 1005, 1006];
const BETS_A_STEP = 3;
const FUNDS = 100_000;
/** Minor units; at prices that leave fractions of a minor unit. */
const STAKES = [101, 103, 107, 109, 113, 127];
const PRICE = 340;
const COMMISSION_BP = 200;
const BATCH = 'update lease set batch';

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
let exchanges: Exchange[];
let batches: Committed[];
/** Those that a failed test leaves closed would hold up its end. */
let gates: { open: () => void }[];
/** With standbys come heartbeats, and a gate stops one as it stops a batch of a walk: where it counts, there are none. */
let isFollowed: boolean;

async function openGated(recovered?: Recovered): Promise<void> {
	const log = pino({ level: 'silent' });
	const ours = { db: database.db, ledger: gated.asDatabase(), log, ledgerKey: LEDGER_KEY, commandRows: isFollowed };
	const onCommitted = (batch: Committed) => void batches.push(batch);
	exchange = await openExchange({ ...ours, onCommitted, betsAStep: BETS_A_STEP, recovered });
	exchanges.push(exchange);
}

async function open(recovered?: Recovered): Promise<void> {
	gated = new GatedDatabase(database.db);
	await openGated(recovered);
}

/** Stops the next batch. */
function stopBatch(when: 'before' | 'after' = 'before') {
	const gate = gated.stop(BATCH, when);
	gates.push(gate);
	return gate;
}

/** One that stops after its first batch is written, before it hears of it. */
async function openStopped() {
	gated = new GatedDatabase(database.db);
	const first = stopBatch('after');
	await openGated();
	return first;
}

const bet = (walletId: number, side: 0 | 1, stake: number, more: { runner?: number; marketId?: number } = {}) =>
	({
		kind: 'place-bet',
		walletId,
		marketId: MARKET,
		runner: 0,
		side,
		price: PRICE,
		stake,
		persist: false,
		...more,
	}) as const satisfies Request;

/** In one batch. */
const together = (requests: readonly Request[]) => Promise.all(requests.map((request) => exchange.submit(request)));

const REMOVAL: RemoveRunner = { kind: 'remove-runner', marketId: MARKET, runner: 2, reductionBp: 1_000 };
const WON: Request = { kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE', 'LOSE'] };
const LOST: Request = { kind: 'settle-market', marketId: MARKET, results: ['LOSE', 'WIN', 'LOSE'] };

beforeEach(async () => {
	database = await freshDatabase();
	[exchanges, batches, gates, isFollowed] = [[], [], [], false];
	await open();
	const race = { runners: 3, reducible: true, reduces: 'PRICE', commissionBp: COMMISSION_BP } as const;
	await together([MARKET, ELSEWHERE].map((marketId) => plainMarket(marketId, race)));
	const wallets = [HOUSE, ...PLAYERS];
	await together(wallets.map((walletId) => ({ kind: 'open-wallet', walletId, pool: 'PLAY' })));
	await together(wallets.map((walletId) => ({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS })));
	const orders = PLAYERS.flatMap((walletId, at) => {
		const stake = STAKES[at] as number;
		// The last two lay what the others back, so that there are winners and losers of either result.
		const side = at < 4 ? 0 : 1;
		return [bet(HOUSE, side === 0 ? 1 : 0, stake), bet(walletId, side, stake)];
	});
	// Void by the removal, so no part of any settlement.
	orders.push(bet(HOUSE, 1, 200, { runner: 2 }), bet(PLAYERS[0] as number, 0, 200, { runner: 2 }));
	await together(orders);
	await exchange.submit(REMOVAL);
	await exchange.submit({ kind: 'close-market', marketId: MARKET });
	await exchange.submit(WON);
	batches = [];
});
afterEach(async () => {
	for (const gate of gates) gate.open();
	for (const each of exchanges) await each.drain();
	await database.drop();
});

/** The stake and the value of a player's matched bets, at 3.40 less the factor, to the nearest hundredth. */
const reduced = (factorBp: number) => Math.round((PRICE * (10_000 - factorBp)) / 10_000);

/** What a player nets if the first runner wins, or does not: rounded once, an exact half to the house. */
function netOf(at: number, isWon: boolean, factorBp: number): number {
	const stake = STAKES[at] as number;
	const backed = isWon ? (stake * (reduced(factorBp) - 100)) / 100 : -stake;
	return Math.ceil((at < 4 ? backed : -backed) - 0.5);
}
const afterCommission = (net: number) => net - Math.floor((Math.max(0, net) * COMMISSION_BP) / 10_000 + 0.5);

/** Each player's cash and exposure after a settlement. @param voided whose bets are void */
const settled = (isWon: boolean, { factorBp = REMOVAL.reductionBp, voided = [] as readonly number[] } = {}) =>
	PLAYERS.map((_, at) => [FUNDS + (voided.includes(at) ? 0 : afterCommission(netOf(at, isWon, factorBp))), 0]);
const money = () =>
	PLAYERS.map((walletId) => {
		const { cash, exposure } = exchange.wallet(walletId) ?? {};
		return [cash, exposure];
	});
/** Before a result: a backer holds the stake, a layer what it can lose, rounded up. */
const held = () =>
	PLAYERS.map((_, at) => {
		const exposure = at < 4 ? (STAKES[at] as number) : -netOf(at, true, REMOVAL.reductionBp);
		return [FUNDS - exposure, exposure];
	});

type Afterwards = Pick<BeginReversal, 'next' | 'correction' | 'matches'>;
interface TakenBack {
	/** What follows, and the matches of a number of players that are void. */
	afterwards: Afterwards;
	voided?: readonly number[];
	status: string;
	money: () => (number | undefined)[][];
	openBets: number;
}
const results = { won: ['WIN', 'LOSE', 'LOSE'], lost: ['LOSE', 'WIN', 'LOSE'] } as const;
const ACTS: [string, TakenBack][] = [
	['a reopening', { afterwards: { next: null }, status: 'CLOSED', money: held, openBets: 12 }],
	[
		'another result',
		{
			afterwards: { next: { results: results.lost } },
			status: 'SETTLED',
			money: () => settled(false),
			openBets: 0,
		},
	],
	[
		'no result',
		{
			afterwards: { next: { results: null } },
			status: 'VOIDED',
			money: () => PLAYERS.map(() => [FUNDS, 0]),
			openBets: 0,
		},
	],
	[
		'another factor',
		{
			afterwards: { next: { results: results.won }, correction: { runner: 2, reductionBp: 2_500 } },
			status: 'SETTLED',
			money: () => settled(true, { factorBp: 2_500 }),
			openBets: 0,
		},
	],
	[
		'the voiding of matches',
		{
			afterwards: { next: { results: results.won } },
			voided: [0, 1, 2, 4],
			status: 'SETTLED',
			money: () => settled(true, { voided: [0, 1, 2, 4] }),
			openBets: 0,
		},
	],
];

/** Between them they take every kind of step; the others are in the long form. */
const LOST_EACH = new Set(['another factor', 'the voiding of matches']);
const FOLLOWED = 'another factor';

async function act({ afterwards, voided }: TakenBack): Promise<void> {
	const wallets = voided?.map((at) => PLAYERS[at]);
	const matches = wallets
		? { matches: await standingMatches(database.db, 'met.runner = 0 and taker.wallet_id = any($2)', [MARKET, wallets]) }
		: {};
	await reverseSettlement({ db: database.db, exchange }, MARKET, { ...afterwards, ...matches });
}

const isReversing = async () => (await restoredEngine(database.db)).market(MARKET)?.reversing != null;

async function expectDone({ status, money: expected, openBets }: TakenBack): Promise<void> {
	expect(await exchange.recall(MARKET)).toMatchObject({ status, reversing: null });
	expect(money()).toEqual(expected());
	expect(exchange.betsIn([MARKET])).toHaveLength(openBets);
	await exchange.drain();
	await expectSound(database.db);
}

const thorough = { tags: ['thorough'] };

describe.each(ACTS)('%s after a settlement with many bets', (name, expected) => {
	const lost = LOST_EACH.has(name) ? {} : thorough;
	it('leaves a sound ledger with each batch, whose process is lost with every one', lost, async () => {
		expect(money()).toEqual(settled(true));
		let stop = stopBatch('after');
		let walk = codeOf(act(expected));
		let losses = 0;
		for (; ; losses++) {
			const isOver = await Promise.race([stop.reached.then(() => false), walk.then(() => true)]);
			if (isOver) break;
			await expectSound(database.db);
			// Another process takes the lease, comes to the digest of this batch from the tables, and goes on; this one is deposed
			// at its next batch.
			const { open: goOn } = stop;
			stop = await openStopped();
			goOn();
			expect(['OUTCOME_UNKNOWN', 'DRAINING', 'done']).toContain(await walk);
			walk = codeOf(exchange.settled(MARKET));
		}
		stop.open();
		// Its beginning, and twelve bets by three.
		expect(losses).toBeGreaterThanOrEqual(5);
		await expectDone(expected);
	});

	const followed = name === FOLLOWED ? {} : thorough;
	it('is followed by a standby, which takes over in the middle and ends it', followed, async () => {
		await exchange.drain();
		isFollowed = true;
		await open();
		const log = pino({ level: 'silent' });
		const patience = { silenceMs: 60_000, goneMs: 30_000 };
		const standby = new Standby({ db: database.db, log, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
		const taken = standby.run();
		await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
		let begun = stopBatch('after');
		void codeOf(act(expected));
		await begun.reached;
		// A heartbeat may come before the beginning.
		while (!(await isReversing())) {
			const { open: goOn } = begun;
			begun = stopBatch('after');
			goOn();
			await begun.reached;
		}
		const step = stopBatch('after');
		begun.open();
		await step.reached;
		const drained = exchange.drain();
		step.open();
		await drained;
		const recovered = (await taken) ?? expect.unreachable();
		const { rows } = await database.db.query<{ digest: string }>('select digest from lease');
		expect(recovered.engine.hash()).toBe(rows[0]?.digest);
		expect(recovered.engine.market(MARKET)).toMatchObject({ reversing: expect.any(Object) });
		await open(recovered);
		await exchange.settled(MARKET);
		await expectDone(expected);
	});
});

/** Stops the walk of an act when some of its steps are durable, with the next one on its way. */
async function stopped(taken: TakenBack, steps = 1): Promise<{ walk: Promise<string>; open: () => void }> {
	let gate = stopBatch();
	const walk = codeOf(act(taken));
	for (let step = 0; step <= steps; step++) {
		await gate.reached;
		const { open: goOn } = gate;
		gate = stopBatch();
		goOn();
	}
	await gate.reached;
	return { walk, open: gate.open };
}
const [[, REOPENING], [, RESETTLEMENT]] = ACTS as [[string, TakenBack], [string, TakenBack]];
const [, VOIDING] = ACTS.at(-1) as [string, TakenBack];

it('a player’s bets and money come back with one batch, and he is told of both with it', async () => {
	await act(REOPENING);
	const back = batches.filter(({ betEvents }) => betEvents.some(({ event }) => event === 'REOPENED'));
	expect(back.length).toBeGreaterThan(3);
	for (const { bets, wallets, settlements } of back) {
		const players = (ids: readonly number[]) => new Set(ids.filter((walletId) => walletId !== HOUSE));
		const told = players(bets.map(({ walletId }) => walletId));
		expect(players(settlements.map(({ walletId }) => walletId))).toEqual(told);
		expect(players(wallets.map(({ walletId }) => walletId))).toEqual(told);
		expect(bets.length).toBeLessThanOrEqual(BETS_A_STEP);
	}
});

it('is taken back once more after matches of it were void: its settlement did not end their bets', async () => {
	const voided = VOIDING.voided ?? [];
	await act(VOIDING);
	expect(money()).toEqual(settled(true, { voided }));
	await act(REOPENING);
	expect(exchange.market(MARKET)).toMatchObject({ status: 'CLOSED', reversing: null });
	expect(money()).toEqual(held().map((each, at) => (voided.includes(at) ? [FUNDS, 0] : each)));
	await exchange.drain();
	await expectSound(database.db);
});

it.each([
	['that was void gets a result', { next: { results: results.won } }, 'SETTLED'],
	['that was void is opened again', { next: null }, 'CLOSED'],
] as const)('what a removal made void stays void when a market %s', async (_, afterwards, status) => {
	const before = money();
	const gone = { marketId: ELSEWHERE, runner: 2 };
	await together([bet(HOUSE, 1, 200, gone), bet(PLAYERS[0] as number, 0, 200, gone)]);
	await exchange.submit({ ...REMOVAL, marketId: ELSEWHERE });
	await exchange.submit({ kind: 'void-market', marketId: ELSEWHERE });
	await reverseSettlement({ db: database.db, exchange }, ELSEWHERE, afterwards);
	expect(exchange.market(ELSEWHERE)?.status).toBe(status);
	expect([money(), exchange.betsIn([ELSEWHERE])]).toEqual([before, []]);
	await exchange.drain();
	await expectSound(database.db);
});

describe('while a settlement is taken back', () => {
	it('no other result, reopening or voiding comes in between, and the same result is joined', async () => {
		const { walk, open: goOn } = await stopped(RESETTLEMENT);
		expect(exchange.market(MARKET)?.status).toBe('SETTLING');
		const refused: Request[] = [
			WON,
			{ kind: 'void-market', marketId: MARKET },
			{ kind: 'void-matches', marketId: MARKET, matches: [] },
			{ kind: 'correct-reduction', marketId: MARKET, runner: 2, reductionBp: 500 },
			{ kind: 'begin-reversal', marketId: MARKET, betCount: 1, paidSinceMs: 0, nextStep: 99, next: null },
		];
		// Answered when the step that they are refused by is durable.
		const refusals = refused.map((other) => codeOf(exchange.submit(other)));
		const joined = codeOf(exchange.submit(LOST));
		const reopened = codeOf(act(REOPENING));
		goOn();
		expect([await walk, await joined]).toEqual(['done', 'done']);
		expect(await Promise.all(refusals)).toEqual(refused.map(() => 'MARKET_SETTLING'));
		expect(['MARKET_SETTLING', 'WRONG_MARKET_STATE', 'done']).toContain(await reopened);
	});

	it('the market is settled again while its last step is on its way, and both are answered as done', async () => {
		await exchange.drain();
		const recovered = await recover(database.db, new LedgerSealer(LEDGER_KEY));
		await open(recovered);
		let gate = stopBatch();
		const reopened = codeOf(act(REOPENING));
		for (;;) {
			await gate.reached;
			if (recovered.engine.market(MARKET)?.status === 'CLOSED') break;
			const { open: goOn } = gate;
			gate = stopBatch();
			goOn();
		}
		// The walk hears that its last step is on its way.
		await new Promise((resume) => setImmediate(resume));
		const settlement = codeOf(exchange.submit(LOST));
		gate.open();
		expect([await reopened, await settlement]).toEqual(['done', 'done']);
		expect(exchange.figures().unevenMarkets).toEqual([]);
		await exchange.settled(MARKET);
		await expectDone(RESETTLEMENT);
	});

	it('a settlement that is walked is not taken back', async () => {
		await act(REOPENING);
		const gate = stopBatch('after');
		const walk = codeOf(exchange.submit(LOST));
		await gate.reached;
		const reopened = codeOf(act(REOPENING));
		gate.open();
		expect(await walk).toBe('done');
		expect(['MARKET_SETTLING', 'WRONG_MARKET_STATE', 'done']).toContain(await reopened);
		if ((await reopened) === 'done') await expectDone(REOPENING);
		else await expectDone(RESETTLEMENT);
	});

	it('others bet elsewhere, and a winner who spends what comes back goes below zero', async () => {
		const [winner = 0] = PLAYERS;
		const spent = exchange.wallet(winner)?.cash ?? 0;
		await exchange.submit(bet(winner, 0, spent, { marketId: ELSEWHERE }));
		expect(exchange.wallet(winner)).toMatchObject({ cash: 0, exposure: spent });
		const { walk, open: goOn } = await stopped(REOPENING);
		const placed = codeOf(exchange.submit(bet(PLAYERS[5] as number, 0, 100, { marketId: ELSEWHERE })));
		goOn();
		expect([await walk, await placed]).toEqual(['done', 'done']);
		const won = afterCommission(netOf(0, true, REMOVAL.reductionBp));
		expect(exchange.wallet(winner)?.cash).toBe(-won);
		await exchange.drain();
		await expectSound(database.db);
	});

	it('the database may fail under its reading', async () => {
		const { db } = database;
		const { walk, open: goOn } = await stopped(RESETTLEMENT);
		await db.query(
			`select pg_terminate_backend(pid) from pg_stat_activity
			 where state = 'idle in transaction' and query like 'fetch%settled_bets' and datname = current_database()`,
		);
		goOn();
		expect(await walk).toBe('done');
		await expectDone(RESETTLEMENT);
	});
});

it('random acts meanwhile change nothing of the market, and what it comes to', async () => {
	for (let seed = 1; seed <= 3; seed++) {
		const numbers = new SeededNumbers(seed);
		const [, taken] = numbers.from(ACTS.slice(0, 2)) as [string, TakenBack];
		const walk = codeOf(act(taken));
		const outcomes: Promise<string>[] = [];
		const end = { isReached: false };
		const ended = walk.finally(() => {
			end.isReached = true;
		});
		while (!end.isReached) {
			const walletId = numbers.from(PLAYERS);
			const own = exchange.openBets(walletId)[0]?.betId ?? 1;
			const acts: Request[] = [
				bet(walletId, numbers.below(2) as 0 | 1, 100),
				{ kind: 'cancel-bet', betId: own, walletId },
				{ kind: 'cancel-all', walletId, marketId: MARKET },
				{ kind: 'cash-out', walletId, marketId: MARKET, share: 1, agreed: { certain: 0, lines: 0, cancelled: 0 } },
				{ kind: 'set-cash-out-target', walletId, marketId: MARKET, target: 1 },
				{ kind: 'return-runner', marketId: MARKET, runner: 2 },
				{ kind: 'resume-market', marketId: MARKET },
				{ kind: 'void-market', marketId: MARKET, seen: { status: 'OPEN', version: 1 } },
			];
			if (exchange.market(MARKET)?.status === 'SETTLING') outcomes.push(codeOf(exchange.submit(numbers.from(acts))));
			await new Promise((resume) => setImmediate(resume));
		}
		expect(await ended).toBe('done');
		expect(outcomes.length).toBeGreaterThan(0);
		expect(exchange.market(MARKET)).toMatchObject({ status: taken.status, removed: [[2, REMOVAL.reductionBp]] });
		expect(money()).toEqual(taken.money());
		if (taken.status === 'CLOSED') await exchange.submit(WON);
	}
	await exchange.drain();
	await expectSound(database.db);
});

it('a wallet whose row is wrong is found before anything is touched', async () => {
	await database.db.query('update player_settlement set net = net + 1 where wallet_id = $1', [PLAYERS[0]]);
	expect(await codeOf(act(REOPENING))).toBe('WRONG_MARKET_STATE');
	expect(exchange.market(MARKET)?.status).toBe('SETTLED');
	expect(money()).toEqual(settled(true));
});
