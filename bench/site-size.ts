/**
 * `npm run bench -- site-size`: the download of a browser before the match list shows, gzipped as the server sends it: the
 * page's script, its preloads, the list's own chunks, and their styles. `later` is everything that a screen loads when
 * it is first shown; `depositKB` is what the deposit screen loads beyond the first route, `receiptKB` what its form for
 * receipts loads beyond both, before a picture is chosen. kB are 1000 bytes; the ratio is the JavaScript's to its limit. Prints one JSON line. Measures the
 * site in `dist/`, and builds it when there is none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { print, round } from './support/figures.ts';
import { ASSETS, DIST, firstRoute, gzippedBytes, MUST } from './support/first-route.ts';

const ROOT = join(import.meta.dirname, '..');
const AIM = { jsKB: 130 };

if (!existsSync(join(DIST, 'index.html'))) build();
const { page, scripts: ofFirst, styles, typefaces } = firstRoute();
const all = readdirSync(join(DIST, ASSETS));
const scripts = all.filter((name) => name.endsWith('.js'));
const first = new Set(ofFirst);

const deposit = filesOf(/^deposit-screen-.*\.js$/, first);
const jsBytes = gzippedBytes(ofFirst);
print({
	jsKB: kB(jsBytes),
	cssKB: kB(gzippedBytes(styles)),
	/** Already compressed; the page preloads it. */
	typefaceKB: kB(statSync(join(DIST, ASSETS, typefaces[0] ?? '')).size),
	pageKB: kB(gzipSync(page).length),
	depositKB: kB(gzippedBytes([...deposit])),
	receiptKB: kB(gzippedBytes([...filesOf(/^receipt-form-.*\.js$/, new Set([...first, ...deposit]))])),
	laterJsKB: kB(gzippedBytes(scripts.filter((name) => !first.has(name)))),
	files: Object.fromEntries([...first, ...styles].map((name) => [name, kB(gzippedBytes([name]))])),
	ratio: round(jsBytes / 1000 / MUST.jsKB, 2),
	must: MUST,
	aim: AIM,
});

function build(): void {
	const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
	// Standard output is for the one line.
	const { status } = spawnSync(process.execPath, [vite, 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
	if (status !== 0) throw new Error('The site could not be built.');
}

/** The chunks of these names and all they import, with their styles, as far as nothing of `loaded` has them. */
function filesOf(names: RegExp, loaded: ReadonlySet<string>): Set<string> {
	const found = new Set<string>();
	const add = (name: string): void => {
		if (found.has(name) || loaded.has(name)) return;
		found.add(name);
		const imports = readFileSync(join(DIST, ASSETS, name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g);
		for (const [, imported = ''] of imports) add(imported);
	};
	for (const name of scripts.filter((script) => names.test(script))) add(name);
	const chunkNames = new Set([...found].map((name) => name.replace(/-[^-]{8}\.js$/, '')));
	const styled = all.filter((name) => chunkNames.has(name.replace(/-.{8}\.css$/, '')));
	return new Set([...found, ...styled]);
}

function kB(bytes: number): number {
	return round(bytes / 1000, 1);
}
