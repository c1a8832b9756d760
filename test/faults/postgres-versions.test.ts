/**
 * A server makes its database, takes bets and passes the audit on each major version of PostgreSQL that is supported
 * beside the one of the lockfile. Their binaries are fetched, so this belongs to `npm run faults` alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import type { HealthCheck } from '#server/process/health/check.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { fetchedBinaries } from './support/fetched-binaries.ts';
import { isLongForm } from './support/form.ts';

it.runIf(isLongForm).each([
	['15', '15.18.0-beta.17'],
	['16', '16.14.0-beta.17'],
	['17', '17.10.0-beta.17'],
])('serves on PostgreSQL %s', async (major, version) => {
	const fetched = fetchedBinaries(version);
	onTestFinished(() => fetched.remove());
	const folder = mkdtempSync(join(tmpdir(), 'blv-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const cluster = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), binaries: fetched.folder });
	onTestFinished(() => cluster.stop());
	const url = cluster.url('backlay');
	const db = connect(url);
	await migrate(db);
	const server = await TestServer.start({ url, db, drop: async () => await db.end() });
	onTestFinished(() => server.dispose());
	const check = (await server.act<HealthCheck[]>('doctor', {})).find(({ name }) => name === 'database');
	expect(check).toMatchObject({ state: 'ok', words: expect.stringContaining(`PostgreSQL ${major}.`) });
	const match = await openTestMatch(server);
	for (const side of ['LAY', 'BACK'] as const)
		await server.call('placeBetV2', betOn(match, { side, price: 3 }), (await server.demoPlayer()).token);
	await match.settle(0);
	await expectSound(url);
});
