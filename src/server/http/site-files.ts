/** The built site, the domain settings and what else is fetched rather than called. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Brand, Brands } from '#server/brands/brands.ts';
import { brandPage } from '#server/http/brand-page.ts';
import { Refused } from '#values/error-catalogue.ts';

export const SITE_FOLDER = join(import.meta.dirname, '..', '..', '..', 'dist');
const PAGE = join(SITE_FOLDER, 'index.html');

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

/** Answers a navigation to any of the site's routes with the one page in the looks of the host's brand. */
export type ServePage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Serves the site where it was built; null where it was not, as in tests of calls. */
export async function siteFiles(server: FastifyInstance, brands: Brands): Promise<ServePage | null> {
	if (!existsSync(PAGE)) return null;
	await server.register(fastifyStatic, {
		root: SITE_FOLDER,
		wildcard: false,
		index: false,
		preCompressed: true,
		cacheControl: false,
		globIgnore: ['**/*.gz', '**/*.br', 'index.html'],
		setHeaders: (reply, path) => {
			const named = path.includes(`${SITE_FOLDER}/assets/`);
			reply.header('Cache-Control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
		},
	});
	const template = readFileSync(PAGE, 'utf8');
	const pages = new Map<string, string>();
	const servePage: ServePage = (request, reply) => {
		const brand = brands.byHost(request.hostname.toLowerCase()) ?? brands.fallback();
		const page = pages.get(brand.etag) ?? brandPage(template, brand.setting);
		pages.set(brand.etag, page);
		return reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page);
	};
	server.get('/', servePage);
	return servePage;
}

/** A page is asked for by a browser that goes somewhere, not by a script or a picture. */
export const isNavigation = (method: string, accept: string | undefined, url: string): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(accept ?? '').includes('text/html') &&
	!/\.\w+$/.test(url.split('?')[0] ?? '');
