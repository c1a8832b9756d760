/** The cookies of a request, and those that its answer sets: the devices that players logged in on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieJar } from '#server/players/known-devices.ts';

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_SECONDS = 400 * 24 * 3600;

/** Name and value of each, in the header's order: the oldest first (RFC 6265, 5.4). */
function cookiesOf({ headers }: FastifyRequest): [name: string, value: string][] {
	return (headers.cookie ?? '').split(';').flatMap((pair): [string, string][] => {
		const equals = pair.indexOf('=');
		return equals < 0 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
	});
}

/**
 * @param secure whether cookies travel over https alone; over plain http a browser then keeps none, which costs only
 *   the privilege of a known device
 */
export function cookieJar(request: FastifyRequest, reply: FastifyReply, secure: boolean): CookieJar {
	const set = (name: string, value: string, seconds: number): void => {
		const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])];
		reply.header('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '));
	};
	return {
		names: () => cookiesOf(request).map(([name]) => name),
		find: (wanted) => cookiesOf(request).find(([name]) => name === wanted)?.[1] ?? null,
		keep: ({ name, value }) => set(name, value, KEPT_SECONDS),
		drop: (name) => set(name, '', 0),
	};
}
