/**
 * Whose site a request was sent to. The Host header decides, or the forwarded one of a configured proxy; nothing a body
 * or another header says is believed.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand, Brands } from '#server/brands/brands.ts';
import { hostOf } from '#server/http/host-name.ts';
import { WRONG_HOST_PAGE } from '#server/http/wrong-host-page.ts';
import { Refused } from '#values/error-catalogue.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Null under a host that no brand is served by. */
		brand: Brand | null;
	}
}

/** Browsers accept HTML when a person navigates, never when a page loads a script, a picture or data. */
export const isNavigation = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
	(method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/** Puts the brand on every request, and answers whoever navigates to a host without one. */
export function requestBrand(server: FastifyInstance, brands: Brands): void {
	server.decorateRequest('brand', null);
	server.addHook('onRequest', (request, reply, done) => {
		request.brand = brands.byHost(hostOf(request));
		if (request.brand || !isNavigation(request)) done();
		else reply.code(404).type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(WRONG_HOST_PAGE);
	});
}

/** @throws Refused UNKNOWN_DOMAIN */
export function brandOf({ brand }: FastifyRequest): Brand {
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}
