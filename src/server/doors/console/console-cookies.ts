/**
 * The cookies of the console: the session, the browser with a recent second factor, and the members who logged in with
 * it before.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieJar, readCookie, setCookie } from '#server/doors/http/cookies.ts';

const DEVICE_SECONDS = 30 * 24 * 3600;
const SIGN_ON_SECONDS = 600;

export class ConsoleCookies {
	readonly #production: boolean;
	readonly #prefix: string;
	readonly #session: string;
	readonly #device: string;
	readonly #signOn: string;

	constructor(production: boolean) {
		this.#production = production;
		// Browsers accept a cookie with this prefix only from this exact host, over https.
		const prefix = production ? '__Host-' : '';
		this.#prefix = prefix;
		this.#session = `${prefix}console-session`;
		this.#device = `${prefix}console-device`;
		this.#signOn = `${prefix}console-sign-on`;
	}

	/** The token of the session; empty without one. */
	session(request: FastifyRequest): string {
		return readCookie(request, this.#session) ?? '';
	}

	device(request: FastifyRequest): string {
		return readCookie(request, this.#device) ?? '';
	}

	/** The token of the browser that went to the company's log-in; empty without one. */
	signOn(request: FastifyRequest): string {
		return readCookie(request, this.#signOn) ?? '';
	}

	keepSignOn(request: FastifyRequest, reply: FastifyReply, value: string): void {
		setCookie(reply, { name: this.#signOn, value, seconds: SIGN_ON_SECONDS, secure: this.#isSecure(request) });
	}

	dropSignOn(request: FastifyRequest, reply: FastifyReply): void {
		setCookie(reply, { name: this.#signOn, value: '', seconds: 0, secure: this.#isSecure(request) });
	}

	/** The cookie of a session ends with the browser at the latest. */
	keepSession(request: FastifyRequest, reply: FastifyReply, value: string): void {
		setCookie(reply, { name: this.#session, value, seconds: null, secure: this.#isSecure(request) });
	}

	keepDevice(request: FastifyRequest, reply: FastifyReply, value: string): void {
		setCookie(reply, { name: this.#device, value, seconds: DEVICE_SECONDS, secure: this.#isSecure(request) });
	}

	/** Of the members who logged in with the browser before. */
	jar(request: FastifyRequest, reply: FastifyReply): ReturnType<typeof cookieJar> {
		return cookieJar(request, reply, { prefix: this.#prefix, secure: this.#isSecure(request) });
	}

	dropSession(request: FastifyRequest, reply: FastifyReply): void {
		setCookie(reply, { name: this.#session, value: '', seconds: 0, secure: this.#isSecure(request) });
	}

	#isSecure(request: FastifyRequest): boolean {
		return this.#production || request.protocol === 'https';
	}
}
