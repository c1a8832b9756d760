/** The cookies of a request, and those that its answer sets: the devices that players logged in on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookieChange, cookiesOf } from '#server/people/players/call-cookies.ts';
import type { CookieJar } from '#server/people/players/known-devices.ts';

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_SECONDS = 400 * 24 * 3600;

/** The oldest cookie of that name; null without one. */
export const readCookie = ({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | null =>
	cookiesOf(headers.cookie ?? '').find(([name]) => name === wanted)?.[1] ?? null;

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
	const age = seconds === null ? [] : [`Max-Age=${seconds}`];
	const attributes = ['Path=/', ...age, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])];
	reply.header('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '));
}

/**
 * Does to a device's cookies what the answer of a call says.
 * @param secure whether cookies travel over https alone; over plain http a browser then keeps none, which costs only
 *   the privilege of a known device
 */
export function changeCookies(reply: FastifyReply, changes: readonly CookieChange[], secure: boolean): void {
	for (const { name, value } of changes) {
		setCookie(reply, { name, value: value ?? '', seconds: value === null ? 0 : KEPT_SECONDS, secure });
	}
}

/**
 * The cookies of known devices in a request; its answer changes them.
 * @param prefix of their names where browsers demand one
 */
export function cookieJar(
	request: FastifyRequest,
	reply: FastifyReply,
	{ prefix, secure }: { prefix: string; secure: boolean },
): CookieJar {
	const set = (name: string, value: string, seconds: number) =>
		setCookie(reply, { name: `${prefix}${name}`, value, seconds, secure });
	const held = cookiesOf(request.headers.cookie ?? '').map(([name]) => name);
	return {
		names: () => held.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
		find: (name) => readCookie(request, `${prefix}${name}`),
		keep: ({ name, value }) => set(name, value, KEPT_SECONDS),
		drop: (name) => set(name, '', 0),
	};
}
