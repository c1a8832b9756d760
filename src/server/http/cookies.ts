/** The cookies of a request, and those that its answer sets: the devices that players logged in on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieJar } from '#server/players/known-devices.ts';

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_SECONDS = 400 * 24 * 3600;

/** Name and value of each, in the header's order: the oldest first (RFC 6265, 5.4). */
function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>): [name: string, value: string][] {
	return (headers.cookie ?? '').split(';').flatMap((pair): [string, string][] => {
		const equals = pair.indexOf('=');
		return equals < 0 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
	});
}

/** The oldest cookie of that name; null without one. */
export const readCookie = (request: Pick<FastifyRequest, 'headers'>, wanted: string): string | null =>
	cookiesOf(request).find(([name]) => name === wanted)?.[1] ?? null;

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
 * @param secure whether cookies travel over https alone; over plain http a browser then keeps none, which costs only
 *   the privilege of a known device
 */
export function cookieJar(request: FastifyRequest, reply: FastifyReply, secure: boolean): CookieJar {
	return {
		names: () => cookiesOf(request).map(([name]) => name),
		find: (wanted) => readCookie(request, wanted),
		keep: ({ name, value }) => setCookie(reply, { name, value, seconds: KEPT_SECONDS, secure }),
		drop: (name) => setCookie(reply, { name, value: '', seconds: 0, secure }),
	};
}
