/**
 * What changes all bets of a market with many bets is a walk: a suspension after an incident, the turn in-play, the close, a
 * removal, another factor, a return. The ledger is sound after each of its batches, a process that recovers or takes over
 * at any of them ends it, and acts that need the bets as a whole wait. That it comes to what one command comes to, in
 * markets of every type, is in test/reference/walks.test.ts.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const MARKET = 1;
/** The house has more bets than a step takes, some of them unmatched, and is changed in parts. */
const HOUSE = 3;
const PLAYERS = [1001, 1002, 1003, 1004, 1005];
const BETS_A_STEP = 3;
const FUNDS = 100_000;

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
let exchanges: Exchange[];

async function open(recovered?: Recovered): Promise<void> {
	gated = new GatedDatabase(database.db);
	await openGated(recovered);
}

const BATCH = 'update lease set batch';

/** One that stops after its first batch is written, before it hears of it. */
async function openStopped() {
	gated = new GatedDatabase(database.db);
	const first = gated.stop(BATCH, 'after');
	await openGated();
	return first;
}

async function openGated(recovered?: Recovered): Promise<void> {
	const log = pino({ level: 'silent' });
	const ours = { db: database.db, ledger: gated.asDatabase(), log, ledgerKey: LEDGER_KEY, commandRows: true };
	exchange = await openExchange({ ...ours, onCommitted: () => {}, betsAStep: BETS_A_STEP, recovered });
	exchanges.push(exchange);
}

const bet = (
	walletId: number,
	side: 0 | 1,
	price: number,
	more: { persist?: boolean; runner?: number } = {},
): Request => ({
	kind: 'place-bet',
	walletId,
	marketId: MARKET,
	runner: 0,
	side,
	price,
	stake: 100,
	persist: false,
	...more,
});

/** In one batch. */
const together = (requests: readonly Request[]) => Promise.all(requests.map((request) => exchange.submit(request)));

beforeEach(async () => {
	database = await freshDatabase();
	exchanges = [];
	await open();
	const wallets = [HOUSE, ...PLAYERS];
	await exchange.submit(plainMarket(MARKET, { runners: 3, reducible: true, reduces: 'PRICE' }));
	await together(wallets.map((walletId) => ({ kind: 'open-wallet', walletId, pool: 'PLAY' })));
	await together(wallets.map((walletId) => ({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS })));
	// Matched at 3.00 on runner 0, at 2.00 on runner 2; unmatched are lays at 1.50 and backs at 10.00.
	const orders = PLAYERS.flatMap((walletId) => [
		bet(HOUSE, 1, 300, { persist: true }),
		bet(walletId, 0, 300),
		bet(walletId, 0, 1000),
		bet(walletId, 1, 150, { persist: true }),
	]);
	orders.push(bet(HOUSE, 0, 200, { runner: 2 }), bet(PLAYERS[0] as number, 1, 200, { runner: 2 }));
	await together([...orders, bet(HOUSE, 1, 120, { persist: true })]);
});
afterEach(async () => {
	for (const each of exchanges) await each.drain();
	await database.drop();
});

const about = { marketId: MARKET };
const REMOVAL: Request = { kind: 'remove-runner', ...about, runner: 2, reductionBp: 2_000 };
const LAPSE: Request = { kind: 'suspend-market', ...about, lapseUnmatched: true };

/** What is unmatched of a player: [price, minor units]. */
const unmatched = (walletId: number) =>
	exchange
		.openBets(walletId)
		.filter(({ remaining }) => remaining > 0)
		.map(({ price, remaining }) => [price, remaining])
		.toSorted();
/** The prices at which a player's bets on runner 0 are matched. */
const matched = (walletId: number) =>
	exchange
		.openBets(walletId)
		.filter((each) => each.matched > 0 && each.runner === 0)
		.map(({ matchedValue, matched: stake }) => matchedValue / stake);

/** Each act, what has to come before it, and how the market and a player's bets stand after it. */
interface Change {
	before: Request[];
	act: Request;
	/** At least, the beginning included: as many bets as it changes, by three. */
	steps: number;
	status: string;
	unmatched: number[][];
	price: number;
}
const ACTS: [string, Change][] = [
	[
		'a suspension after an incident',
		{ before: [], act: LAPSE, steps: 5, status: 'SUSPENDED', unmatched: [], price: 300 },
	],
	[
		'the turn in-play',
		{
			before: [],
			act: { kind: 'turn-in-play', ...about },
			steps: 3,
			status: 'OPEN',
			unmatched: [[150, 100]],
			price: 300,
		},
	],
	[
		'the close',
		{ before: [], act: { kind: 'close-market', ...about }, steps: 5, status: 'CLOSED', unmatched: [], price: 300 },
	],
	[
		'a removal',
		// 20 % off; the lay persists and is asked at 1.20.
		{
			before: [],
			act: REMOVAL,
			steps: 8,
			status: 'OPEN',
			unmatched: [
				[1000, 100],
				[120, 100],
			],
			price: 240,
		},
	],
	[
		'another factor',
		{
			before: [REMOVAL],
			act: { kind: 'correct-reduction', ...about, runner: 2, reductionBp: 1_000 },
			steps: 8,
			status: 'OPEN',
			unmatched: [
				[1000, 100],
				[120, 100],
			],
			price: 270,
		},
	],
	[
		'a return',
		{
			before: [REMOVAL],
			act: { kind: 'return-runner', ...about, runner: 2 },
			steps: 8,
			status: 'OPEN',
			unmatched: [
				[1000, 100],
				[120, 100],
			],
			price: 300,
		},
	],
];

async function expectDone({ status, unmatched: left, price }: Change): Promise<void> {
	expect(exchange.market(MARKET)).toMatchObject({ status, changing: null });
	for (const walletId of PLAYERS) expect([unmatched(walletId), matched(walletId)]).toEqual([left, [price]]);
	await exchange.drain();
	await expectSound(database.db);
}

/** One that changes prices and voids matches, and one that lapses bets; the walk is the same for all. */
const [LOST, FOLLOWED] = ['a removal', 'the turn in-play'];

describe.each(ACTS)('%s in a market with many bets', (name, expected) => {
	const only = (main: string) => ({ tags: name === main ? [] : ['thorough'] });
	beforeEach(async () => {
		for (const request of expected.before) await exchange.submit(request);
	});

	it('leaves a sound ledger with each batch, whose process is lost with every one', only(LOST), async () => {
		let stop = gated.stop(BATCH, 'after');
		let walk = codeOf(exchange.submit(expected.act));
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
		expect(losses).toBeGreaterThanOrEqual(expected.steps);
		await expectDone(expected);
	});

	it('is followed by a standby, which takes over in the middle and ends it', only(FOLLOWED), async () => {
		const log = pino({ level: 'silent' });
		const patience = { silenceMs: 60_000, goneMs: 30_000 };
		const standby = new Standby({ db: database.db, log, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
		const taken = standby.run();
		await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
		const begun = gated.stop(BATCH, 'after');
		void codeOf(exchange.submit(expected.act));
		await begun.reached;
		const step = gated.stop(BATCH, 'after');
		begun.open();
		await step.reached;
		const drained = exchange.drain();
		step.open();
		await drained;
		const recovered = (await taken) ?? expect.unreachable();
		const { rows } = await database.db.query<{ digest: string }>('select digest from lease');
		expect(recovered.engine.hash()).toBe(rows[0]?.digest);
		expect(recovered.engine.market(MARKET)).toMatchObject({ changing: expect.any(Object) });
		await open(recovered);
		await exchange.settled(MARKET);
		await expectDone(expected);
	});
});

/** Stops the walk of an act after its first batch. */
async function stopped(act: Request): Promise<{ walk: Promise<string>; open: () => void }> {
	const begun = gated.stop(BATCH, 'after');
	const walk = codeOf(exchange.submit(act));
	await begun.reached;
	const step = gated.stop(BATCH);
	begun.open();
	await step.reached;
	return { walk, open: step.open };
}

describe('while the bets of a market are changed', () => {
	it('nothing is placed, and players may cancel', async () => {
		const { walk, open: goOn } = await stopped({ kind: 'turn-in-play', marketId: MARKET });
		const [first = 0, last = 0] = [PLAYERS[0], PLAYERS.at(-1)];
		const acts: [Request, string][] = [
			[bet(first, 0, 300), 'MARKET_SUSPENDED'],
			[{ kind: 'cancel-all', walletId: last }, 'done'],
			[{ kind: 'resume-runner', marketId: MARKET, runner: 0 }, 'done'],
		];
		const codes = acts.map(([act]) => codeOf(exchange.submit(act)));
		goOn();
		expect(await Promise.all([walk, ...codes])).toEqual(['done', ...acts.map(([, code]) => code)]);
		expect(unmatched(last)).toEqual([]);
		expect(unmatched(first)).toEqual([[150, 100]]);
	});

	it('acts that need its bets as a whole wait, in their order, and a bet cannot be made to persist', async () => {
		const { walk, open: goOn } = await stopped({ kind: 'turn-in-play', marketId: MARKET });
		const [walletId = 0] = PLAYERS.slice(-1);
		const own = exchange.openBets(walletId).find(({ persist, remaining }) => !persist && remaining > 0);
		const persist: Request = { kind: 'update-bet', walletId, betId: own?.betId ?? 0, persist: true };
		// Answered when the change that it is refused by is durable.
		const refused = codeOf(exchange.submit(persist));
		const acts: Request[] = [
			REMOVAL,
			LAPSE,
			{ kind: 'resume-market', marketId: MARKET },
			{ kind: 'close-market', marketId: MARKET },
			{ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE', 'LOSE'] },
		];
		const codes = acts.map((act) => codeOf(exchange.submit(act)));
		goOn();
		expect(await Promise.all([walk, ...codes])).toEqual(['done', ...acts.map(() => 'done')]);
		expect(await refused).toBe('MARKET_CHANGING');
		expect(exchange.market(MARKET)?.status).toBe('SETTLED');
		for (const each of [HOUSE, ...PLAYERS]) expect(exchange.wallet(each)?.exposure).toBe(0);
		await exchange.drain();
		await expectSound(database.db);
	});

	it.each([
		['stands when they are changed', { lapseUnmatched: false }, [[150, 100]]],
		['keeps bets out at once, and lapses the others then', { lapseUnmatched: true }, []],
	])('a suspension by an operator %s', async (_, how, left) => {
		const { walk, open: goOn } = await stopped({ kind: 'turn-in-play', marketId: MARKET });
		const suspended = codeOf(exchange.submit({ kind: 'suspend-market', marketId: MARKET, ...how }));
		goOn();
		await walk;
		expect(exchange.market(MARKET)).toMatchObject({ status: 'SUSPENDED', heldByOperator: true, inPlay: true });
		expect(await suspended).toBe('done');
		expect(exchange.market(MARKET)?.status).toBe('SUSPENDED');
		expect(PLAYERS.map(unmatched)).toEqual(PLAYERS.map(() => left));
		const resumed: Request = { kind: 'resume-market', marketId: MARKET, byFeed: true };
		expect(await codeOf(exchange.submit(resumed))).toBe('MARKET_SUSPENDED');
	});
});
