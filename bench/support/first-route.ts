/** The built site's first route: what a browser downloads before the match list shows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const DIST = join(import.meta.dirname, '..', '..', 'dist');
export const ASSETS = '/assets/';
/** The list's screen, should the router ever load it lazily. */
const FIRST_SCREEN = /^match-list/;

/** Limits of the first route, gzipped, and of the screen of deposits beyond it. */
export const MUST = { jsKB: 145, cssKB: 12, typefaceKB: 23, depositKB: 15 };

export interface FirstRoute {
	/** The page as the server sends it for the list: without the files of other routes and languages. */
	page: string;
	/** Names of its files in the folder of assets. */
	scripts: string[];
	styles: string[];
	typefaces: string[];
}

/** Reads `dist/`. Throws where the page loads what the build did not make, or no script at all. */
export function firstRoute(): FirstRoute {
	const page = readFileSync(join(DIST, 'index.html'), 'utf8').replace(
		/<link (data-route=|data-language="(?!en"))[^>]*>/g,
		'',
	);
	const named = (pattern: RegExp) =>
		[...page.matchAll(pattern)].map(([, path = '']) => {
			if (!path.startsWith(ASSETS)) throw new Error(`The page loads ${path}, which is none of the site's files.`);
			return path.slice(ASSETS.length);
		});
	const scripts = new Set([
		...named(/<script\b[^>]*\bsrc="([^"]+)"/g),
		...named(/<link\b[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+)"/g),
		...readdirSync(join(DIST, ASSETS)).filter((name) => name.endsWith('.js') && FIRST_SCREEN.test(name)),
	]);
	if (scripts.size === 0) throw new Error('The page names no script.');
	return {
		page,
		scripts: [...scripts],
		styles: named(/<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"/g),
		typefaces: named(/<link\b[^>]*\bas="font"[^>]*\bhref="([^"]+)"/g),
	};
}

/** What a browser downloads for these files of the folder of assets. */
export function gzippedBytes(names: readonly string[]): number {
	const sizes = names.map((name) => gzipSync(readFileSync(join(DIST, ASSETS, name)), { level: 9 }).length);
	return sizes.reduce((sum, size) => sum + size, 0);
}
