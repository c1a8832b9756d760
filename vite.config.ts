import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, minify, type Plugin, transformWithOxc } from 'vite';
import { LANGUAGES } from './src/values/languages.ts';
import { ocrFiles } from './tools/ocr-files.ts';
import { typeface } from './tools/typeface.ts';
import { versionMark } from './tools/version-mark.ts';

const outDir = fileURLToPath(new URL('dist/', import.meta.url));
const root = fileURLToPath(new URL('src/web/', import.meta.url));

const WORKER = 'service-worker.js';

const OF_ONE_LANGUAGE = /\/web\/texts\/[a-z]+\/[a-z-]+\.ts$/;

/** The way out, and what says why a screen is not there: both are wanted without a network. */
const AT_ONCE = new Set(['login-screen', 'error-screen', 'later-files']);

/** Tells the service worker what was built; the hashed names make a new build a new worker. */
const shellList: Plugin = {
	name: 'shell-list',
	writeBundle(_, bundle) {
		const all = readdirSync(join(outDir, 'assets'))
			.filter((file) => !file.endsWith('.txt'))
			.sort();
		const name = `shell-${createHash('sha256').update(all.join()).digest('hex').slice(0, 12)}`;
		// The worker keeps the texts that its page names, and not those of other languages.
		const texts = Object.values(bundle).filter(
			(file) => file.type === 'chunk' && OF_ONE_LANGUAGE.test(file.moduleIds[0] ?? file.facadeModuleId ?? ''),
		);
		const files = all
			.map((file) => `assets/${file}`)
			.filter((file) => !texts.some(({ fileName }) => fileName === file));
		const atOnce = new Set<string>();
		const add = (file: string): void => {
			const chunk = bundle[file];
			if (atOnce.has(file) || chunk?.type !== 'chunk') return;
			for (const part of [file, ...(chunk.viteMetadata?.importedCss ?? [])]) atOnce.add(part);
			chunk.imports.forEach(add);
		};
		for (const file of Object.values(bundle)) if (file.type === 'chunk' && AT_ONCE.has(file.name)) add(file.fileName);
		const pathOf = (file: string) => `/${file}`;
		const build = JSON.stringify({ name, files: files.map(pathOf), atOnce: [...atOnce].map(pathOf) });
		const path = join(outDir, WORKER);
		writeFileSync(path, readFileSync(path, 'utf8').replace('__BUILD__', build));
	},
};

/** Works out while building where each call goes, and which fields hold amounts and prices, so that no schema is loaded for it. */
const ofContract: Plugin = {
	name: 'of-contract',
	async load(id) {
		if (!/\/src\/web\/(api\/(first-calls|all-calls)|live\/hub-fields)\.ts$/.test(id)) return null;
		const worked: Record<string, unknown> = await import(id);
		return Object.entries(worked)
			.filter(([, value]) => typeof value !== 'function')
			.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
			.join('\n');
	},
};

/** The routes whose own files come with the page, and not when its script knows the route; by their screens. */
const ROUTES_AHEAD: Record<string, string> = { 'market-screen': '/markets/', 'figures-screen': '/fairness-figures' };

/** What a language says on the first screen, and on all others. */
const TEXT_PARTS = ['first', 'more'] as const;
type TextPart = (typeof TEXT_PARTS)[number];
const textsOf = (language: string, part: TextPart): string => `${language}-${part}`;

/** Where the server puts the brand's own links. */
const BRAND = '<!-- brand -->';

type Link = { tag: 'link'; attrs: Record<string, string | boolean>; injectTo: 'head' };
const link = (attrs: Record<string, string | boolean>): Link => ({ tag: 'link', attrs, injectTo: 'head' });
/** A file that is run: less urgent than the first call, the styles and the logo, which are small and shown before it runs. */
const RUN_LATER = { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true };
const MODULE_LINK = '<link rel="modulepreload"';

/**
 * The texts of the first screen run before all else. The others are fetched when the browser is idle, and run ahead of the
 * files of a route that comes with them. What the server looks for stands first.
 */
function textLinks(language: string, filesOf: (name: string) => string[]): string[] {
	const [first = [], more = []] = TEXT_PARTS.map((part) => filesOf(textsOf(language, part)));
	const mark = `data-language="${language}"`;
	const run = (file: string, marks: string) =>
		`<link ${marks} rel="modulepreload" fetchpriority="low" crossorigin href="/${file}" />`;
	const isTexts = (file: string, part: TextPart) =>
		file.includes(textsOf(language, part)) ? ` data-texts="${part}"` : '';
	return [
		...first.map((file) => run(file, mark + isTexts(file, 'first'))),
		...Object.values(ROUTES_AHEAD).flatMap((route) =>
			more
				.filter((file) => !first.includes(file))
				.map((file) => run(file, `data-route="${route}" ${mark}${isTexts(file, 'more')}`)),
		),
		`<link ${mark} data-texts="more" rel="prefetch" as="script" href="/${more.at(-1)}" />`,
	];
}

/**
 * Two files of texts for each language. The page names those of all languages, marked, and the server leaves in those
 * that the page is in. No file of the first screen may import the texts of the others.
 */
const languages: Plugin = {
	name: 'languages',
	buildStart() {
		if (this.meta.watchMode) return;
		for (const language of LANGUAGES) {
			for (const part of TEXT_PARTS) {
				this.emitFile({
					type: 'chunk',
					id: `${root}texts/${language}/${part}.ts`,
					name: textsOf(language, part),
					preserveSignature: 'strict',
				});
			}
		}
	},
	buildEnd() {
		const reached = new Set([`${root}main.tsx`]);
		for (const id of reached) for (const next of this.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
		if (reached.has(`${root}texts/more.ts`)) {
			this.error('The first screen imports texts/more.ts: say it with texts.ts, or load the file with `withTexts`.');
		}
	},
	generateBundle(_, bundle) {
		const early = Object.values(bundle).find(
			(file) => file.type === 'chunk' && file.name === 'core' && file.moduleIds.includes(`${root}texts/more.ts`),
		);
		if (early) this.error('A file of `core` imports texts/more.ts, which has no texts so early: name it in LATER.');
	},
	transformIndexHtml: {
		order: 'post',
		handler(page, { bundle = {} }) {
			const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
			/** What a chunk imports and itself, in the order in which they run. */
			const filesOf = (name: string): string[] => {
				const chunk = chunks.find((file) => file.name === name);
				if (!chunk) throw new Error(`The build has no ${name}.`);
				return [...chunk.imports, chunk.fileName];
			};
			const links = LANGUAGES.flatMap((language) => textLinks(language, filesOf));
			// Before the built files, because they read the texts as they run.
			return page.replace(BRAND, `${BRAND}${links.join('')}`);
		},
	},
};

const BOOT = '/* styles/boot.css */';

/** The overlay's rules stand in the sheet; the page shows it before its sheet is there. */
const bootStyles: Plugin = {
	name: 'boot-styles',
	transformIndexHtml: {
		order: 'pre',
		handler(page) {
			if (!page.includes(BOOT)) throw new Error(`The page has no place for the overlay's rules: ${BOOT}`);
			return page.replace(BOOT, readFileSync(`${root}styles/boot.css`, 'utf8'));
		},
	},
};

const STYLES = /<link rel="stylesheet" crossorigin href="([^"]+)">/;
const stylesAsked = (href: string): string => `<link rel="preload" as="style" crossorigin href="${href}">`;

/**
 * The page shows its brand before its styles are there: they are asked at once, for paper, and `begin.ts` puts them on the
 * screen. It names its files in the order in which they are run, and has the script that runs them one by one in itself. A route's own are marked, and the server leaves them out of the pages of other routes (src/server/doors/http/site-files.ts).
 */
const fileByFile: Plugin = {
	name: 'file-by-file',
	transformIndexHtml: {
		order: 'post',
		async handler(page, { bundle = {} }) {
			const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
			const [entry = '', site = ''] = /<script type="module" crossorigin src="([^"]+)"><\/script>/.exec(page) ?? [];
			if (!site) throw new Error('The page has no script to begin with.');
			const path = `${root}begin.ts`;
			const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path);
			const { code: begin } = await minify(path, code);
			const ofRoutes = chunks.flatMap(({ name, fileName, imports }) => {
				const route = ROUTES_AHEAD[name];
				if (route === undefined) return [];
				const mark = { 'data-route': route };
				const files = [...imports, fileName].filter((file) => !page.includes(file));
				const styles = chunks
					.filter((chunk) => files.includes(chunk.fileName))
					.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
				return [
					...files.map((file) => link({ ...mark, ...RUN_LATER, href: `/${file}` })),
					...styles.map((file) => link({ ...mark, rel: 'preload', as: 'style', crossorigin: true, href: `/${file}` })),
				];
			});
			return {
				// A function, because the script may have a $.
				html: page
					.replace(entry, '')
					.replaceAll(MODULE_LINK, `${MODULE_LINK} fetchpriority="low"`)
					.replace(STYLES, (sheet, href: string) => `${stylesAsked(href)}${sheet.replace('>', ' media="print">')}`)
					.replace('<title>', () => `<script data-call="">${begin.trim()}</script>\n\t\t<title>`),
				tags: [link({ ...RUN_LATER, href: site }), ...ofRoutes],
			};
		},
	},
};

const TANSTACK = /node_modules[\\/]@tanstack[\\/]/;
/** What no part of the first screen uses. */
const TANSTACK_LATER = /[\\/](useBlocker|useMutation|mutationObserver)\.js$/;
const CORE =
	/src[\\/](values|web[\\/](api|betting|store|live|orders))[\\/]|src[\\/]web[\\/]pause\.ts|node_modules[\\/]zustand[\\/]/;
/** Comes after the first screen, with the schemas it needs, with the forms, or with a file that is picked or saved. */
const LATER =
	/api[\\/](all-pages|all-calls|public-log-file)\.ts|store[\\/](open-bets|order-notices|changes|next-player|same-login|use-stay|slip-elsewhere|triggers|stored-answers|first-game|play-time|presets|use-countdown|use-sent-once|api-access-query|brand-rules|brand-zone|factors|install|push|questions|welcome|(record|market|casino|funds|inbox|protection|reward)-queries)\.ts|live[\\/](live|followed-state|fixture-updates|hub|hub-connection|hub-fields|signalr-wire|browser-name|watch-connection)\.ts|orders[\\/](place-selection|bet-outcome|refused-number|one-click-line|placed-words|amount-words|reduction-words|term-words|bet-option-fields)\.tsx?|betting[\\/](asked-terms|ladder-view|market-ladder|price-lines)\.ts|values[\\/](taxes|profile-names|canonical-json|casino-limits|clean-text|csv|currencies|error-catalogue|house-limits|identity-documents|language-names|mail-address|mobile|money-text|network|picture|pools|read-amount|receipt-text|starting-price|stream-address|tickets|turned-text|zoned-calendar)\.ts/;
/** What only slip, market page and lists of bets share comes with the first of them. */
const BETTING =
	/src[\\/](values[\\/](bet-range|each-way|order-terms|exposure|liability|line-figures)|web[\\/](betting[\\/](position|taken-terms|bet-part|fancy-book|line-book|ladder-view)|orders[\\/](change-bets|edit-bet|own-bets|bet-market|resting-bet|placed-words|reduction-words|term-words|bet-option-fields)|date-range))\.ts/;

/** What the first screen is made of and others share: as one file it packs better, and is asked for once. */
const PARTS =
	/src[\\/](ui[\\/](lazy-part|toast|button|skeleton|icon|icon-registry|media-query|sport-icon|screen-state|loaded|filter-select|price-button|in-play-badge|side-badge|column-heads|rolling-figure)\.tsx?|web[\\/](format\.ts|routes[\\/]lazy-parts\.ts|features[\\/](casino[\\/]sections|frame[\\/]use-sheet-entry|match-list[\\/](match-groups|match-row|row-by-row|match-info|match-columns|best-pair|start-time|score-parts|results-line))\.tsx?))/;

/** Chunks of which the first screen runs nearly all. */
const FIRST_SCREEN = /^(index|react|tanstack|core|parts|market-screen)-[^.]*\.js$/;
/** A browser that knows this line compiles such a file while it loads, beside the page, and not function by function. */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** `npm test` builds with `QUICK_BUILD=on`: the best compression of four megabytes takes more CPU than the rest of the build. */
const IS_QUICK = process.env['QUICK_BUILD'] === 'on';
const GZIP_LEVEL = IS_QUICK ? zlib.Z_BEST_SPEED : zlib.Z_BEST_COMPRESSION;
const BROTLI_QUALITY = IS_QUICK ? zlib.BROTLI_MIN_QUALITY : zlib.BROTLI_MAX_QUALITY;

/** Compressed once here, so that the server only picks the file. The page itself is filled in per brand and stays plain. */
const compressed: Plugin = {
	name: 'compressed',
	closeBundle() {
		for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile() || !/\.(js|css|svg|wasm)$/.test(entry.name)) continue;
			const path = join(entry.parentPath, entry.name);
			if (FIRST_SCREEN.test(entry.name)) writeFileSync(path, COMPILE_AT_ONCE + readFileSync(path, 'utf8'));
			const content = readFileSync(path);
			writeFileSync(`${path}.gz`, gzipSync(content, { level: GZIP_LEVEL }));
			writeFileSync(
				`${path}.br`,
				brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
			);
		}
	},
};

export default defineConfig({
	root,
	publicDir: `${root}public`,
	plugins: [
		react(),
		tailwindcss(),
		ofContract,
		typeface,
		ocrFiles,
		versionMark,
		languages,
		bootStyles,
		fileByFile,
		shellList,
		compressed,
	],
	build: {
		outDir,
		emptyOutDir: true,
		target: 'es2022',
		// The hashed names let the server answer these files as immutable.
		assetsDir: 'assets',
		sourcemap: false,
		reportCompressedSize: !IS_QUICK,
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
						{ name: 'tanstack', test: (id) => TANSTACK.test(id) && !TANSTACK_LATER.test(id), priority: 2 },
						// Small parts that many chunks share pack better together than one by one.
						{
							name: 'core',
							test: (id) => CORE.test(id) && !BETTING.test(id) && !LATER.test(id),
							priority: 1,
						},
						{ name: 'parts', test: PARTS, priority: 1 },
					],
				},
			},
		},
	},
});
