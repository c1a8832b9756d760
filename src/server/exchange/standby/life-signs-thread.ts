/** The thread that gives signs of life for this process. It ends with the process, and is started again if it ends before. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Pulse } from '#server/exchange/standby/pulse.ts';
import { SIGNS_NAME } from '#server/platform/postgres/connect.ts';

const WORKER = join(import.meta.dirname, 'life-signs-worker.ts');
const MOST_MEGABYTES = 32;
const START_AGAIN_MS = 100;

export interface LifeSignsOptions {
	databaseUrl: string;
	/** Of its connection to the database. */
	name: string;
	memory: SharedArrayBuffer;
}

export class LifeSignsThread {
	/** Mute until an exchange beats. */
	readonly pulse = new Pulse();
	readonly #databaseUrl: string;
	readonly #log: Logger;
	#worker: Worker | null = null;
	#again: NodeJS.Timeout | undefined;
	#isStopped = false;

	constructor({ databaseUrl, log }: { databaseUrl: string; log: Logger }) {
		this.#databaseUrl = databaseUrl;
		this.#log = log;
		this.#start();
	}

	#start(): void {
		const workerData: LifeSignsOptions = {
			databaseUrl: this.#databaseUrl,
			name: SIGNS_NAME,
			memory: this.pulse.memory,
		};
		const resourceLimits = { maxOldGenerationSizeMb: MOST_MEGABYTES };
		const worker = new Worker(WORKER, { execArgv: [], workerData, resourceLimits });
		this.#worker = worker;
		worker.unref();
		worker.on('error', (error) => this.#log.error({ err: error }, 'the thread of the signs of life failed'));
		worker.once('exit', () => {
			if (!this.#isStopped) this.#again = setTimeout(() => this.#start(), START_AGAIN_MS).unref();
		});
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#again);
		await this.#worker?.terminate();
	}
}

/** Gives signs of life until what was started stops. */
export function openLifeSigns(
	{ databaseUrl }: { databaseUrl: string },
	log: Logger,
	started: AsyncDisposableStack,
): LifeSignsThread {
	const thread = new LifeSignsThread({ databaseUrl, log });
	started.defer(() => thread.stop());
	return thread;
}
