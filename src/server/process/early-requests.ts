/**
 * Requests that reach a standby while it takes over. Clients who are refused ask again at once, and the start would have to
 * answer all of them; so requests wait, and players' calls are answered before the routes of everything else are built. What
 * waits too long, or is too much, is refused.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { passRequests } from '#server/doors/http/plain-server.ts';

const MOST_HELD = 2_000;
const LONGEST_HELD_MS = 2_000;
/** Everything else waits no longer than this for the answers to players' calls. */
const CALLS_ALONE_MS = 100;

type Held = Parameters<FastifyInstance['routing']>;

export class EarlyRequests {
	/** Has the port, and refuses what is no monitor's. */
	readonly #http: FastifyInstance;
	/** Answers players' calls alone. */
	readonly #calls: FastifyInstance;
	#held: Held[] = [];
	#areCallsOpen = false;
	#isLate = false;

	constructor({ http, calls }: { http: FastifyInstance; calls: FastifyInstance }) {
		this.#http = http;
		this.#calls = calls;
	}

	/** How many requests wait. */
	get held(): number {
		return this.#held.length;
	}

	/** The standby takes over: requests wait. */
	hold(): void {
		this.#http.server.removeAllListeners('request').on('request', (...held: Held) => this.#receive(held));
		setTimeout(() => this.#refuse(), LONGEST_HELD_MS).unref();
	}

	/**
	 * Players' calls are answered. Resolves when those that waited have their answers, which the work of building routes would
	 * hold up.
	 */
	async openCalls(): Promise<void> {
		this.#areCallsOpen = true;
		const held = this.#held.splice(0);
		for (const each of held) this.#receive(each);
		const stillHeld = new Set(this.#held);
		const calls = held.filter((each) => !stillHeld.has(each) && !each[1].closed);
		if (calls.length === 0) return;
		const answered = Promise.all(calls.map(([, response]) => new Promise((resume) => response.once('close', resume))));
		await Promise.race([answered, delay(CALLS_ALONE_MS)]);
	}

	/** All requests are the server's. */
	passTo(server: FastifyInstance): void {
		passRequests(this.#http, server);
		this.#give(server);
	}

	#receive(held: Held): void {
		const [request, response] = held;
		const [url = '/'] = (request.url ?? '/').split('?');
		const route = { method: (request.method ?? 'GET') as HTTPMethods, url };
		if (this.#http.hasRoute(route)) this.#http.routing(request, response);
		else if (this.#areCallsOpen && this.#calls.hasRoute(route)) this.#calls.routing(request, response);
		else if (!this.#isLate && this.#held.length < MOST_HELD) this.#held.push(held);
		else this.#http.routing(request, response);
	}

	/** The takeover takes too long for any client. */
	#refuse(): void {
		this.#isLate = true;
		this.#give(this.#http);
	}

	#give(server: FastifyInstance): void {
		for (const [request, response] of this.#held.splice(0)) if (!response.destroyed) server.routing(request, response);
	}
}
