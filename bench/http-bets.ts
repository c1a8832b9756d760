/**
 * `npm run bench -- http-bets`: bets through the whole server, which is a process of its own with its embedded PostgreSQL. 64
 * connections place one bet after another as 500 demo players. The limit is the raw group commit of the same rows, 64
 * at a time, in the same PostgreSQL. With `-- --loaded`, 10,000 bets are open in twenty in-play markets and twenty
 * fancies beside it. Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import { connect } from '#server/platform/postgres/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type BetLoad, CONNECTIONS, loadOn } from './support/bet-load.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { loadMarkets } from './support/loaded-markets.ts';
import { rawCommitRates } from './support/raw-commit.ts';
import { withDataDir, withLedger } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const WARM_UP_MS = 4_000;
const MEASURED_MS = 12_000;
const MUST = { betsPerSecond: 2_000, p99ms: 50, ratio: 0.7 };
const AIM = { betsPerSecond: 6_000, ratio: 0.8 };

const { loaded } = parseArgs({ options: { loaded: { type: 'boolean', default: false } } }).values;

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir, loaded ? ({ exchange }) => loadMarkets(exchange) : undefined);
	const server = await startServerChild(dataDir);
	try {
		// The server's own cluster is running; this only finds it.
		const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
		const raw = await withLedger(cluster, 'raw', async (db) => await rawCommitRates(db, [CONNECTIONS]));
		const tokens = await demoTokens(server.port, PLAYERS);
		const { bets: loadedBets } = await ledgerOf(cluster);
		const place = loadOn(server.port, market, tokens);
		const warmUp = await place(WARM_UP_MS);
		const before = await ledgerOf(cluster);
		const load = await place(MEASURED_MS);
		const after = await ledgerOf(cluster);
		if (after.bets - loadedBets !== warmUp.took.length + load.took.length)
			throw new Error('Answered bets and the ledger differ.');
		tell(load, after.batches - before.batches, raw.get(CONNECTIONS) ?? Number.NaN);
	} finally {
		await server.stop();
	}
});

/** The server's last ledger batch. */
async function ledgerOf(cluster: EmbeddedPostgres): Promise<{ batches: number; bets: number }> {
	const db = connect(cluster.url('backlay'), { max: 1 });
	try {
		const { rows } = await db.query<{ batches: number; bets: number }>(
			'select batch as batches, (select count(*) from bet) as bets from lease',
		);
		const ledger = rows[0];
		if (!ledger) throw new Error('The lease row is missing.');
		return ledger;
	} finally {
		await db.end();
	}
}

function tell({ took, errors, seconds }: BetLoad, batches: number, rawBetsPerSecond: number): void {
	const betsPerSecond = Math.round(took.length / seconds);
	print({
		openBefore: loaded ? 10_000 : 0,
		bets: took.length,
		betsPerSecond,
		p50ms: round(percentile(took, 0.5), 2),
		p99ms: round(percentile(took, 0.99), 2),
		errors: Object.fromEntries(errors),
		betsPerCommit: round(took.length / batches, 1),
		rawBetsPerSecond,
		ratio: round(betsPerSecond / rawBetsPerSecond, 2),
		must: MUST,
		aim: AIM,
	});
}
