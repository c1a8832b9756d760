/** The real server as a process of its own on a data folder, without feeds, with a market to bet on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '#server/process/config.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { startServer } from '#server/process/start.ts';
import { findFixture } from '#server/world/fixtures/find-fixture.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import { noteChild } from './bench-children.ts';
import { processCpuSeconds } from './processor-time.ts';
import { inYieldingSession, yieldCluster } from './yielding.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** No rate limit for any client. */
export const NO_RATE_LIMIT = '100000';

export interface ServerChild {
	port: number;
	/** Processor time of the server so far, without its database. */
	cpuSeconds(): number;
	/** Stops it as an operator would; resolves when the process is gone. */
	stop(): Promise<void>;
	/** Resolves when the process is gone. */
	kill(): Promise<void>;
}

export interface BenchMarket {
	marketId: string;
	runnerIds: readonly [string, string];
}

/** The server's options, apart from its data folder. */
const QUIET = ['--port', '0', '--host', '127.0.0.1', '--log-level', 'error'];
const OPTIONS = ['--no-feeds', ...QUIET];
/** The flags of V8 with which `npm run gateway`, the units and the image start a process. */
const WORDS: string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.gateway.split(' ');
const FLAGS = WORDS.slice(1, WORDS.indexOf('src/server/main.ts'));

/** Lists and opens a market as a feed would, with a server in this process that is then stopped. */
export async function openBenchMarket(
	dataDir: string,
	alsoLoad?: (running: RunningServer) => Promise<void>,
	environment: NodeJS.ProcessEnv = {},
): Promise<BenchMarket> {
	const running = await startServer(readConfig([...OPTIONS, '--data-dir', dataDir], environment, dataDir), (error) => {
		throw error;
	});
	try {
		const { exchange, fixtures } = running;
		const runnerIds = ['IND', 'NEP'] as const;
		const fixture = await findFixture(fixtures, {
			sportId: 3,
			title: 'India v Nepal',
			competition: 'Bench Cup',
			startsAtMs: Date.now() + 3_600_000,
			status: 'UPCOMING',
			source: 'bench',
			sourceRef: 'match',
			hasTv: false,
			scoreLine: null,
		});
		const { listing } = await openMarket({ exchange, fixtures }, fixture, {
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: runnerIds.map((id) => ({ id, name: id })),
			betDelaySeconds: 0,
			rules: 'Who wins the match.',
		});
		await alsoLoad?.(running);
		return { marketId: String(listing.id), runnerIds };
	} finally {
		await running.stop();
	}
}

/**
 * Starts the server, with or without the simulated sports, command rows and traces; resolves when it reports its address.
 * @param core where it stays, with its database; anywhere by default
 * @param yields it runs, with its database, when nothing else wants a core: a player's device shares none with the server
 * @param collectorUrl where it sends traces of its default share of calls; empty for none
 */
export async function startServerChild(
	dataDir: string,
	options: {
		feeds?: boolean;
		commandRows?: boolean;
		natsUrl?: string;
		profile?: string;
		collectorUrl?: string;
		pools?: string;
		core?: number | undefined;
		yields?: boolean;
	} = {},
): Promise<ServerChild> {
	const { feeds = false, commandRows = false, natsUrl = '', profile = '', collectorUrl = '', pools = '' } = options;
	const args = [...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []), 'src/server/main.ts'];
	const environment = {
		DATA_DIR: dataDir,
		POOLS: pools,
		COMMAND_ROWS: commandRows ? 'on' : 'off',
		NATS_URL: natsUrl,
		OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
	};
	const server = await started([...args, ...(feeds ? QUIET : OPTIONS)], environment, placedBy(options));
	if (options.yields) yieldCluster(dataDir);
	return server;
}

/** Starts a gateway of the server on that data folder, whose token key it reads. */
export async function startGatewayChild(
	dataDir: string,
	natsUrl: string,
	environment: Readonly<Record<string, string>> = {},
	core?: number,
): Promise<ServerChild> {
	const args = ['src/server/main.ts', '--gateway', ...QUIET];
	return await started(args, { DATA_DIR: dataDir, NATS_URL: natsUrl, ...environment }, placedBy({ core }));
}

/**
 * Starts a process that follows until the exchange falls silent for that long, and then serves.
 * @param onLine gets its log; only errors are logged without
 */
export async function startStandbyChild(
	dataDir: string,
	databaseUrl: string,
	silenceMs: number,
	onLine?: (line: string) => void,
): Promise<ServerChild> {
	const environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, STANDBY_SILENCE_MS: String(silenceMs) };
	const args = ['src/server/main.ts', '--standby', ...OPTIONS, ...(onLine ? ['--log-level', 'info'] : [])];
	return await started(args, environment, [], onLine);
}

/** The command that a process is started through, for the cores and the precedence that it has. */
function placedBy({ core, yields = false }: { core?: number | undefined; yields?: boolean }): string[] {
	return [...(core === undefined ? [] : ['taskset', '-c', String(core)]), ...(yields ? inYieldingSession : [])];
}

async function started(
	args: readonly string[],
	environment: NodeJS.ProcessEnv,
	through: readonly string[],
	onLine?: (line: string) => void,
): Promise<ServerChild> {
	const [program = '', ...words] = [...through, process.execPath, ...FLAGS, ...args];
	const child = spawn(program, words, {
		cwd: ROOT,
		env: {
			...process.env,
			NODE_ENV: 'development',
			DATABASE_URL: '',
			RATE_LIMIT_FACTOR: NO_RATE_LIMIT,
			HUB_CONNECTIONS_PER_ADDRESS: NO_RATE_LIMIT,
			HUB_CONNECTIONS_PER_USER: NO_RATE_LIMIT,
			...environment,
		},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	noteChild(child, environment['DATA_DIR'] ?? '');
	const exited = once(child, 'exit');
	const ready = new Promise<number>((resolve) => {
		createInterface({ input: child.stdout }).on('line', (line) => {
			onLine?.(line);
			const port = /(?:ready|health is) on http:\/\/\S+:(\d+)/.exec(line)?.[1];
			if (port) resolve(Number(port));
		});
	});
	const port = await Promise.race([
		ready,
		exited.then(([code]) => {
			throw new Error(`The server ended with ${code} before it was ready.`);
		}),
	]);
	return {
		port,
		cpuSeconds: () => processCpuSeconds(child.pid ?? 0),
		stop: async () => {
			if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
			await exited;
		},
		kill: async () => {
			child.kill('SIGKILL');
			await exited;
		},
	};
}
