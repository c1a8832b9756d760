/** A standby that joins while the connection that would export its snapshot answers nothing. Batches wait for it meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '#server/exchange/exchange.ts';
import { HEARTBEAT_MS } from '#server/exchange/ledger/committer.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { askToJoin } from '#server/exchange/standby/command-stream.ts';
import { Pulse } from '#server/exchange/standby/pulse.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';

const BEGINS_SNAPSHOT = 'begin isolation level';

async function open(of: (database: FreshDatabase) => pg.Pool, log = pino({ level: 'silent' })) {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const pulse = new Pulse();
	const exchange = await openExchange({
		db: of(database),
		ledger: database.db,
		log,
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		pulse,
		onCommitted: () => {},
	});
	onTestFinished(() => exchange.drain());
	return { database, exchange, pulse };
}

const openWallet = (exchange: Exchange, walletId: number, withinMs = Number.POSITIVE_INFINITY) =>
	codeOf(
		exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' }, undefined, {
			untilMs: performance.now() + withinMs,
		}),
	);

/** The exchange beats by a timer of the same event loop, four times as often. */
async function isQuiet(pulse: Pulse): Promise<boolean> {
	const { count } = pulse;
	await delay(HEARTBEAT_MS);
	return pulse.count === count;
}

/** Its connections of a transaction are sent a statement that PostgreSQL does not answer, in place of the first one. */
function silentSnapshots({ db }: FreshDatabase, reached: () => void): pg.Pool {
	const connect = async () => {
		const client = await db.connect();
		const query = (asked: string | pg.QueryConfig) => {
			const config = typeof asked === 'string' ? { text: asked } : asked;
			if (!config.text.startsWith(BEGINS_SNAPSHOT)) return client.query(config);
			reached();
			return client.query({ ...config, text: 'select pg_sleep(600)' });
		};
		return { query, release: (error?: Error | boolean) => client.release(error) };
	};
	return { query: db.query.bind(db), connect } as unknown as pg.Pool;
}

it('does not hold up the next batch for long, and is told that it could not join yet', async () => {
	const reached = Promise.withResolvers<void>();
	const refused = Promise.withResolvers<void>();
	const write = (line: string) => {
		if (JSON.parse(line).msg === 'a standby could not join yet') refused.resolve();
	};
	const { database, exchange } = await open(
		(fresh) => silentSnapshots(fresh, reached.resolve),
		pino({ level: 'warn' }, { write }),
	);
	await askToJoin(database.db, 'standby', '');
	await reached.promise;
	expect(await openWallet(exchange, 1)).toBe('done');
	await refused.promise;
});

it('makes commands wait unapplied, and the exchange give no sign of life, until batches are written again', {
	tags: 'thorough',
}, async () => {
	let gated: GatedDatabase | undefined;
	const { database, exchange, pulse } = await open(({ db }) => {
		gated = new GatedDatabase(db);
		return gated.asDatabase();
	});
	const { reached, open: openGate } = gated?.stop(BEGINS_SNAPSHOT) ?? expect.unreachable();
	await askToJoin(database.db, 'standby', '');
	await reached;
	await expect.poll(() => isQuiet(pulse)).toBe(true);
	const waiting = openWallet(exchange, 1);
	expect(await openWallet(exchange, 2, 1_050)).toBe('DEADLINE_PASSED');
	const beats = pulse.count;
	openGate();
	expect(await waiting).toBe('done');
	await expect.poll(() => pulse.count).toBeGreaterThan(beats);
});
