/** The process with the engine, some gateways and NATS, each a process of its own that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { type GatewayProcess, startGatewayProcess } from '../../hub/gateway-process.ts';
import { startNatsServer } from '../../hub/nats-server.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';
import { TOKEN_KEY } from '../../support/server.ts';
import { serverProgram } from '../../support/server-program.ts';
import { EVENT_ID, listMatch } from './listed-match.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const LOOK_EVERY_MS = 10;

/** The process with the engine. */
export interface Engine {
	url: string;
	/** Its log since its start. */
	lines: readonly string[];
	kill(): Promise<void>;
}

/** Starts it, or one that follows it. */
export async function startEngine(environment: NodeJS.ProcessEnv, ...as: '--standby'[]): Promise<Engine> {
	const child = spawn(process.execPath, [serverProgram(), '--no-feeds', '--log-level', 'debug', ...as], {
		cwd: ROOT,
		env: { ...process.env, ...environment },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const kill = async (): Promise<void> => await killed(child);
	const lines: string[] = [];
	const url = await new Promise<string>((resolve, reject) => {
		createInterface({ input: child.stdout }).on('line', (line) => {
			const found = /(?:ready|health is) on (http:\S+)/.exec(line)?.[1];
			if (found) resolve(found);
			else lines.push(line);
		});
		child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
	});
	return { url, lines, kill };
}

async function killed(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGKILL');
	await exited;
}

/** Resolves when the process on that address says that it is ready, or that it is not. */
export async function becomesReady(url: string, isReady: boolean): Promise<void> {
	while ((await fetch(`${url}/ready`)).ok !== isReady) await delay(LOOK_EVERY_MS);
}

export class GatewayCluster {
	readonly database: FreshDatabase;
	readonly #started: AsyncDisposableStack;
	readonly #natsProgram: string;
	readonly #environment: NodeJS.ProcessEnv;
	#nats: Awaited<ReturnType<typeof startNatsServer>>;
	#engine: Engine;
	#standby: Engine | null = null;
	/** In the order of their start; a dead one keeps its place until another takes it. */
	readonly #gateways: GatewayProcess[];

	private constructor(parts: {
		database: FreshDatabase;
		started: AsyncDisposableStack;
		natsProgram: string;
		environment: NodeJS.ProcessEnv;
		nats: Awaited<ReturnType<typeof startNatsServer>>;
		engine: Engine;
		gateways: GatewayProcess[];
	}) {
		this.database = parts.database;
		this.#started = parts.started;
		this.#natsProgram = parts.natsProgram;
		this.#environment = parts.environment;
		this.#nats = parts.nats;
		this.#engine = parts.engine;
		this.#gateways = parts.gateways;
	}

	/** @param natsProgram the path of nats-server */
	static async start(natsProgram: string, gateways: number): Promise<GatewayCluster> {
		await using started = new AsyncDisposableStack();
		const database = await freshDatabase();
		started.defer(() => database.drop());
		await listMatch(database.db);
		const dataDir = await mkdtemp(join(tmpdir(), 'backlay-gateways-'));
		started.defer(() => rm(dataDir, { recursive: true, force: true }));
		const nats = await startNatsServer(natsProgram);
		const environment = {
			NODE_ENV: 'test',
			DATABASE_URL: database.url,
			DATA_DIR: dataDir,
			PORT: '0',
			HOST: '127.0.0.1',
			NATS_URL: nats.url,
			TOKEN_KEY,
			RATE_LIMIT_FACTOR: '1',
			COMMAND_ROWS: 'on',
		};
		const [engine, ...others] = await Promise.all([
			startEngine(environment),
			...Array.from({ length: gateways }, (_, count) =>
				startGatewayProcess({ natsUrl: nats.url, nodeId: `gateway-${count}` }),
			),
		]);
		const cluster = new GatewayCluster({
			database,
			started: started.move(),
			natsProgram,
			environment,
			nats,
			engine,
			gateways: others,
		});
		return cluster;
	}

	urls(): string[] {
		return this.#gateways.map(({ url }) => url);
	}

	/** The batch that the log of the process with the engine names beside a request. */
	async loggedBatch(requestId: string): Promise<number> {
		for (;;) {
			const line = this.#engine.lines.find((each) => each.includes(requestId) && each.includes('batchSeq'));
			if (line) return (JSON.parse(line) as { batchSeq: number }).batchSeq;
			await delay(LOOK_EVERY_MS);
		}
	}

	async killGateway(at: number): Promise<void> {
		await this.#gateways[at]?.kill();
	}

	/** Resolves when the new gateway is ready: one that knows no site yet says so of whatever it is asked. */
	async replaceGateway(at: number): Promise<void> {
		const gateway = await startGatewayProcess({ natsUrl: this.#nats.url, nodeId: `again-${at}` });
		this.#gateways[at] = gateway;
		await becomesReady(gateway.url, true);
	}

	/** Kills the process with the engine, and starts the next one. */
	async replaceEngine(): Promise<void> {
		await this.#engine.kill();
		this.#engine = await startEngine(this.#environment);
	}

	/** Starts a standby; resolves when it follows the process with the engine. */
	async startStandby(): Promise<void> {
		const standby = await startEngine(this.#environment, '--standby');
		this.#standby = standby;
		while (!standby.lines.some((line) => line.includes('the standby follows'))) await delay(LOOK_EVERY_MS);
	}

	/** Kills the process with the engine; resolves when the standby serves. */
	async takeOver(): Promise<void> {
		const standby = this.#standby;
		if (!standby) throw new Error('No standby follows.');
		await this.#engine.kill();
		this.#engine = standby;
		this.#standby = null;
		await becomesReady(standby.url, true);
	}

	async stopNats(): Promise<void> {
		await this.#nats.stop();
	}

	/** Resolves when every gateway knows that it reaches nothing. */
	async gatewaysNotice(): Promise<void> {
		await Promise.all(this.urls().map((url) => becomesReady(url, false)));
	}

	async startNats(): Promise<void> {
		this.#nats = await startNatsServer(this.#natsProgram, this.#nats.port);
	}

	/** @returns the market's id and its first runner's, as the wire writes them */
	async openMarket(): Promise<{ marketId: string; runnerId: string }> {
		const market = { eventId: String(EVENT_ID), name: 'Winner', type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
		await this.#operator('open-market', market);
		const [opened] = await this.#operator<{ marketId: number; runners: { id: string }[] }[]>('markets', {});
		return { marketId: String(opened?.marketId), runnerId: String(opened?.runners[0]?.id) };
	}

	async #operator<Result = unknown>(act: string, body: object): Promise<Result> {
		const response = await fetch(`${this.#engine.url}/operator/api/${act}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}` },
			body: JSON.stringify(body),
		});
		const { result, error } = (await response.json()) as { result: Result; error: { code: string } | null };
		if (error) throw new Error(`${act}: ${error.code}`);
		return result;
	}

	async dispose(): Promise<void> {
		await Promise.all([...this.#gateways.map((gateway) => gateway.kill()), this.#engine.kill(), this.#standby?.kill()]);
		await this.#nats.stop();
		await this.#started.disposeAsync();
	}
}
