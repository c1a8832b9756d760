/**
 * Whose site a request was sent to. The Host header decides, or the forwarded one of a configured proxy; nothing a body
 * or another header says is believed.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand, Brands } from '#server/brands/brands.ts';
import { WRONG_HOST_PAGE } from '#server/http/wrong-host-page.ts';
import { Refused } from '#values/error-catalogue.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Null under a host that no brand is served by. */
		brand: Brand | null;
	}
}

const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** A second Host header is how a request is smuggled past a proxy that reads the other one. */
function hostHeaders(rawHeaders: readonly string[]): number {
	let count = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] as string;
		if (name.length === 4 && name.toLowerCase() === 'host') count++;
	}
	return count;
}

/** The host a request names, in lower case without its port. @throws Refused BAD_HOST */
export function hostOf({ raw, host }: Pick<FastifyRequest, 'raw' | 'host'>): string {
	// A target that names a host of its own could contradict the header.
	const clear = raw.url?.startsWith('/') && hostHeaders(raw.rawHeaders) === 1;
	const name = clear ? HOST.exec(host.toLowerCase())?.[1] : undefined;
	if (name === undefined) throw new Refused('BAD_HOST');
	return name;
}

/** A page is asked for by a browser that goes somewhere, not by a script or a picture. */
export const isNavigation = (method: string, accept: string | undefined, url: string): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(accept ?? '').includes('text/html') &&
	!/\.\w+$/.test(url.split('?')[0] ?? '');

/** Puts the brand on every request, and answers whoever navigates to a host without one. */
export function requestBrand(server: FastifyInstance, brands: Brands): void {
	server.decorateRequest('brand', null);
	server.addHook('onRequest', (request, reply, done) => {
		request.brand = brands.byHost(hostOf(request));
		if (request.brand || !isNavigation(request.method, request.headers.accept, request.url)) done();
		else reply.code(404).type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(WRONG_HOST_PAGE);
	});
}

/** @throws Refused UNKNOWN_DOMAIN */
export function brandOf({ brand }: FastifyRequest): Brand {
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}
