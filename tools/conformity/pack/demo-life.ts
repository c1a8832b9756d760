/**
 * What an evidence pack shows logs of where no database is named: a server in this process with a database of its own,
 * on which players and staff do a little of everything.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { adjust } from '../../../test/support/adjustment.ts';
import { betOn, openTestMatch } from '../../../test/support/match.ts';
import { TestServer } from '../../../test/support/server.ts';

const ROUNDS = 20;

/** @param started undoes what it opens */
export async function demoDatabase(started: AsyncDisposableStack): Promise<pg.Pool> {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-evidence-'));
	started.defer(() => rmSync(folder, { recursive: true, force: true }));
	const cluster = await startEmbeddedPostgres({ dataDir: folder });
	started.defer(() => cluster.stop());
	const url = cluster.url('backlay');
	const db = connect(url);
	const server = await TestServer.start({ url, db, drop: () => db.end() });
	started.defer(() => server.dispose());
	await live(server);
	return db;
}

async function live(server: TestServer): Promise<void> {
	const [backer, layer] = [await server.playPlayer(), await server.playPlayer()];
	const set = (field: string, value: string) => server.act('brand-set', { host: 'localhost', field, value });
	await set('significantEvents.winAbove', '1000');
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 1_000 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 1_000 }), layer.token);
	await match.settle(0);
	await server.beginSeeds(backer);
	for (let round = 0; round < ROUNDS; round++) {
		const bets = [{ bet: 'heads', stake: 10 }];
		await server.result('playRound', { game: 'coin-flip', bets, clientRequestId: randomUUID() }, backer.token);
	}
	await server.call('authenticate', { userNameOrEmailAddress: 'nobody', password: 'Wrong-horse-9' });
	await adjust(server, layer, 10);
	await server.act('player-freeze', { playerId: String(layer.userId), reason: 'shown in the evidence pack' });
}
