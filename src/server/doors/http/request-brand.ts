/**
 * The brand of a request. The Host header decides, or the forwarded host of a trusted proxy. Nothing in the body or in
 * other headers counts.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerOf } from '#server/doors/http/envelope.ts';
import { hostOf } from '#server/doors/http/host-name.ts';
import { isHealthCheck, send } from '#server/doors/http/plain-server.ts';
import { WRONG_HOST_PAGE } from '#server/doors/http/wrong-host-page.ts';
import type { Brand, Brands } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Null under a host without a brand. */
		brand: Brand | null;
	}
	interface FastifyContextConfig {
		/** A route of the operators' console. */
		isConsole?: boolean;
	}
}

/** Browsers accept HTML when they navigate, never when a page loads a script, an image or data. */
export const isNavigation = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
	(method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/**
 * Sets the brand of every request, and answers navigations to a host without one. The console's host, which is no brand,
 * answers to the console's own routes and to monitors alone.
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
		if (host === consoleHost) {
			const { isConsole = false } = request.routeOptions.config;
			if (isConsole || isHealthCheck(request)) done();
			else send(request, reply, answerOf('NOT_FOUND'));
		} else if (request.brand || !isNavigation(request)) done();
		else reply.code(404).type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(WRONG_HOST_PAGE);
	});
}

/** @throws Refused UNKNOWN_DOMAIN */
export function brandOf({ brand }: FastifyRequest): Brand {
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}
