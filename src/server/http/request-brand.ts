/**
 * The brand that a request was sent to. The Host header decides, or the forwarded host of a trusted proxy. Nothing in
 * the body or in other headers counts.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand, Brands } from '#server/brands/brands.ts';
import { hostOf } from '#server/http/host-name.ts';
import { WRONG_HOST_PAGE } from '#server/http/wrong-host-page.ts';
import { Refused } from '#values/error-catalogue.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Null under a host without a brand. */
		brand: Brand | null;
	}
}

/** Browsers accept HTML when they navigate, never when a page loads a script, an image or data. */
export const isNavigation = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
	(method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/**
 * Sets the brand of every request, and answers navigations to a host without one.
 * @param consoleHost the operators' console, which is no brand
 */
export function requestBrand(
	server: FastifyInstance,
	brands: Pick<Brands, 'byHost'>,
	consoleHost: string | null,
): void {
	server.decorateRequest('brand', null);
	server.addHook('onRequest', (request, reply, done) => {
		const host = hostOf(request);
		request.brand = brands.byHost(host);
		if (request.brand || host === consoleHost || !isNavigation(request)) done();
		else reply.code(404).type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(WRONG_HOST_PAGE);
	});
}

/** @throws Refused UNKNOWN_DOMAIN */
export function brandOf({ brand }: FastifyRequest): Brand {
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}
