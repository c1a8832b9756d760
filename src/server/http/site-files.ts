/** The built site, the domain settings and what else is fetched rather than called. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Brand, Brands } from '#server/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

export const SITE_FOLDER = join(import.meta.dirname, '..', '..', '..', 'dist');

export const siteIsBuilt = (): boolean => existsSync(join(SITE_FOLDER, 'index.html'));

/** `GET /domain-settings/{host}.json`: from memory, with an ETag, because clients ask every second. */
export function domainSettings(server: FastifyInstance, brands: Brands): void {
	server.get<{ Params: { file: string } }>('/domain-settings/:file', (request, reply) => {
		const [, name] = /^(.+)\.json$/.exec(request.params.file.toLowerCase()) ?? [];
		const brand: Brand | null = name === 'default' ? brands.fallback() : brands.byHost(name ?? '');
		if (!brand) throw new Refused('UNKNOWN_DOMAIN');
		reply.header('ETag', brand.etag).header('Cache-Control', 'no-cache');
		if (request.headers['if-none-match'] === brand.etag) return reply.code(304).send();
		return reply.type('application/json; charset=utf-8').send(brand.json);
	});
}

/** Serves the site where it was built; a navigation to any of its routes gets the one page. */
export async function siteFiles(server: FastifyInstance): Promise<void> {
	if (!siteIsBuilt()) return;
	await server.register(fastifyStatic, {
		root: SITE_FOLDER,
		wildcard: false,
		index: false,
		preCompressed: true,
		cacheControl: false,
		setHeaders: (reply, path) => {
			const named = path.includes(`${SITE_FOLDER}/assets/`);
			reply.header('Cache-Control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
		},
	});
	server.get('/', (_, reply) => reply.sendFile('index.html'));
}

/** A page is asked for by a browser that goes somewhere, not by a script or a picture. */
export const isNavigation = (method: string, accept: string | undefined, url: string): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(accept ?? '').includes('text/html') &&
	!/\.\w+$/.test(url.split('?')[0] ?? '');
