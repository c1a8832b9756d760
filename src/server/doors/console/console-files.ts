/** The console's built files and its one page; it has a build of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const CONSOLE_FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'dist-console');
const PAGE = join(CONSOLE_FOLDER, 'index.html');

/** Only its own scripts and styles; pictures that it creates itself, such as QR codes and receipts. */
const policy = (hosts: readonly string[]): string =>
	[
		// The sites of brands, with drafts of them.
		['frame-src', ...hosts.map((host) => `${host}:*`)].join(' '),
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; ');

/** Serves the console; nothing if it is not built, as in tests of calls. */
/** @param hosts of the brands, whose sites are framed */
export async function consoleFiles(server: FastifyInstance, hosts: () => readonly string[]): Promise<void> {
	if (!existsSync(PAGE)) return;
	const page = readFileSync(PAGE, 'utf8');
	await server.register(fastifyStatic, {
		root: join(CONSOLE_FOLDER, 'assets'),
		prefix: '/assets/',
		decorateReply: false,
		wildcard: false,
		index: false,
		preCompressed: true,
		cacheControl: false,
		globIgnore: ['**/*.gz', '**/*.br'],
		setHeaders: (reply) => {
			reply.header('Cache-Control', 'public, max-age=31536000, immutable');
		},
	});
	for (const path of ['/', '/*']) {
		server.get(path, (_, reply) =>
			reply
				.type('text/html; charset=utf-8')
				.header('Cache-Control', 'no-store')
				.header('X-Frame-Options', 'DENY')
				.header('Cross-Origin-Opener-Policy', 'same-origin')
				.header('Content-Security-Policy', policy(hosts()))
				.send(page),
		);
	}
}
