/** The cookies of a request, and those set by its answer: the devices that players logged in on. */
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookieChange, cookiesOf } from '#server/people/players/call-cookies.ts';
import type { CookieJar } from '#server/people/players/known-devices.ts';

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_SECONDS = 400 * 24 * 3600;

/** The oldest cookie of that name; null without one. */
export const readCookie = ({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | null =>
	cookiesOf(headers.cookie ?? '')[wanted] ?? null;

interface NewCookie {
	name: string;
	value: string;
	/** Null for a cookie that ends with the browser. */
	seconds: number | null;
	/** Whether it travels over https alone. */
	secure: boolean;
}

/** Scripts cannot read the cookie, and other sites cannot send it. */
export function setCookie(reply: FastifyReply, { name, value, seconds, secure }: NewCookie): void {
	const maxAge = seconds === null ? {} : { maxAge: seconds };
	const cookie = { name, value, path: '/', ...maxAge, httpOnly: true, secure, sameSite: 'strict' } as const;
	reply.header('Set-Cookie', stringifySetCookie(cookie, { encode: (asGiven) => asGiven }));
}

/**
 * Applies the cookie changes of a call's answer.
 * @param secure whether cookies are sent only over https; over plain http a browser then keeps none, which costs only
 * the privilege of a known device
 */
export function changeCookies(reply: FastifyReply, changes: readonly CookieChange[], secure: boolean): void {
	for (const { name, value } of changes) {
		setCookie(reply, { name, value: value ?? '', seconds: value === null ? 0 : KEPT_SECONDS, secure });
	}
}

/**
 * The cookies of known devices in a request; its answer changes them.
 * @param prefix of their names where browsers require one
 */
export function cookieJar(
	request: FastifyRequest,
	reply: FastifyReply,
	{ prefix, secure }: { prefix: string; secure: boolean },
): CookieJar {
	const set = (name: string, value: string, seconds: number) =>
		setCookie(reply, { name: `${prefix}${name}`, value, seconds, secure });
	const held = Object.keys(cookiesOf(request.headers.cookie ?? ''));
	return {
		names: () => held.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
		find: (name) => readCookie(request, `${prefix}${name}`),
		keep: ({ name, value }) => set(name, value, KEPT_SECONDS),
		drop: (name) => set(name, '', 0),
	};
}
