import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, transformWithOxc } from 'vite';
import { typeface } from './tools/typeface.ts';

const outDir = fileURLToPath(new URL('dist/', import.meta.url));
const root = fileURLToPath(new URL('src/web/', import.meta.url));

const WORKER = 'service-worker.js';

/** Tells the service worker what was built; the hashed names make a new build a new worker. */
const shellList: Plugin = {
	name: 'shell-list',
	writeBundle() {
		const files = readdirSync(join(outDir, 'assets'))
			.filter((file) => !file.endsWith('.txt'))
			.sort();
		const name = `shell-${createHash('sha256').update(files.join()).digest('hex').slice(0, 12)}`;
		const build = JSON.stringify({ name, files: files.map((file) => `/assets/${file}`) });
		const path = join(outDir, WORKER);
		writeFileSync(path, readFileSync(path, 'utf8').replace('__BUILD__', build));
	},
};

/** Works out where each call goes while building, so that no schema is loaded for it. */
const callRoutes: Plugin = {
	name: 'call-routes',
	async load(id) {
		if (!id.endsWith('/src/web/api/call-routes.ts')) return null;
		const { CALL_ROUTES } = await import(id);
		return `export const CALL_ROUTES = ${JSON.stringify(CALL_ROUTES)};`;
	},
};

/** The routes whose own files come with the page, and not when its script knows the route; by their screens. */
const ROUTES_AHEAD: Record<string, string> = { 'market-screen': '/markets/' };

/** Apart from the others, because it knows none of them. */
const BEGIN = 'begin.js';

/**
 * The page names its files in the order in which they are run, and loads the script that runs them one by one. A
 * route's own are marked, and the server leaves them out of the pages of other routes (src/server/http/site-files.ts).
 */
const fileByFile: Plugin = {
	name: 'file-by-file',
	async generateBundle() {
		const path = `${root}begin.ts`;
		const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path);
		this.emitFile({ type: 'asset', name: BEGIN, source: code });
	},
	transformIndexHtml: {
		order: 'post',
		handler(page, { bundle = {} }) {
			const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
			const begin = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(BEGIN));
			const [entry = '', site = ''] = /<script type="module" crossorigin src="([^"]+)"><\/script>/.exec(page) ?? [];
			if (!begin || !site) throw new Error('The page has no script to begin with.');
			const link = (attrs: Record<string, string | boolean>) => ({ tag: 'link', attrs, injectTo: 'head' as const });
			const ofRoutes = chunks.flatMap(({ name, fileName, imports, viteMetadata }) => {
				const route = ROUTES_AHEAD[name];
				if (route === undefined) return [];
				const mark = { 'data-route': route, crossorigin: true };
				const files = [...imports, fileName].filter((file) => !page.includes(file));
				return [
					...files.map((file) => link({ ...mark, rel: 'modulepreload', href: `/${file}` })),
					...[...(viteMetadata?.importedCss ?? [])].map((file) =>
						link({ ...mark, rel: 'preload', as: 'style', href: `/${file}` }),
					),
				];
			});
			return {
				html: page.replace(entry, `<script type="module" crossorigin src="/${begin.fileName}"></script>`),
				tags: [link({ rel: 'modulepreload', crossorigin: true, href: site }), ...ofRoutes],
			};
		},
	},
};

const CORE =
	/src[\\/](values|web[\\/](api|betting|store|live|orders))[\\/]|src[\\/]web[\\/]pause\.ts|node_modules[\\/]zustand[\\/]/;
/** Comes after the first screen, with the schemas it needs or with the forms. */
const LATER =
	/store[\\/](stored-answers|registration|record-queries|market-queries)\.ts|live[\\/]live\.ts|values[\\/]clean-text\.ts/;
/** What only slip, market page and lists of bets share comes with the first of them. */
const BETTING =
	/src[\\/](values[\\/](bet-range|each-way|exposure|liability)|web[\\/](betting[\\/](position|bet-part|fancy-book|line-book)|orders[\\/](change-bets|bet-market|resting-bet)|date-range))\.ts/;

/** Chunks of which the first screen runs nearly all. */
const FIRST_SCREEN = /^(index|react|tanstack|core|market-screen)-[^.]*\.js$/;
/** A browser that knows this line compiles such a file while it loads, beside the page, and not function by function. */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** Compressed once here, so that the server only picks the file. The page itself is filled in per brand and stays plain. */
const compressed: Plugin = {
	name: 'compressed',
	closeBundle() {
		for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue;
			const path = join(entry.parentPath, entry.name);
			if (FIRST_SCREEN.test(entry.name)) writeFileSync(path, COMPILE_AT_ONCE + readFileSync(path, 'utf8'));
			const content = readFileSync(path);
			writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
			writeFileSync(`${path}.br`, brotliCompressSync(content));
		}
	},
};

export default defineConfig({
	root,
	publicDir: `${root}public`,
	plugins: [react(), tailwindcss(), callRoutes, typeface, fileByFile, shellList, compressed],
	build: {
		outDir,
		emptyOutDir: true,
		target: 'es2022',
		// The hashed names let the server answer these files as immutable.
		assetsDir: 'assets',
		sourcemap: false,
		// Every browser of this target preloads modules by itself.
		modulePreload: { polyfill: false },
		chunkSizeWarningLimit: 600,
		rolldownOptions: {
			input: { index: `${root}index.html`, 'service-worker': `${root}shell.worker.ts` },
			output: {
				// The worker's name stays, because the browser asks for it again to see whether it changed.
				entryFileNames: ({ name }) => (name === 'service-worker' ? WORKER : 'assets/[name]-[hash].js'),
				codeSplitting: {
					groups: [
						// What every screen needs and what changes only with an upgrade stays cached across releases.
						{
							name: 'react',
							test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]|src[\\/]web[\\/]react-root\.ts/,
							priority: 3,
						},
						{ name: 'tanstack', test: /node_modules[\\/]@tanstack[\\/]/, priority: 2 },
						// Small parts that many chunks share pack better together than one by one.
						{
							name: 'core',
							test: (id) => CORE.test(id) && !BETTING.test(id) && !LATER.test(id),
							priority: 1,
						},
					],
				},
			},
		},
	},
});
