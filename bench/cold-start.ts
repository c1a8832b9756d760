/**
 * `npm run bench -- cold-start`: the time from starting the server's process, with its feeds, to its first answer on /healthz:
 * first with an empty data folder, then with the database of that start. The site is built beforehand. The limit is the
 * database alone, made and started by the same launcher in a running process. Figures are the median and the minimum in
 * seconds; ratios are of the medians. Prints one JSON line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';

const RUNS = 3;
const POLL_MS = 5;
const LIMIT_MS = 60_000;
const MUST = { firstStartSeconds: 10, laterStartSeconds: 3 };
const ROOT = join(import.meta.dirname, '..');

const server = await starts(serverStart);
const database = await starts(databaseStart);
print({
	runs: RUNS,
	firstStart: server.first,
	laterStart: server.later,
	bareFirstStart: database.first,
	bareLaterStart: database.later,
	firstRatio: round(server.first.medianSeconds / database.first.medianSeconds, 2),
	laterRatio: round(server.later.medianSeconds / database.later.medianSeconds, 2),
	must: MUST,
});

interface Spread {
	medianSeconds: number;
	leastSeconds: number;
}

/** Starts twice in each of several new folders. */
async function starts(startOnce: (dataDir: string) => Promise<number>): Promise<{ first: Spread; later: Spread }> {
	const first: number[] = [];
	const later: number[] = [];
	for (let run = 0; run < RUNS; run++) {
		await withDataDir(async (dataDir) => {
			first.push(await startOnce(dataDir));
			later.push(await startOnce(dataDir));
		});
	}
	return { first: spread(first), later: spread(later) };
}

function spread(tookMs: number[]): Spread {
	const seconds = (share: number): number => round(percentile(tookMs, share) / 1000, 2);
	return { medianSeconds: seconds(0.5), leastSeconds: seconds(0) };
}

/** Milliseconds until the server answers; then it is stopped. */
async function serverStart(dataDir: string): Promise<number> {
	const port = await freePort();
	const from = performance.now();
	const child = spawn(process.execPath, ['src/server/main.ts'], {
		cwd: ROOT,
		env: {
			...process.env,
			NODE_ENV: 'development',
			DATA_DIR: dataDir,
			DATABASE_URL: '',
			HOST: '127.0.0.1',
			PORT: String(port),
			LOG_LEVEL: 'error',
		},
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const exited = once(child, 'exit');
	try {
		while (!(await isHealthy(port))) {
			if (child.exitCode !== null) throw new Error('The server ended before it answered.');
			if (performance.now() - from > LIMIT_MS) throw new Error('The server never answered.');
			await delay(POLL_MS);
		}
		return performance.now() - from;
	} finally {
		if (child.exitCode === null) child.kill('SIGTERM');
		await exited;
	}
}

async function isHealthy(port: number): Promise<boolean> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}/healthz`);
		await response.text();
		return response.ok;
	} catch {
		return false;
	}
}

/** Milliseconds until the database alone answers; then it is stopped. */
async function databaseStart(dataDir: string): Promise<number> {
	const from = performance.now();
	const cluster = await startEmbeddedPostgres({ dataDir });
	const took = performance.now() - from;
	await cluster.stop();
	return took;
}

/** A free port. */
async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const address = probe.address();
	probe.close();
	await once(probe, 'close');
	if (address === null || typeof address === 'string') throw new Error('The probe got no port.');
	return address.port;
}
