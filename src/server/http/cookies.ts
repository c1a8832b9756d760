/** The cookies of a request, and those that its answer sets: the devices that players logged in on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookieChange, cookiesOf } from '#server/players/call-cookies.ts';

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_SECONDS = 400 * 24 * 3600;

/** The oldest cookie of that name; null without one. */
export const readCookie = ({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | null =>
	cookiesOf(headers.cookie ?? '').find(([name]) => name === wanted)?.[1] ?? null;

export interface NewCookie {
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
