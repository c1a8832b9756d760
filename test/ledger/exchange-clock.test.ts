/** The exchange's time on machines whose wall clock is set: stamps never decrease, and delays last as long as stated. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { ExchangeClock } from '#server/exchange/order/exchange-clock.ts';
import { HOUR_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const NOON = 1_800_000_000_000;

describe('the clock', () => {
	/** A machine whose wall clock is set as the test wants. */
	const machine = () => {
		const state = { wallMs: NOON, monotonicMs: 50 };
		return { state, source: { wallMs: () => state.wallMs, monotonicMs: () => state.monotonicMs } };
	};

	it('never decreases and runs within half a percent of the monotonic clock, however the wall clock jumps', () => {
		const numbers = new SeededNumbers(1);
		const { state, source } = machine();
		const clock = new ExchangeClock(0, source);
		let before = clock.now();
		for (let step = 0; step < 10_000; step++) {
			const passed = numbers.below(2_000);
			state.monotonicMs += passed;
			state.wallMs += passed + (numbers.chance(5) ? (numbers.below(20) - 10) * HOUR_MS : 0);
			const now = clock.now();
			// Both readings are whole milliseconds.
			expect(now - before).toBeGreaterThanOrEqual(Math.floor(passed * 0.995) - 1);
			expect(now - before).toBeLessThanOrEqual(Math.ceil(passed * 1.005) + 1);
			before = now;
		}
	});

	it('approaches a wall clock that was set, forwards and backwards', () => {
		for (const setBy of [60_000, -60_000]) {
			const { state, source } = machine();
			const clock = new ExchangeClock(0, source);
			state.wallMs += setBy;
			for (let minute = 0; minute < 300; minute++) {
				state.monotonicMs += 60_000;
				state.wallMs += 60_000;
				clock.now();
			}
			expect(Math.abs(clock.now() - state.wallMs)).toBeLessThanOrEqual(1);
		}
	});

	it('begins at the last stamp when the wall clock is earlier', () => {
		const { source } = machine();
		expect(new ExchangeClock(NOON + HOUR_MS, source).now()).toBe(NOON + HOUR_MS);
		expect(new ExchangeClock(NOON - HOUR_MS, source).now()).toBe(NOON);
	});
});

describe('an exchange', () => {
	const DELAY_MS = 300;
	const [BACKER, LAYER] = [1001, 1002];
	let database: FreshDatabase;
	let exchange: Exchange;
	let wallSetByMs = 0;
	/** Time that passes at once, as on a machine whose timers are late. */
	let passedMs = 0;

	const open = async () => {
		exchange = await openExchange({
			ledgerKey: LEDGER_KEY,
			db: database.db,
			log: pino({ level: 'silent' }),
			clock: { wallMs: () => Date.now() + wallSetByMs, monotonicMs: () => performance.now() + passedMs },
			onCommitted: () => {},
		});
	};
	beforeAll(async () => {
		database = await freshDatabase();
		await open();
		for (const walletId of [BACKER, LAYER]) {
			await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
			await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 });
		}
		await exchange.submit(plainMarket(1, { betDelayMs: DELAY_MS }));
		await exchange.submit({ kind: 'turn-in-play', marketId: 1 });
	});
	afterAll(async () => {
		await exchange.drain();
		await database.drop();
	});

	const bet = async (walletId: number, side: 0 | 1): Promise<number> => {
		const terms = { kind: 'place-bet' as const, marketId: 1, runner: 0, price: 200, stake: 1000, persist: true };
		return (await exchange.submit({ ...terms, walletId, side })).betId ?? 0;
	};
	const stamps = async (): Promise<number[]> =>
		(await database.db.query<{ at: number }>('select at from posting order by batch, line')).rows.map(({ at }) => at);

	it.each([
		['set back an hour', -HOUR_MS],
		['set forward an hour', HOUR_MS],
	])('delays a bet exactly as long as configured while the clock is %s', async (_, setByMs) => {
		wallSetByMs = 0;
		const against = await bet(LAYER, 1);
		await expect.poll(() => exchange.bet(against)?.delay).toBeNull();
		const fromMs = performance.now();
		const betId = await bet(BACKER, 0);
		wallSetByMs = setByMs;
		await expect.poll(() => exchange.bet(betId)?.matched, { interval: 10 }).toBe(1000);
		expect(performance.now() - fromMs).toBeGreaterThan(DELAY_MS * 0.99);
		const { rows } = await database.db.query<{ waited: number }>(
			'select matched_at - placed_at as waited from bet where bet_id = $1',
			[betId],
		);
		expect(rows[0]?.waited).toBeGreaterThanOrEqual(DELAY_MS);
		// Generous for a busy machine, and far from an hour.
		expect(rows[0]?.waited).toBeLessThan(20_000);
	});

	it('matches no bet after the time until which it is good, however late its timer is', async () => {
		wallSetByMs = 0;
		await exchange.submit(plainMarket(2, {}));
		const terms = { kind: 'place-bet' as const, marketId: 2, runner: 0, price: 200, stake: 1000, persist: true };
		const expiresAtMs = exchange.now() + 60_000;
		const back = await exchange.submit({
			...terms,
			walletId: BACKER,
			side: 0,
			terms: { postOnly: null, expiresAtMs, selfMatch: null },
		});
		// The clock follows the wall clock by half a percent.
		passedMs += 70_000;
		const lay = await exchange.submit({ ...terms, walletId: LAYER, side: 1 });
		expect(lay).toMatchObject({ matched: 0, remaining: 1000 });
		const { rows } = await database.db.query('select matched, lapsed, ended_at as at from bet where bet_id = $1', [
			back.betId,
		]);
		expect(rows).toEqual([{ matched: 0, lapsed: 1000, at: lay.atMs }]);
	});

	it('matches none of very many bets after that time, though one command does not lapse all of them', async () => {
		await exchange.submit(plainMarket(3, {}));
		const order = { kind: 'place-bet' as const, marketId: 3, runner: 0, price: 200, stake: 10, persist: true };
		const terms = { postOnly: null, expiresAtMs: exchange.now() + 60_000, selfMatch: null };
		const many = Array.from({ length: 1_001 }, () => exchange.submit({ ...order, walletId: BACKER, side: 0, terms }));
		await Promise.all(many);
		passedMs += 70_000;
		const lay = await exchange.submit({ ...order, walletId: LAYER, side: 1, stake: 10 * many.length });
		expect(lay).toMatchObject({ matched: 0, remaining: 10 * many.length });
	});

	it('continues from the last stamp after a restart with an earlier clock', async () => {
		wallSetByMs = 0;
		await exchange.drain();
		const last = (await stamps()).at(-1) ?? 0;
		wallSetByMs = -HOUR_MS;
		await open();
		const betId = await bet(BACKER, 0);
		expect(exchange.bet(betId)?.placedAtMs).toBeGreaterThanOrEqual(last);
		await expect.poll(() => exchange.bet(betId)?.delay).toBeNull();
		const all = await stamps();
		expect(all).toEqual([...all].sort((one, other) => one - other));
	});
});
