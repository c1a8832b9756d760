/**
 * Rows of the past that are changed in the database are found: by the audit while the public log is as it was, also when
 * the seals were forged with the key; by any stranger who has an earlier checkpoint when the log was forged, too.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Checkpoint, readCheckpoint } from '#public-log/checkpoint.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { tileOfPath } from '#public-log/tiles.ts';
import { continues } from '#public-log/verify-log.ts';
import { SEALED_TABLES } from '#server/exchange/ledger/seal-batch.ts';
import { fileOf, publishedLogs } from '#server/platform/public-log/log-rows.ts';
import { randomFrom, shuffled } from '#sports/random.ts';
import type { Check } from '../../tools/audit-check.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { LOG_CHECKS } from '../../tools/audit-public-log.ts';
import { chainHolds, rowsAreSealed, sealKeys } from '../../tools/audit-seals.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';
import { edit, logAgain, sealAgain } from './forger.ts';

/** How many changes of each kind, in the short form and in the long one. */
const COUNTS = [
	[24, {}],
	[1_000, { tags: 'thorough', timeout: 900_000 }],
] as const;

let server: TestServer;
/** What a stranger kept of the log. */
let kept: { checkpoint: Checkpoint; key: string };
const keys = sealKeys([LEDGER_KEY]);

beforeAll(async () => {
	server = await TestServer.start();
	const [settled, voided, open] = [
		await openTestMatch(server),
		await openTestMatch(server),
		await openTestMatch(server),
	];
	const [backer, layer] = [await server.demoGambler(), await server.demoPlayer()];
	for (const match of [settled, voided, open]) {
		await server.result('placeBetV2', betOn(match, { price: 3 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 60 }), layer.token);
	}
	for (const at of [1.5, 1.2]) {
		const trigger = { ...betOn(open, { price: 4 }), moves: 'FALLS', at } as const;
		await server.result('placeTrigger', trigger, backer.token);
	}
	await settled.settle(0);
	await server.act('void', { marketId: voided.marketId });
	const coin = { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: freshRequestId() };
	await server.result('playRound', coin, backer.token);
	await server.database.db.query(
		`insert into table_round (game, round, chain, position, phase, opened_at, hash, result, bettor_seeds)
		select 'crash', 900000 + n, 1, 900000 + n, 'ENDED', 0, encode(sha256(n::text::bytea), 'hex'), '{"cents": 150}', '["seed"]'
		from generate_series(1, 20) as n`,
	);
	await server.stop();
	const [log] = await publishedLogs(server.database.db);
	if (!log) throw new Error('there is no log');
	kept = { checkpoint: readCheckpoint(log.checkpoint, parseVerifierKey(log.key)), key: log.key };
});
afterAll(() => server.database.drop());

/** Runs a forgery and what looks for it in a transaction that leaves no trace. */
async function forged<Found>(work: (client: pg.PoolClient) => Promise<Found>): Promise<Found> {
	const client = await server.database.db.connect();
	try {
		await client.query('begin isolation level repeatable read');
		return await work(client);
	} finally {
		await client.query('rollback');
		client.release();
	}
}

/** The name of the first check that finds something wrong; null if none does. */
async function firstFault(client: pg.PoolClient, checks: readonly Check[]): Promise<string | null> {
	for (const { name, run } of checks) {
		const { wrong } = await run(client, keys);
		// A check that stops at a wrong row leaves its cursors open.
		await client.query('close all');
		if (wrong) return name;
	}
	return null;
}

/** Cells that are facts of the past, by table; columns that make a row's key are left out. */
const PAST: readonly { table: string; column: string; where?: string }[] = [
	...SEALED_TABLES.flatMap(({ table, seal, columns }) => {
		const fixed = new Set([
			...seal.names,
			...(table.replaces ?? table.key ?? '').split(', '),
			'placed_at',
			'pool',
			'line',
		]);
		return columns
			.flatMap((at) => table.columns[at]?.[0] ?? [])
			.filter((column) => !fixed.has(column))
			.map((column) => ({ table: table.into, column, ...(seal.where === undefined ? {} : { where: seal.where }) }));
	}),
	...['hash', 'result', 'bettor_seeds', 'phase', 'chain', 'is_interrupted'].map((column) => ({
		table: 'table_round',
		column,
		where: 'is_logged',
	})),
	...['commitment', 'salt', 'length', 'return_percent', 'first_round'].map((column) => ({
		table: 'game_chain',
		column,
	})),
	{ table: 'game_seed_pair', column: 'commitment', where: 'is_logged' },
	{ table: 'market_state', column: 'status', where: `status in ('SETTLED', 'VOIDED')` },
	...['entries', 'chain'].map((column) => ({ table: 'batch_seal', column })),
	...['actor', 'act', 'chain', 'outcome'].map((column) => ({ table: 'journal', column })),
	{ table: 'public_log_entry', column: 'leaf' },
	{ table: 'public_log_tile', column: 'hashes' },
	{ table: 'public_log', column: 'size' },
];

/** Plants changes in all tables by turns. @returns those that no check finds */
async function missedOf(count: number): Promise<object[]> {
	const draw = randomFrom(1);
	const missed: object[] = [];
	const order = shuffled(PAST, draw);
	for (let planted = 0, at = 0; planted < count; at++) {
		const cell = order[at % order.length] as (typeof PAST)[number];
		const found = await forged(async (client) => {
			const place = await edit(client, cell, draw());
			return place === null ? null : { place, check: await firstFault(client, CHECKS) };
		});
		if (found === null) continue;
		planted++;
		if (found.check === null) missed.push({ ...cell, place: found.place });
	}
	return missed;
}

for (const [count, options] of COUNTS)
	it(`finds ${count} of ${count} changed cells of the past, in each table`, options, async () => {
		expect(await missedOf(count)).toEqual([]);
	});

/** No other check of the audit looks at these. */
const UNWATCHED = [
	{ table: 'posting', column: 'at' },
	{ table: 'bet', column: 'persist' },
	{ table: 'bet', column: 'queued_after' },
	{ table: 'bet_match', column: 'at' },
	{ table: 'player_settlement', column: 'at' },
	{ table: 'bet_trigger', column: 'at_price' },
] as const;

/** The seal is forged with the key, and then the log as well. */
async function forgeSeals(count: number): Promise<void> {
	const draw = randomFrom(2);
	for (let at = 0; at < count; at++) {
		const cell = UNWATCHED[at % UNWATCHED.length] as (typeof UNWATCHED)[number];
		const sealed = SEALED_TABLES.find(({ table }) => table.into === cell.table);
		if (!sealed) throw new Error(`${cell.table} is not sealed`);
		const where = sealed.seal.where === undefined ? {} : { where: sealed.seal.where };
		await forged(async (client) => {
			await sealAgain(client, LEDGER_KEY, sealed, async () => {
				expect(await edit(client, { ...cell, ...where }, draw())).not.toBeNull();
			});
			expect(await firstFault(client, [rowsAreSealed, chainHolds])).toBeNull();
			expect(await firstFault(client, LOG_CHECKS)).toBe('the batches in the public log are those of the ledger');
			await logAgain(client, LEDGER_KEY);
			expect(await firstFault(client, CHECKS)).toBeNull();
			expect(await isWhatAStrangerKept(client)).toBe(false);
		});
	}
	await forged(async (client) => {
		await logAgain(client, LEDGER_KEY);
		expect(await isWhatAStrangerKept(client)).toBe(true);
	});
}

for (const [count, options] of COUNTS)
	it(
		`finds ${count / 4} cells whose seals were forged, and leaves them to strangers when the log was, too`,
		options,
		() => forgeSeals(count / 4),
	);

async function isWhatAStrangerKept(client: pg.PoolClient): Promise<boolean> {
	const [log] = await publishedLogs(client);
	if (!log) throw new Error('there is no log');
	const now = readCheckpoint(log.checkpoint, parseVerifierKey(kept.key));
	const read = async (path: string) => {
		const name = tileOfPath(path);
		return (name && (await fileOf(client, log.log, log.size, name))) ?? new Uint8Array();
	};
	return await continues(read, kept.checkpoint, now);
}
