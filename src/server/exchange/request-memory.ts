/** The accepted requests of late: a repetition gets the first answer, the same id with another body is refused. */
import { hash } from 'node:crypto';
import type { Done, RequestKey } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

interface Remembered {
	bodyHash: string;
	answer: Promise<Done>;
}

export const bodyHashOf = (body: string): string => hash('sha256', body, 'base64url');
const nameOf = (walletId: number, clientRequestId: string): string => `${walletId}.${clientRequestId}`;

export class RequestMemory {
	readonly #requests = new Map<string, Remembered>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** The answer of an earlier acceptance of this request, in flight or done. @throws Refused REQUEST_ID_REUSED */
	find(key: RequestKey): Promise<Done> | null {
		const known = this.#requests.get(nameOf(key.walletId, key.clientRequestId));
		if (!known) return null;
		if (known.bodyHash !== bodyHashOf(key.body)) throw new Refused('REQUEST_ID_REUSED');
		return known.answer;
	}

	remember(walletId: number, clientRequestId: string, bodyHash: string, answer: Promise<Done>): void {
		this.#requests.set(nameOf(walletId, clientRequestId), { bodyHash, answer });
		if (this.#requests.size > this.#limit) {
			const oldest = this.#requests.keys().next().value;
			if (oldest !== undefined) this.#requests.delete(oldest);
		}
	}

	forget(walletId: number, clientRequestId: string): void {
		this.#requests.delete(nameOf(walletId, clientRequestId));
	}
}
