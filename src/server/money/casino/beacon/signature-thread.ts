/**
 * The thread that checks a beacon's signatures: a check takes some 15 ms, in which the exchange would answer no bet. The
 * first check starts it, also after its end.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BeaconValue } from '#games/beacon/beacon-chain.ts';

const WORKER = join(import.meta.dirname, 'signature-worker.ts');
const MOST_MEGABYTES = 64;

export interface SignatureCheck {
	id: number;
	publicKey: string;
	value: BeaconValue;
}

interface Asked {
	resolve(isRight: boolean): void;
	reject(error: Error): void;
}

export class SignatureThread {
	#worker: Worker | null = null;
	readonly #asked = new Map<number, Asked>();
	#last = 0;

	/** @throws Error if the thread ended before it was done: nothing is known of the signature then */
	isSignature(publicKey: string, value: BeaconValue): Promise<boolean> {
		this.#worker ??= this.#started();
		const id = ++this.#last;
		const check: SignatureCheck = { id, publicKey, value };
		this.#worker.postMessage(check, []);
		return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
	}

	/** What is being checked is not known. */
	async stop(): Promise<void> {
		await this.#worker?.terminate();
	}

	#started(): Worker {
		const worker = new Worker(WORKER, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES } });
		// A server that ends waits for no check.
		worker.unref();
		worker.on('message', ({ id, isRight }: { id: number; isRight: boolean }) => {
			this.#asked.get(id)?.resolve(isRight);
			this.#asked.delete(id);
		});
		let failure = new Error('the thread that checks signatures was ended');
		worker.on('error', (error) => {
			failure = error;
		});
		worker.once('exit', () => {
			this.#worker = null;
			for (const { reject } of this.#asked.values()) reject(failure);
			this.#asked.clear();
		});
		return worker;
	}
}
