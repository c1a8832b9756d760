/**
 * `npm run months`: lists the months of bets. `-- detach 2026-01` moves the oldest one out of the tables, into the
 * schema `archive`; `-- attach 2026-01` puts the newest detached one back. A server may run meanwhile. Prints JSON
 * lines.
 *
 * The ledger's key comes from LEDGER_KEY, or from the server's TOKEN_KEY or data folder.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { attachMonth, detachedMonths, detachMonth } from '../src/server/exchange/ledger/detached-months.ts';
import { madeTokenKey } from '../src/server/platform/keys/kept-token-key.ts';
import { ledgerKeyOf } from '../src/server/platform/keys/ledger-key.ts';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import type { EmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { attachedMonths, isMonth } from '../src/server/platform/postgres/months.ts';
import { failureOf, ownDatabase } from './own-database.ts';

const USAGE = 'npm run months -- [detach YYYY-MM | attach YYYY-MM]';

async function act(db: pg.Pool, [verb = 'list', month = '']: string[], ledgerKey: () => string): Promise<object> {
	if (verb === 'list') {
		const detached = (await detachedMonths(db)).map(({ month: name }) => name);
		return { attached: await attachedMonths(db, 'bet'), detached };
	}
	if (!isMonth(month) || !['detach', 'attach'].includes(verb)) throw new Error(USAGE);
	if (verb === 'attach') {
		await attachMonth(db, month);
		return { attached: month };
	}
	const { bets, matches } = await detachMonth(db, month, ledgerKey(), Date.now());
	return { detached: month, bets, matches };
}

const { values, positionals } = parseArgs({
	options: { 'database-url': { type: 'string' }, 'data-dir': { type: 'string' } },
	allowPositionals: true,
});
const { env } = process;
const dataDir = values['data-dir'] ?? env['DATA_DIR'] ?? defaultDataDir(env);
const given = values['database-url'] ?? (env['DATABASE_URL'] || null);
let embedded: EmbeddedPostgres | null = null;
let db: pg.Pool | null = null;
try {
	embedded = given ? null : await ownDatabase(dataDir);
	db = connect(given ?? (embedded as EmbeddedPostgres).url('backlay'), { max: 2 });
	const ledgerKey = (): string => {
		const tokenKey = env['TOKEN_KEY'] || (given ? '' : madeTokenKey(dataDir));
		if (!tokenKey && !env['LEDGER_KEY']) throw new Error('Set LEDGER_KEY, or the TOKEN_KEY of the server.');
		return ledgerKeyOf(tokenKey, env['LEDGER_KEY'] || undefined);
	};
	console.log(JSON.stringify(await act(db, positionals, ledgerKey)));
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
} finally {
	await db?.end();
	await embedded?.stop();
}
