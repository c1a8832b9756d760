/**
 * `npm run bench -- public-log`: how long after a bet is durable a stranger finds it in the public log. 64 connections place bets as
 * in `bench http-bets`. Ten times a second the newest batch of the ledger is noted; the lag ends with the first answer of
 * `/public-log/N/checkpoint` whose tree has the batch. Prints one JSON line.
 */
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { loadFigures, loadOn } from './support/bet-load.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';
import { steadily } from './support/steadily.ts';

const PLAYERS = 500;
const WARM_UP_MS = 4_000;
const MEASURED_MS = 60_000;
const LOOKS_PER_SECOND = 10;
const POLLS_PER_SECOND = 50;
const MUST = { lagP99ms: 2_000 };

/** A batch that was durable at that time. */
interface Noted {
	batch: number;
	atMs: number;
}

/** The size of the tree that a stranger was told by that time. */
interface Published {
	size: number;
	atMs: number;
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	// The server's own cluster is running; this only finds it.
	const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
	const db = connect(cluster.url('backlay'), { max: 2 });
	try {
		const place = loadOn(server.port, market, await demoTokens(server.port, PLAYERS));
		await place(WARM_UP_MS);
		const [noted, published]: [Noted[], Published[]] = [[], []];
		const note = async () => void noted.push(await newestBatch(db));
		const poll = async () => void published.push(await checkpointOf(server.port));
		const [load] = await Promise.all([
			place(MEASURED_MS),
			steadily(LOOKS_PER_SECOND, MEASURED_MS, note),
			// The last batches get their checkpoints.
			steadily(POLLS_PER_SECOND, MEASURED_MS + 2 * MUST.lagP99ms, poll),
		]);
		const lags = await lagsOf(db, noted, published);
		print({
			...loadFigures([load]),
			samples: lags.length,
			lagP50ms: round(percentile(lags, 0.5), 0),
			lagP99ms: round(percentile(lags, 0.99), 0),
			lagMostMs: round(percentile(lags, 1), 0),
			leaves: published.at(-1)?.size,
			must: MUST,
		});
	} finally {
		await db.end();
		await server.stop();
	}
});

async function newestBatch(db: pg.Pool): Promise<Noted> {
	const atMs = performance.now();
	const { rows } = await db.query<{ batch: number }>('select max(batch) as batch from batch_seal');
	return { batch: rows[0]?.batch ?? 0, atMs };
}

async function checkpointOf(port: number): Promise<Published> {
	const answer = await fetch(`http://127.0.0.1:${port}/public-log/1/checkpoint`);
	const [, size] = (await answer.text()).split('\n');
	return { size: Number(size), atMs: performance.now() };
}

/** Milliseconds from each noted batch to the first checkpoint that has its leaf. */
async function lagsOf(db: pg.Pool, noted: readonly Noted[], published: readonly Published[]): Promise<number[]> {
	const { rows } = await db.query<{ batch: number; entry: number }>(
		`select (leaf::jsonb ->> 'batch')::bigint as batch, max(entry) as entry from public_log_entry
		where type = 'batch' group by batch`,
	);
	const entries = new Map(rows.map(({ batch, entry }) => [batch, entry]));
	const inOrder = [...published].sort((one, other) => one.atMs - other.atMs);
	return noted.map(({ batch, atMs }) => {
		const entry = entries.get(batch) ?? Number.POSITIVE_INFINITY;
		const found = inOrder.find((told) => told.size > entry);
		if (!found) throw new Error(`batch ${batch} came into no checkpoint`);
		return found.atMs - atMs;
	});
}
