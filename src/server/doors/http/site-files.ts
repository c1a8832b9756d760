/** The built site: its files, and its one page with the theme of the requested brand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brandPage, escaped } from '#server/doors/http/brand-page.ts';
import { pagePolicy, READER_POLICY, scriptHashes } from '#server/doors/http/content-policy.ts';
import { firstCall } from '#server/doors/http/first-call.ts';
import { pageLanguage } from '#server/doors/http/page-language.ts';
import { noPreview, previewSecret, sendPreview } from '#server/doors/http/preview-page.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';
import { brandWith } from '#server/world/brands/brand-with.ts';
import type { Brand, FindPreview } from '#server/world/brands/brands.ts';
import type { Language } from '#values/languages.ts';

const SITE_FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const PAGE = join(SITE_FOLDER, 'index.html');

/** Folders whose files never change under their names. */
const NAMED = ['assets/', 'ocr/'];
/** The worker that reads receipts (tools/ocr-files.ts), packed or not. */
const READER = /\/ocr\/[^/]+\/worker\.min\.js(\.br|\.gz)?$/;

/** Compressed files are served in place of the originals and have no address of their own. */
const COMPRESSED = /\.(gz|br)$/;

/** The options of all files. */
const SITE_FILES = {
	index: false,
	preCompressed: true,
	cacheControl: false,
	setHeaders: (reply, path) => {
		const isNamed = NAMED.some((folder) => path.startsWith(join(SITE_FOLDER, folder)));
		reply.header('Cache-Control', isNamed ? 'public, max-age=31536000, immutable' : 'no-cache');
		// Browsers take a worker's policy from its own answer.
		if (READER.test(path)) reply.header('Content-Security-Policy', READER_POLICY);
	},
} satisfies Partial<FastifyStaticOptions>;

/** The files of one route's screen, listed by the build (vite.config.ts). */
const OF_ROUTE = /<link data-route="([^"]+)"[^>]*>\s*/g;

const pageOf = (page: string, path: string): string =>
	page.replace(OF_ROUTE, (link, route: string) => (path.toLowerCase().startsWith(route) ? link : ''));

/** Names the call for the page's first script (src/web/begin.ts). */
const withCall = (page: string, call: string | null): string =>
	call === null ? page : page.replace('<script data-call="">', () => `<script data-call="${escaped(call)}">`);

/** Answers a navigation to any of the site's routes with the one page of the host's brand. */
export type ServePage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Addresses beyond the brand's own that pages may use. */
export interface PageAddresses {
	/** Of fixtures' streams. */
	streams: () => readonly string[];
	/** Origins of providers, whose games pages show in frames. */
	framed: () => readonly string[];
}

interface SiteFilesOptions extends PageAddresses {
	findPreview: FindPreview;
	/** Where drafts are framed; null where there is no console. */
	consoleHost: string | null;
}

/**
 * Serves the built site; null when there is none, as in tests of calls.
 */
export async function siteFiles(
	server: FastifyInstance,
	{ streams, framed, findPreview, consoleHost }: SiteFilesOptions,
): Promise<ServePage | null> {
	if (!existsSync(PAGE)) return null;
	await server.register(async (scope) => {
		// An unknown host gets no files, above all no pictures of brands.
		scope.addHook('onRequest', (request, _, done) => {
			brandOf(request);
			done();
		});
		// A route for each file of these folders would be most of a server's routes, and a good part of its start. Other folders
		// have few files, and the console has pages of the same names.
		await scope.register(fastifyStatic, {
			...SITE_FILES,
			root: SITE_FOLDER,
			wildcard: false,
			globIgnore: [...NAMED.map((folder) => `${folder}**`), '**/*.gz', '**/*.br', 'index.html'],
		});
		for (const folder of NAMED) {
			await scope.register(fastifyStatic, {
				...SITE_FILES,
				root: join(SITE_FOLDER, folder),
				prefix: `/${folder}`,
				decorateReply: false,
				allowedPath: (path) => !COMPRESSED.test(path),
			});
		}
	});
	const template = readFileSync(PAGE, 'utf8');
	const scripts = scriptHashes(template);
	const pages = new WeakMap<Brand, Map<Language, string>>();
	const servePreview = async (request: FastifyRequest, reply: FastifyReply, secret: string): Promise<FastifyReply> => {
		const { host } = brandOf(request);
		const draft = consoleHost === null ? null : await findPreview(host, secret);
		if (!draft || consoleHost === null) return noPreview(request, reply);
		const page = brandPage(template, brandWith(draft), pageLanguage(request, draft));
		return sendPreview(reply, pageOf(page, request.url), { host, consoleHost, scripts });
	};
	const servePage: ServePage = (request, reply) => {
		const brand = brandOf(request);
		const secret = previewSecret(request);
		if (secret !== null) return servePreview(request, reply, secret);
		const language = pageLanguage(request, brand.setting);
		const inLanguages = pages.get(brand) ?? new Map<Language, string>();
		const page = inLanguages.get(language) ?? brandPage(template, brand, language);
		pages.set(brand, inLanguages.set(language, page));
		return reply
			.type('text/html; charset=utf-8')
			.header('Cache-Control', 'no-cache')
			.header('Content-Language', language)
			.header('Vary', 'Accept-Language, Cookie')
			.header('Content-Security-Policy', pagePolicy(brand.setting, streams(), framed(), scripts))
			.send(withCall(pageOf(page, request.url), firstCall(request.url, brand.setting)));
	};
	server.get('/', servePage);
	return servePage;
}
