/**
 * The lease of a market's feed, in the real exchange on a real database, with a clock of the test's own: what happens
 * to bets when the feed falls silent, lives again, or the exchange is rebuilt or restarted in between.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenMarket } from '#engine/command.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';
import { FaultyDatabase } from '../crashes/faulty-database.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const [FED, UNFED] = [1, 2];
const LEASE_MS = 10_000;
const DELAY_MS = 1_000;
const [BACKER, LAYER] = [11, 12];
const STAKE = 10_000;

let database: FreshDatabase;
let faulty: FaultyDatabase;
let exchange: Exchange;
const BEGAN_AT_MS = 1_700_000_000_000;
let monotonicMs = 0;
let breaksNext = false;

const open = async (): Promise<Exchange> =>
	await openExchange({
		ledgerKey: LEDGER_KEY,
		db: faulty.asDatabase(),
		log: pino({ level: 'silent' }),
		clock: { wallMs: () => BEGAN_AT_MS + monotonicMs, monotonicMs: () => monotonicMs },
		onCommitted: () => {},
	});

async function openMarket(marketId: number, terms: Partial<OpenMarket>): Promise<void> {
	await exchange.submit(plainMarket(marketId, { minStake: 1, maxStake: 100_000_000, ...terms }));
}

beforeEach(async () => {
	database = await freshDatabase();
	faulty = new FaultyDatabase(database.db, () => {
		const fault = breaksNext ? 'before' : null;
		breaksNext = false;
		return fault;
	});
	exchange = await open();
	for (const walletId of [BACKER, LAYER]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000_000 });
	}
	await openMarket(FED, { feedLeaseMs: LEASE_MS, betDelayMs: DELAY_MS, passiveGoesIn: true });
	await openMarket(UNFED, {});
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

const bet = (side: SideCode, marketId = FED): Request => ({
	kind: 'place-bet',
	walletId: side === BACK ? BACKER : LAYER,
	marketId,
	runner: 0,
	side,
	price: 200,
	stake: STAKE,
	persist: true,
});
const statusOf = (marketId: number) => exchange.market(marketId)?.status;
/** Until the lease has run out. */
const fallSilent = (): void => {
	monotonicMs += LEASE_MS;
};
const resume: Request = { kind: 'resume-market', marketId: FED, byFeed: true };

/** The exchange loses a batch, and is recovered from the tables. */
async function rebuild(): Promise<void> {
	breaksNext = true;
	await expect(exchange.submit(bet(LAY, UNFED))).rejects.toMatchObject({ code: 'STARTING' });
	await expect.poll(() => exchange.submit(bet(LAY, UNFED)).then(Boolean, () => false)).toBe(true);
}

describe('a market whose feed falls silent', () => {
	it('is suspended, and one without a feed is not', async () => {
		fallSilent();
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
		monotonicMs += 100 * LEASE_MS;
		expect((await exchange.submit(bet(LAY, UNFED))).remaining).toBe(STAKE);
		expect(statusOf(UNFED)).toBe('OPEN');
	});

	it('refuses the very next bet, before anything is matched', async () => {
		await exchange.submit(bet(LAY));
		fallSilent();
		await expect(exchange.submit(bet(BACK))).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
		// What waits stays: nothing happened that it could not know of.
		expect(exchange.openBets(LAYER).map(({ matched, remaining }) => [matched, remaining])).toEqual([[0, STAKE]]);
	});

	it('places no bet of a trigger that the last match reached', async () => {
		await exchange.submit(bet(LAY));
		const order = {
			walletId: BACKER,
			marketId: FED,
			runner: 0,
			side: BACK as SideCode,
			price: 200,
			stake: 500,
			persist: true,
		};
		const reached = { watches: 'LAST_TRADED', moves: 'FALLS', at: 200, trail: null, marketVersion: null } as const;
		await exchange.submit({ kind: 'place-trigger', ...order, ...reached });
		// Applied at once, and looked at as its batch is sealed.
		const matched = exchange.submit({ ...bet(BACK), stake: 100 } as Request);
		fallSilent();
		await matched;
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
		expect(exchange.triggers(BACKER)).toMatchObject([{ status: 'DUE' }]);
		expect(exchange.openBets(LAYER).map(({ matched: stake }) => stake)).toEqual([100]);
	});

	it('refuses a replacement at a price that would match', async () => {
		await exchange.submit(bet(LAY));
		const { betId } = await exchange.submit({ ...bet(BACK), price: 300 } as Request);
		fallSilent();
		const replaced = exchange.submit({ kind: 'replace-bet', betId: betId as number, walletId: BACKER, price: 200 });
		await expect(replaced).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
	});

	it('lapses a bet whose delay ends after the lease', async () => {
		await exchange.submit({ kind: 'turn-in-play', marketId: FED });
		await exchange.submit(bet(LAY));
		const { atMs, dueAtMs } = await exchange.submit(bet(BACK));
		expect(dueAtMs).toBe(atMs + DELAY_MS);
		fallSilent();
		await expect.poll(() => exchange.openBets(BACKER)).toEqual([]);
		expect(exchange.openBets(LAYER).map(({ matched }) => matched)).toEqual([0]);
	});

	it('is suspended while the ball is running, too', async () => {
		await exchange.submit({
			kind: 'suspend-market',
			marketId: FED,
			lapseUnmatched: false,
			ballRunning: true,
			byFeed: true,
		});
		fallSilent();
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
	});

	it('cannot be resumed by an operator before its feed is alive', async () => {
		fallSilent();
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
		const byOperator = exchange.submit({ kind: 'resume-market', marketId: FED });
		await expect(byOperator).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
	});

	it('is resumed by a feed that renews its lease', async () => {
		await exchange.submit(bet(LAY));
		fallSilent();
		await expect.poll(() => statusOf(FED)).toBe('SUSPENDED');
		exchange.renewLeases([FED]);
		await exchange.submit(resume);
		expect((await exchange.submit(bet(BACK))).matched).toBe(STAKE);
	});
});

describe('a lease', () => {
	it('that is renewed in time lets bets match', async () => {
		for (let beat = 0; beat < 20; beat++) {
			monotonicMs += LEASE_MS - 1;
			exchange.renewLeases([FED]);
			await exchange.submit(bet(beat % 2 === 0 ? LAY : BACK));
		}
		expect(exchange.openBets(BACKER).reduce((sum, { matched }) => sum + matched, 0)).toBe(10 * STAKE);
	});

	it('keeps its end while the exchange is rebuilt', async () => {
		monotonicMs += LEASE_MS - 1;
		await rebuild();
		await exchange.submit(bet(LAY));
		expect(statusOf(FED)).toBe('OPEN');
		monotonicMs += 1;
		await expect(exchange.submit(bet(BACK))).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
	});

	it('has run out after a restart', async () => {
		await exchange.submit(bet(LAY));
		await exchange.drain();
		exchange = await open();
		await expect(exchange.submit(bet(BACK))).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
		expect(statusOf(UNFED)).toBe('OPEN');
	});
});

describe('a market that an operator suspended', () => {
	const byOperator: Request = { kind: 'suspend-market', marketId: FED, lapseUnmatched: false };

	it.each([
		['an open market', async () => {}],
		['a market that its feed has suspended', async () => void (await exchange.submit({ ...byOperator, byFeed: true }))],
		['a market whose lease ran out', async () => fallSilent()],
	])('stays suspended while the feed is alive: %s', async (_, before) => {
		await before();
		await exchange.submit(byOperator);
		exchange.renewLeases([FED]);
		await expect(exchange.submit(resume)).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
		await rebuild();
		await expect(exchange.submit(resume)).rejects.toMatchObject({ code: 'MARKET_SUSPENDED' });
		await exchange.submit({ kind: 'resume-market', marketId: FED });
		expect(statusOf(FED)).toBe('OPEN');
	});

	it('follows the feed again after the operator resumed it', async () => {
		await exchange.submit(byOperator);
		await exchange.submit({ kind: 'resume-market', marketId: FED });
		await exchange.submit({ ...byOperator, byFeed: true });
		await exchange.submit(resume);
		expect(statusOf(FED)).toBe('OPEN');
	});
});

const SEEDS = [1, 2, 3];
const STEPS = 120;
/** The clock moves in steps of at most this. */
const LONGEST_STEP_MS = LEASE_MS / 2;

onSeeds(SEEDS, 'nothing is ever matched outside a lease, whatever happens in between (seed %i)', async (seed) => {
	const numbers = new SeededNumbers(seed);
	let endsAtMs = monotonicMs + LEASE_MS;
	let matchedInTime = 0;
	for (let step = 0; step < STEPS; step++) {
		const alive = monotonicMs < endsAtMs;
		const before = exchange.book(FED, 'PLAY')?.totalMatched ?? 0;
		const acts: (() => Promise<unknown>)[] = [
			() => exchange.submit(bet(BACK)),
			() => exchange.submit(bet(LAY)),
			() => exchange.submit({ kind: 'cancel-all', walletId: LAYER }),
			() => exchange.submit(resume),
			() => exchange.submit({ kind: 'resume-market', marketId: FED }),
			() => rebuild(),
			async () => {
				monotonicMs += numbers.below(LONGEST_STEP_MS);
			},
			async () => {
				exchange.renewLeases([FED]);
				endsAtMs = monotonicMs + LEASE_MS;
			},
		];
		await numbers
			.from(acts)()
			.catch(() => undefined);
		const after = exchange.book(FED, 'PLAY')?.totalMatched ?? 0;
		if (!alive) expect(after).toBe(before);
		else if (after > before) matchedInTime++;
	}
	expect(matchedInTime).toBeGreaterThan(0);
	await exchange.drain();
	await expectSound(database.db);
});
