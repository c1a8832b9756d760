/** Work that has to be done once, such as what a crash interrupted: retried until it succeeds, or the server stops. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BackOff } from '#server/platform/pacing/back-off.ts';

interface UnfinishedWorkOptions {
	/** For the log. */
	name: string;
	work: () => Promise<void>;
	log: Pick<Logger, 'warn'>;
}

export class UnfinishedWork {
	readonly #options: UnfinishedWorkOptions;
	readonly #stopping = new AbortController();

	constructor(options: UnfinishedWorkOptions) {
		this.#options = options;
	}

	start(): void {
		void this.#run();
	}

	/** Running work ends without a signal: a part that has stopped refuses it. */
	async stop(): Promise<void> {
		this.#stopping.abort();
	}

	async #run(): Promise<void> {
		const { name, work, log } = this.#options;
		const { signal } = this.#stopping;
		for (const pauses = new BackOff(); !signal.aborted; ) {
			try {
				return await work();
			} catch (error) {
				if (signal.aborted) return;
				log.warn({ err: error, work: name }, 'work could not be finished yet, and is retried');
				await delay(pauses.failed(), undefined, { signal }).catch(() => undefined);
			}
		}
	}
}
