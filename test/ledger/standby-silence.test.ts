/** How long a standby waits before it takes the lease of an exchange that is silent, by what is left of its connections. */
import pg from 'pg';
import { pino } from 'pino';
import { describe, it } from 'vitest';
import { APPLICATION_NAME } from '#server/db/connect.ts';
import { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { Standby } from '#server/standby/standby.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

const SILENCE_MS = 2_000;
const HOLDER = 'backlay 1 killed';

// They wait at the same time.
describe.concurrent('a standby', () => {
	it.for([
		['half the silence when all connections of the exchange have ended', 'end', 0, 0.5],
		['half the silence when they have ended in a long turn that was announced', 'end', 60_000, 0.5],
		['the whole silence when the exchange is still connected', 'keep', 0, 1],
		['the whole silence and the time of a long turn that was announced', 'keep', 1_000, 1.5],
		['the whole silence when a pooler hides whose connections are whose', 'hide', 0, 1],
		['the whole silence when a pooler lends a connection of the exchange to another process', 'lend', 0, 1],
	] as const)('takes over after %s', async ([, what, announcedMs, share], { expect }) => {
		await using opened = new AsyncDisposableStack();
		const { db, url, drop } = await freshDatabase();
		opened.defer(drop);
		const silent = pino({ level: 'silent' });
		const exchange = await openExchange({
			db,
			log: silent,
			ledgerKey: LEDGER_KEY,
			commandRows: true,
			onCommitted: () => {},
		});
		await exchange.drain();
		const connection = new pg.Client({
			connectionString: url,
			application_name: what === 'hide' ? 'a pooler' : HOLDER,
		});
		await connection.connect();
		opened.defer(() => connection.end());
		await db.query('update lease set released = false, holder = $1, announced_ms = $2', [HOLDER, announcedMs]);

		const takenOver = Promise.withResolvers<{ silentMs: number }>();
		const log = pino({ level: 'warn' }, { write: (line) => takenOver.resolve(JSON.parse(line)) });
		const patience = { silenceMs: SILENCE_MS, goneMs: SILENCE_MS / 2 };
		const standby = new Standby({ db, log, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
		const ended = standby.run();
		opened.defer(async () => {
			standby.stop();
			await ended.catch(() => undefined);
		});
		// It looks at the connections before it asks to join.
		while ((await db.query('select from follower')).rowCount === 0);
		if (what === 'end') await connection.end();
		if (what === 'lend') await connection.query(`set application_name = 'another process'`);
		const { silentMs } = await takenOver.promise;
		expect(silentMs / SILENCE_MS).toBeGreaterThanOrEqual(share);
		if (share < 1) expect(silentMs / SILENCE_MS).toBeLessThan(1);
		expect(await ended).not.toBeNull();
		const { rows } = await db.query('select released, holder from lease');
		expect(rows).toEqual([{ released: false, holder: APPLICATION_NAME }]);
	});
});
