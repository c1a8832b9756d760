/** Calls of one player to a server that is killed: what got no answer is asked again under its id when the server is back. */
import { randomUUID } from 'node:crypto';
import type { FaultyServer } from '../faults/support/faulty-server.ts';
import { ask, RefusedCall } from '../faults/support/player-client.ts';

interface Asked {
	path: string;
	body: object;
	onAnswer: (answer: never) => void;
}

export class Asking {
	readonly token: string;
	readonly #server: Pick<FaultyServer, 'url'>;
	#unanswered: Asked | null = null;

	constructor(server: Pick<FaultyServer, 'url'>, token: string) {
		this.#server = server;
		this.token = token;
	}

	/** Nothing else is asked as long as a call has no answer. @returns false when none came @throws RefusedCall */
	async send<Answer>(path: string, body: object, onAnswer: (answer: Answer) => void = () => {}): Promise<boolean> {
		this.#unanswered ??= { path, body: { ...body, clientRequestId: randomUUID() }, onAnswer };
		return await this.again();
	}

	/** @returns false when no answer came again @throws RefusedCall */
	async again(): Promise<boolean> {
		if (!this.#unanswered) return true;
		const { path, body, onAnswer } = this.#unanswered;
		try {
			onAnswer(await ask<never>(this.#server, path, { token: this.token, body }));
		} catch (failure) {
			if (!(failure instanceof RefusedCall)) return false;
			this.#unanswered = null;
			throw failure;
		}
		this.#unanswered = null;
		return true;
	}
}
