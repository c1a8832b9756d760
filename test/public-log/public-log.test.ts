/** What a stranger reads of a running server's log over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Checkpoint, readCheckpoint } from '#public-log/checkpoint.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { continues, pathTo, verifyWhole } from '#public-log/verify-log.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { overHttp, type PublishedLogs } from './log-reader.ts';

let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	player = await server.demoGambler();
});
afterAll(() => server.dispose());

async function readLog() {
	await server.running.publicLog.append();
	const [newest] = (await (await fetch(`${server.url}/public-log/logs.json`)).json()) as PublishedLogs;
	if (!newest) throw new Error('there is no log');
	const read = overHttp(`${server.url}/public-log/${newest.log}`);
	const text = Buffer.from(await read('checkpoint')).toString();
	const checkpoint = readCheckpoint(text, parseVerifierKey(newest.key));
	const leaves: Record<string, unknown>[] = [];
	const fault = await verifyWhole(read, checkpoint, (leaf) => leaves.push(JSON.parse(Buffer.from(leaf).toString())));
	return { read, checkpoint, leaves, fault, of: (type: string) => leaves.filter((leaf) => leaf['type'] === type) };
}

it('begins with its reason and the rules of the games, and has the commitment of every pair', async () => {
	const log = await readLog();
	expect(log.fault).toBeNull();
	expect(log.leaves[0]).toMatchObject({ type: 'log', log: 1, before: null });
	expect(log.of('rules')).toHaveLength(17);
	const { next } = await server.result('getSeeds', {}, player.token);
	expect(log.of('pair').map(({ commitment }) => commitment)).toContain(next.commitment);
	const { rows } = await server.database.db.query<{ pairs: number }>(
		'select count(*)::int as pairs from game_seed_pair',
	);
	expect(log.of('pair')).toHaveLength(rows[0]?.pairs ?? 0);
});

it('continues with each batch, result, void and second result, and names no player', async () => {
	const before = await readLog();
	const [settled, voided] = [await openTestMatch(server), await openTestMatch(server)];
	const layer = await server.demoPlayer();
	for (const match of [settled, voided]) {
		await server.result('placeBetV2', betOn(match, { price: 3 }), player.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3 }), layer.token);
	}
	await settled.settle(0);
	await server.act('void', { marketId: voided.marketId });
	const first = await readLog();
	await server.act('resettle', { marketId: settled.marketId, winners: ['Nepal'] });
	const second = await readLog();

	for (const log of [first, second]) expect(log.fault).toBeNull();
	expect(await continues(second.read, before.checkpoint, second.checkpoint)).toBe(true);
	expect(await continues(second.read, first.checkpoint, second.checkpoint)).toBe(true);
	expect(first.of('market')).toEqual([
		expect.objectContaining({ market: Number(settled.marketId), results: ['WIN', 'LOSE'] }),
		expect.objectContaining({ market: Number(voided.marketId), status: 'VOIDED', results: null }),
	]);
	expect(second.of('market').slice(2)).toEqual([
		expect.objectContaining({ market: Number(settled.marketId), results: ['LOSE', 'WIN'] }),
	]);
	const { rows } = await server.database.db.query('select batch, part from batch_seal order by batch, part');
	expect(second.of('batch').map(({ batch, part }) => ({ batch, part }))).toEqual(rows);
	expect(JSON.stringify(second.leaves)).not.toMatch(new RegExp(`\\b${player.userId}\\b`));
});

it('lets a client prove its leaf from tiles alone', async () => {
	const { read, checkpoint, leaves } = await readLog();
	const index = leaves.findIndex(({ type }) => type === 'pair');
	const leaf = Buffer.from(JSON.stringify(leaves[index]));
	expect(await pathTo(read, checkpoint, index, leaf)).not.toBeNull();
	expect(await pathTo(read, checkpoint, index, Buffer.from(leaf.toString().replace('pair', 'pear')))).toBeNull();
});

it('has no file beyond its tree', async () => {
	const { checkpoint }: { checkpoint: Checkpoint } = await readLog();
	const of = async (path: string) => (await fetch(`${server.url}/public-log/1/${path}`)).status;
	const width = checkpoint.size % 256;
	expect(await of(`tile/0/000.p/${width}`)).toBe(200);
	expect(await of(`tile/0/000.p/${width + 1}`)).toBe(404);
	expect(await of('tile/0/001.p/1')).toBe(404);
	expect(await of('tile/entries/../checkpoint')).toBe(404);
	expect((await fetch(`${server.url}/public-log/2/checkpoint`)).status).toBe(404);
});

it('has a round of a table with what it reveals', async () => {
	const { db } = server.database;
	const revealed = { hash: 'ab'.repeat(32), result: { cents: 250 } };
	await db.query(
		`insert into table_round (game, round, chain, position, phase, opened_at, hash, result)
		values ('crash', 900001, 1, 900001, 'ENDED', 0, $1, $2), ('crash', 900002, 1, 900002, 'VOID', 0, $1, null),
			('crash', 900003, 1, 900003, 'LOCKED', 0, null, null)`,
		[revealed.hash, revealed.result],
	);
	await server.running.publicLog.append();
	const again = await readLog();
	const rounds = again.of('round').filter(({ round }) => Number(round) > 900_000);
	expect(rounds).toEqual([
		expect.objectContaining({ round: 900_001, phase: 'ENDED', ...revealed }),
		expect.objectContaining({ round: 900_002, phase: 'VOID', hash: revealed.hash, result: null }),
	]);
	expect(again.of('chain').map(({ game }) => game)).toContain('crash');
});
