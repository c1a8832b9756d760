/**
 * drand's beacon over HTTP. Several relays are asked at once, and the first valid answer counts: a relay can be silent, but
 * cannot lie. https://docs.drand.love/developer/http-api
 */
import { hash as digestOf } from 'node:crypto';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { type BeaconChain, QUICKNET } from '#games/beacon/beacon-chain.ts';
import { type Beacon, leadOf } from '#server/money/casino/beacon/beacon.ts';
import { SignatureThread } from '#server/money/casino/beacon/signature-thread.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { POOLS } from '#values/pools.ts';

export interface DrandConfig {
	chain: BeaconChain;
	/** drand's name of the chain, part of the addresses; hexadecimal digits. */
	chainHash: string;
	/** Addresses of relays, such as https://api.drand.sh. */
	relays: readonly string[];
}

/** https://api.drand.sh/v2/chains has the name. */
const QUICKNET_HASH = '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971';

/** @param relays addresses, which may end with a slash */
export const quicknetAt = (relays: readonly string[]): DrandConfig => ({
	chain: QUICKNET,
	chainHash: QUICKNET_HASH,
	relays: relays.map((relay) => relay.replace(/\/$/, '')),
});

/** A relay is given up after that. */
const ANSWER_MS = 2_000;
const LONGEST_ANSWER = 2_000;
/** Signatures that are kept: all tables ask for the same ones. */
const KEPT = 50;

/** The randomness of the answer is not read: it follows from the signature. */
const Answer = v.object({ round: v.number(), signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)) });

export class DrandBeacon implements Beacon {
	readonly pools = POOLS;
	readonly leadMs: number;
	readonly #config: DrandConfig;
	readonly #log: Pick<Logger, 'warn'>;
	/** By the digest of an answer: a false signature is checked once, however often it is sent. */
	readonly #checked = recentlyUsed<string, boolean>(KEPT);
	readonly #thread = new SignatureThread();
	readonly #known = recentlyUsed<number, string>(KEPT);
	readonly #asked = new Map<number, Promise<string | null>>();

	constructor(config: DrandConfig, log: Pick<Logger, 'warn'>) {
		this.#config = config;
		this.#log = log;
		this.leadMs = leadOf(config.chain);
	}

	get chain(): BeaconChain {
		return this.#config.chain;
	}

	nowMs(): number {
		return Date.now();
	}

	async signatureOf(round: number): Promise<string | null> {
		const known = this.#known.get(round);
		if (known !== undefined) return known;
		const asking = this.#asked.get(round) ?? this.#ask(round).finally(() => this.#asked.delete(round));
		this.#asked.set(round, asking);
		return await asking;
	}

	async stop(): Promise<void> {
		await this.#thread.stop();
	}

	async #ask(round: number): Promise<string | null> {
		const answered = new AbortController();
		const asked = this.#config.relays.map((relay) => this.#signatureFrom(relay, round, answered.signal));
		try {
			const signature = await Promise.any(asked);
			this.#known.set(round, signature);
			return signature;
		} catch {
			return null;
		} finally {
			answered.abort();
		}
	}

	/** @throws Error without a valid signature */
	async #signatureFrom(relay: string, round: number, answered: AbortSignal): Promise<string> {
		const signal = AbortSignal.any([answered, AbortSignal.timeout(ANSWER_MS)]);
		const response = await fetch(`${relay}/${this.#config.chainHash}/public/${round}`, { signal, redirect: 'error' });
		if (!response.ok || !response.body) throw new Error(`${relay} answered ${response.status}`);
		const answer = v.parse(Answer, JSON.parse(await textOf(response.body)));
		if (answer.round !== round || !(await this.#isSignature(round, answer.signature))) {
			this.#log.warn({ relay, round }, 'a relay of the beacon sent a value that is not signed by the beacon');
			throw new Error(`${relay} sent another value`);
		}
		return answer.signature;
	}

	/** @throws Error if it could not be checked */
	async #isSignature(round: number, signature: string): Promise<boolean> {
		const name = digestOf('sha256', `${round} ${signature}`);
		const checked =
			this.#checked.get(name) ?? (await this.#thread.isSignature(this.chain.publicKey, { round, signature }));
		this.#checked.set(name, checked);
		return checked;
	}
}

/** @throws Error if it is longer than any answer of a relay */
async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > LONGEST_ANSWER) throw new Error('the answer of a relay is too long');
	}
	return Buffer.concat(chunks).toString('utf8');
}
