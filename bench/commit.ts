/**
 * `npm run bench -- commit`: the exchange in process, with 64 submitters that each wait for a durable bet before the next,
 * against the raw group commit of the same rows. 64 submitters make batches of 64 at most, so the raw rate at that size
 * is the limit; the other sizes show how the rate depends on them. COMMAND_ROWS=on measures an exchange that writes command
 * rows for standbys, WEBHOOKS=on one whose brands subscribed to every kind of event. Prints one JSON line.
 */
import type pg from 'pg';
import { pino } from 'pino';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { batchEvents } from '#server/operators/webhooks/batch-events.ts';
import { BetMix } from './support/bet-mix.ts';
import { nextBet, openTable, PLAYERS } from './support/exchange-bets.ts';
import { percentile, print, round } from './support/figures.ts';
import { rawCommitRates } from './support/raw-commit.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const SUBMITTERS = 64;
const SIZES = [1, 8, 32, SUBMITTERS, 200, 500];
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;

interface ExchangeFigures {
	betsPerSecond: number;
	betsPerCommit: number;
	/** Microseconds of this process, submitters included. */
	cpuPerBet: number;
	p50ms: number;
	p99ms: number;
}

await withCluster(async (cluster) => {
	const raw = await withLedger(cluster, 'raw', async (db) => await rawCommitRates(db, SIZES));
	const exchange = await withLedger(cluster, 'exchange', exchangeFigures);
	print({
		rawBetsPerSecond: Object.fromEntries(raw),
		exchange,
		ratio: round(exchange.betsPerSecond / (raw.get(SUBMITTERS) ?? Number.NaN), 2),
	});
});

async function exchangeFigures(db: pg.Pool): Promise<ExchangeFigures> {
	let batches = 0;
	const exchange = await openExchange({
		db,
		log: pino({ level: 'silent' }),
		ledgerKey: 'a key for benchmarks',
		commandRows: process.env['COMMAND_ROWS'] === 'on',
		eventsOf: process.env['WEBHOOKS'] === 'on' ? (rows) => batchEvents(rows, () => true) : undefined,
		onCommitted: () => {
			batches++;
		},
	});
	await openTable((command, key) => exchange.submit(command, key));
	const mix = new BetMix(PLAYERS);
	const submitters = async (forMs: number): Promise<number[]> => {
		const took: number[] = [];
		const until = performance.now() + forMs;
		const submitter = async (): Promise<void> => {
			for (let from = performance.now(); from < until; ) {
				await exchange.submit(...nextBet(mix));
				const now = performance.now();
				took.push(now - from);
				from = now;
			}
		};
		await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
		return took;
	};

	await submitters(WARM_UP_MS);
	batches = 0;
	const from = performance.now();
	const cpuFrom = process.cpuUsage();
	const took = await submitters(MEASURED_MS);
	const seconds = (performance.now() - from) / 1000;
	const { user, system } = process.cpuUsage(cpuFrom);
	const committed = batches;
	await exchange.drain();
	return {
		betsPerSecond: Math.round(took.length / seconds),
		betsPerCommit: round(took.length / committed, 1),
		cpuPerBet: round((user + system) / took.length, 1),
		p50ms: round(percentile(took, 0.5), 2),
		p99ms: round(percentile(took, 0.99), 2),
	};
}
