/**
 * Standbys that join an exchange under load, beside one that follows already: thousands of quotes, makers who quote again
 * at once, and players who bet all the time. Every join withdraws the quotes, and none may silence the exchange. The long
 * form makes JOINS of them.
 *
 * @module-tag thorough
 */
import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { QUOTES_A_STEP } from '#server/exchange/order/withdraw-quotes.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { plainMarket } from './plain-market.ts';
import type { Order, Said, ThreadOptions } from './standby-thread.ts';

const JOINS = Number(process.env['JOINS'] ?? 20);
const LONG_MS = 60_000 + JOINS * 5_000;
const SILENCE_MS = 1_000;
const MAKER = 3;
const PLAYERS = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008];
const LEVELS = 25;
/** Players take some of the quotes. */
const MOST = 0.8;
const STAKE = 100;

const log = pino({ level: 'silent' });

/** What the exchange tells those that follow it, as far as it concerns the makers. */
class Watch {
	/** The most quotes that one batch withdrew, and how many were withdrawn in all. */
	most = 0;
	all = 0;
	/** Bets of players that became durable while some of the quotes were withdrawn and others not. */
	betsBetween = 0;
	/** Quotes in the books. */
	readonly resting = new Set<number>();

	readonly see = ({ bets, betEvents }: Committed): void => {
		const quotes = new Set<number>();
		for (const { betId, walletId, remaining } of bets) {
			if (walletId !== MAKER) continue;
			quotes.add(betId);
			if (remaining > 0) this.resting.add(betId);
			else this.resting.delete(betId);
		}
		const withdrawn = betEvents.filter(({ betId, event }) => event === 'CANCELLED' && quotes.has(betId)).length;
		this.most = Math.max(this.most, withdrawn);
		this.all += withdrawn;
		if (withdrawn === 0 || this.resting.size === 0) return;
		this.betsBetween += betEvents.filter(({ betId, event }) => event === 'PLACED' && !quotes.has(betId)).length;
	};
}

const bet = (walletId: number, marketId: number, side: 0 | 1, price: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side,
	price,
	stake: STAKE,
	persist: false,
});

/** The maker's quotes of a market: layers above, backers below, which never meet. */
async function quote(exchange: Exchange, marketId: number): Promise<void> {
	const levels = Array.from({ length: LEVELS }, (_, level) => level * 2);
	const quotes = levels.flatMap((off) => [bet(MAKER, marketId, 0, 202 + off), bet(MAKER, marketId, 1, 198 - off)]);
	await Promise.all(quotes.map((each) => codeOf(exchange.submit(each))));
}

async function openLoaded(database: FreshDatabase, watch: Watch, markets: number): Promise<Exchange> {
	const onCommitted = watch.see;
	const exchange = await openExchange({ db: database.db, log, ledgerKey: LEDGER_KEY, commandRows: true, onCommitted });
	onTestFinished(() => exchange.drain());
	await exchange.submit({ kind: 'open-wallet', walletId: MAKER, pool: 'PLAY', quotes: true });
	for (const walletId of PLAYERS) await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
	for (const walletId of [MAKER, ...PLAYERS])
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000_000 });
	for (let marketId = 1; marketId <= markets; marketId++) {
		await exchange.submit(plainMarket(marketId));
		await quote(exchange, marketId);
		exchange.onRebuilt(() => void quote(exchange, marketId));
	}
	return exchange;
}

/** Players who bet until they are stopped, one bet after another; a bet takes quotes, or is cancelled. */
function play(exchange: Exchange, markets: number) {
	const acknowledged: number[] = [];
	const over = new AbortController();
	const playing = PLAYERS.map(async (walletId, at) => {
		for (let count = at; !over.signal.aborted; count++) {
			const takes = count % 3 === 0;
			const price = takes ? 198 : 400;
			const { betId, remaining } = await exchange.submit(bet(walletId, 1 + (count % markets), 0, price));
			if (betId === null) throw new Error('A bet has no id.');
			acknowledged.push(betId);
			if (remaining === 0) continue;
			// A maker who quotes again may take it before.
			const code = await codeOf(exchange.submit({ kind: 'cancel-bet', betId, walletId }));
			expect(['done', 'ORDER_NOT_ACTIVE']).toContain(code);
		}
	});
	const allPlayed = Promise.all(playing);
	allPlayed.catch(() => undefined);
	const stop = async () => {
		over.abort();
		await allPlayed;
	};
	onTestFinished(() => over.abort());
	return { acknowledged, stop };
}

/** Standbys in another thread. */
function standbysOf({ url }: FreshDatabase) {
	const options: ThreadOptions = { url, ledgerKey: LEDGER_KEY, silenceMs: SILENCE_MS };
	const thread = new Worker(new URL('standby-thread.ts', import.meta.url), { workerData: options });
	onTestFinished(() => void thread.terminate());
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => undefined);
	const said = new EventEmitter();
	thread.on('message', (message: Said) => {
		if (message.kind === 'failed') failed.reject(new Error(message.how));
		said.emit(`${message.standby}`, message.kind);
	});
	/** @returns how it answers */
	const order = async (kind: Order['kind'], standby: number): Promise<Said['kind']> => {
		const answer = once(said, `${standby}`);
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
		thread.postMessage({ kind, standby } satisfies Order);
		return (await Promise.race([answer, failed.promise]))[0];
	};
	return { failed: failed.promise, order };
}

/** Resolves when the makers have quoted again. */
const quoted = (watch: Watch, quotes: number) =>
	expect.poll(() => watch.resting.size, { timeout: 60_000 }).toBeGreaterThan(quotes * MOST);

async function joinUnderLoad(joins: number, markets: number): Promise<void> {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const quotes = markets * 2 * LEVELS;
	const watch = new Watch();
	const exchange = await openLoaded(database, watch, markets);
	const epoch = exchange.epoch();
	const players = play(exchange, markets);
	const standbys = standbysOf(database);
	// The first one follows while all others join, and leave.
	expect(await standbys.order('join', 0)).toBe('follows');
	for (let standby = 1; standby <= joins; standby++) {
		await Promise.race([quoted(watch, quotes), standbys.failed]);
		expect(await standbys.order('join', standby)).toBe('follows');
		expect(await standbys.order('leave', standby)).toBe('left');
	}
	await Promise.race([quoted(watch, quotes), standbys.failed]);
	await players.stop();
	expect(await standbys.order('leave', 0)).toBe('left');
	expect((await database.db.query('select epoch from lease')).rows).toEqual([{ epoch }]);
	expect(watch.all).toBeGreaterThan(joins * quotes * MOST);
	// Steps double at each look for what makers quoted meanwhile.
	expect(watch.most).toBeLessThanOrEqual(2 * QUOTES_A_STEP + 2 * LEVELS);
	expect(watch.betsBetween).toBeGreaterThan(joins);
	await exchange.drain();
	const { rows } = await database.db.query<{ id: number }>('select bet_id as id from bet where wallet_id = any($1)', [
		PLAYERS,
	]);
	expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(players.acknowledged.toSorted((a, b) => a - b));
	await expectSound(database.db);
	console.log(JSON.stringify({ joins, quotes, bets: rows.length, withdrawn: watch.all, mostInABatch: watch.most }));
}

it('are joined under load and depose nobody, and bets are taken while the quotes are withdrawn', async () => {
	await joinUnderLoad(1, 60);
});

it('are joined under load again and again, and nothing is lost or doubled', {
	tags: 'thorough',
	timeout: LONG_MS,
}, async () => {
	await joinUnderLoad(JOINS, 500);
});
