/** The cookies of the console: the session, and the browser that showed the second factor lately. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#server/http/cookies.ts';

const SESSION = 'console-session';
const DEVICE = 'console-device';
const DEVICE_SECONDS = 30 * 24 * 3600;

export class ConsoleCookies {
	readonly #production: boolean;

	constructor(production: boolean) {
		this.#production = production;
	}

	/** The token of the session; empty without one. */
	session(request: FastifyRequest): string {
		return readCookie(request, SESSION) ?? '';
	}

	device(request: FastifyRequest): string {
		return readCookie(request, DEVICE) ?? '';
	}

	/** The cookie of a session ends with the browser at the latest. */
	keepSession(request: FastifyRequest, reply: FastifyReply, value: string): void {
		setCookie(reply, { name: SESSION, value, seconds: null, secure: this.#isSecure(request) });
	}

	keepDevice(request: FastifyRequest, reply: FastifyReply, value: string): void {
		setCookie(reply, { name: DEVICE, value, seconds: DEVICE_SECONDS, secure: this.#isSecure(request) });
	}

	dropSession(request: FastifyRequest, reply: FastifyReply): void {
		setCookie(reply, { name: SESSION, value: '', seconds: 0, secure: this.#isSecure(request) });
	}

	#isSecure(request: FastifyRequest): boolean {
		return this.#production || request.protocol === 'https';
	}
}
