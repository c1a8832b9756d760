/**
 * The rules that keep the code as docs/ARCHITECTURE.md and docs/STYLE.md say. A rule stands here only because it can
 * fail, and its message says what to do instead.
 */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { ERRORS } from '#values/error-catalogue.ts';
import { TABLE, testsIn, testTable } from '../../tools/test-table.ts';
import { FORCED_CASTS } from './forced-casts.ts';
import { ENTRIES, FEATURE_MAY_IMPORT, IMPORT_TABLE, type ImportRule } from './import-table.ts';
import { DOCUMENTS, FOLDERS, lostPlaces } from './named-paths.ts';
import { constructionsIn, proseOf } from './plain-prose.ts';
import { NameUses, retiredWords, STILL_USED, usesWord } from './retired-words.ts';
import { importCircles, readProjectText, readSources, type SourceFile } from './source-tree.ts';
import { movedBy, readStyleSheets, rulesOf, utilitiesAmong } from './style-sheets.ts';
import { ONE_SIDED } from './two-sides.ts';

/** Classes that a library puts on its elements. */
const LIBRARY_CLASSES = ['Toastify__', 'u-'];

const files = readSources(['src', 'test', 'bench', 'tools'], (path, text, program) => {
	if (path.startsWith('test/')) testsIn(path, text, program);
});
const shipped = files.filter((file) => file.path.startsWith('src/'));

/** Functions that still have more than five positional parameters; the list only becomes shorter. */
const MANY_PARAMETERS: readonly string[] = [
	// The engine's call for each match: numbers, so that no object is made for it.
	'src/server/exchange/order/batch.ts betMatched',
	'bench/engine/engine-run.ts betMatched',
	'test/engine/recorded-effects.ts betMatched',
	'tools/run-scenario.ts betMatched',
	'test/reference/reference-rules.ts result',
];
/** Callbacks of `it.each` take a row of a table. */
const MAY_TAKE_MANY = /^test\/.* anonymous$/;

function ruleFor(path: string): ImportRule | undefined {
	return IMPORT_TABLE.filter((rule) => path.startsWith(rule.from)).sort((a, b) => b.from.length - a.from.length)[0];
}

function featureOf(path: string): string | null {
	return /^src\/web\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function mayImport(file: SourceFile, target: string, typeOnly: boolean): boolean {
	const feature = featureOf(file.path);
	if (feature) return featureOf(target) === feature || FEATURE_MAY_IMPORT.some((prefix) => target.startsWith(prefix));
	const rule = ruleFor(file.path);
	if (!rule) return false;
	const allowed = [rule.from, ...rule.to, ...(typeOnly ? (rule.typesFrom ?? []) : [])];
	return allowed.some((prefix) => target.startsWith(prefix));
}

describe('imports', () => {
	it('follow the import table', () => {
		const wrong = shipped.flatMap((file) =>
			file.imports
				.filter(({ path, typeOnly }) => !mayImport(file, path, typeOnly))
				.map(({ path }) => `${file.path} → ${path}`),
		);
		expect(
			wrong,
			'These imports cross a boundary of test/tidy/import-table.ts: move the shared piece to values or contract, or pass it in as a parameter.',
		).toEqual([]);
	});

	it('of the server’s wings are the arrows that docs/ARCHITECTURE.md shows', () => {
		const wingOf = (path: string): string | null => /^src\/server\/([^/]+)\//.exec(path)?.[1] ?? null;
		const shown = new Map<string, string[]>();
		const rows = readProjectText('docs/ARCHITECTURE.md').matchAll(/^\| `(\w+)` +\|[^|]+\| ([\w, –]+?) +\|$/gm);
		for (const [, wing = '', imports = ''] of rows)
			if (IMPORT_TABLE.some(({ from }) => wingOf(from) === wing)) shown.set(wing, imports.match(/\w+/g) ?? []);
		const ruled = new Map<string, ReadonlySet<string>>();
		for (const { from, to, typesFrom = [] } of IMPORT_TABLE) {
			const wing = wingOf(from);
			if (wing === null) continue;
			const others = [...to, ...typesFrom].flatMap((path) => wingOf(path) ?? []).filter((other) => other !== wing);
			ruled.set(wing, new Set([...(ruled.get(wing) ?? []), ...others]));
		}
		const sorted = (arrows: ReadonlyMap<string, Iterable<string>>) =>
			[...arrows].map(([wing, others]) => `${wing}: ${[...others].sort().join(', ')}`).sort();
		expect(sorted(shown)).toEqual(sorted(ruled));
		// The order of the rows is the order of the wings: none knows one below it.
		const order = [...shown.keys()];
		const upwards = [...shown].flatMap(([wing, imports]) =>
			imports.filter((other) => order.indexOf(other) >= order.indexOf(wing)).map((other) => `${wing} → ${other}`),
		);
		expect(upwards).toEqual([]);
	});

	it('name files that exist', () => {
		const known = new Set(files.map((file) => file.path));
		const wrong = shipped.flatMap((file) =>
			file.imports
				.filter(({ path }) => /\.tsx?$/.test(path) && !known.has(path))
				.map(({ path }) => `${file.path} → ${path}`),
		);
		expect(wrong).toEqual([]);
	});

	it('form no circle, type imports included', () => {
		expect(
			importCircles(files),
			'These files import one another: move what both need to a file that imports neither.',
		).toEqual([]);
	});

	/** The build reads what the kernel exports, and writes all of it. */
	const READ_BY_BUILD = /^src\/(kernel\/|engine\/kernel-layout\.ts$)/;

	it('reach every exported name', () => {
		const imported = new Map<string, Set<string>>();
		for (const { imports } of files)
			for (const { path, names } of imports) imported.set(path, new Set([...(imported.get(path) ?? []), ...names]));
		const dead = shipped
			.filter(({ path }) => !READ_BY_BUILD.test(path) && !ENTRIES.some((entry) => entry.test(path)))
			.flatMap(({ path, exports }) => {
				const names = imported.get(path);
				return names?.has('*') ? [] : exports.filter((name) => !names?.has(name)).map((name) => `${path}: ${name}`);
			});
		expect(dead, 'No other file imports these names: delete them, or do not export them.').toEqual([]);
	});

	it('reach every file', () => {
		const imported = new Set(files.flatMap((file) => file.imports.map(({ path }) => path)));
		const orphans = files
			.map((file) => file.path)
			.filter((path) => !imported.has(path) && !ENTRIES.some((entry) => entry.test(path)));
		expect(orphans, 'No file imports these: delete them, or list a started file in ENTRIES.').toEqual([]);
	});
});

describe('what the server opens', () => {
	const OPENERS = /^src\/server\/(process\/|.*\/open-[a-z-]+\.ts$)/;

	it('is given by name', () => {
		const wrong = shipped
			.filter(({ path }) => OPENERS.test(path))
			.flatMap(({ path, groupSpreads }) => groupSpreads.map((spread) => `${path}: ...${spread}`));
		expect(wrong, 'Name what the part needs: a spread supplies it with what its types do not ask for.').toEqual([]);
	});

	it('stands on one page', () => {
		const start = files.find(({ path }) => path === 'src/server/process/start.ts');
		expect(start?.lines, 'Open the parts of a wing in the wing.').toBeLessThanOrEqual(200);
		expect(start?.imports.length, 'Open the parts of a wing in the wing.').toBeLessThanOrEqual(40);
	});
});

describe('units', () => {
	/** A provider's own program imports nothing of the product. */
	const APART = /^src\/studio\//;

	it.each([
		[
			'a day in milliseconds',
			'src/values/time.ts',
			/=\s*86_?400_?000\b|\b24 \* (3_?600_?000|3_?600 \* 1_?000|HOUR_MS)\b/,
		],
		['the minor units of a major one', 'src/values/money.ts', /\bMINOR_PER_MAJOR = 100\b/],
	])('%s stand in %s alone', (_name, home, pattern) => {
		const wrong = files.filter(({ path, code }) => pattern.test(code) && path !== home && !APART.test(path));
		expect(
			wrong.map(({ path }) => path),
			`Import it from ${home}.`,
		).toEqual([]);
		expect(files.some(({ path, code }) => path === home && pattern.test(code))).toBe(true);
	});

	it('a zone stands in the calendar, in a profile or in a setting, and a fixed offset nowhere', () => {
		/** Areas of the table of zones, and India's offset as ISO 8601 writes it: both stand in strings, which `code` has not. */
		const written = /['"`](Africa|America|Asia|Australia|Europe|Pacific)\/[A-Z]|\+05:30/;
		const counted = /\b330 \* |\b19_?800(_?000)?\b/;
		const wrong = shipped.filter(
			({ path, code, text }) =>
				(written.test(text) || counted.test(code)) &&
				path !== 'src/values/zoned-calendar.ts' &&
				!path.startsWith('src/conformity/profiles/'),
		);
		expect(
			wrong.map(({ path }) => path),
			'Days are those of the brand’s zone: use zoneAt and src/values/zoned-calendar.ts.',
		).toEqual([]);
	});

	/** What still names a currency without its pool. The list only becomes shorter. */
	const WITHOUT_POOL = ['src/server/doors/bots-api/examples.ts'];
	/** UPI moves rupees and nothing else; other sides of the wire name what they send. */
	const RAILS =
		/^src\/(server\/money\/funds\/payments\/(hyperswitch\/|upi-link|simulated-provider)|studio\/|conformity\/profiles\/)/;

	it('a currency is that of the pool', () => {
		const named = shipped
			.filter(({ path, text }) => /'INR'/.test(text) && path !== 'src/values/currency-codes.ts' && !RAILS.test(path))
			.map(({ path }) => path);
		expect(named.sort(), 'A pool decides its currency: use currencyOf of src/values/pools.ts.').toEqual(
			WITHOUT_POOL.toSorted(),
		);
	});
});

describe('casts that the compiler would refuse', () => {
	it('are those of test/tidy/forced-casts.ts, each with its reason', () => {
		const found = shipped.flatMap(({ path, code }) => {
			const count = code.match(/\bas unknown as\b|\bas never\b/g)?.length ?? 0;
			return count === 0 ? [] : [[path, count]];
		});
		expect(
			Object.fromEntries(found),
			'Say what the value is by a schema, a guard or a generic type; or add the cast with its reason.',
		).toEqual(Object.fromEntries(FORCED_CASTS.map(({ path, count }) => [path, count])));
	});
});

describe('bytes of others', () => {
	/** Decoders of pictures and texts, and the libraries that unpack. */
	const DECODES = /from '(sharp|tesseract\.js|node:zlib)'/;
	/** They unpack what the server packed itself, or what its operator gives it. */
	const OWN_BYTES: ReadonlySet<string> = new Set([
		'src/server/platform/keys/token-key.ts',
		'src/server/exchange/views/trade-hours.ts',
		'src/server/world/feeds/recorded/read-recording.ts',
	]);
	const PROCESS = 'src/server/platform/media/media-process.ts';

	it('are decoded in the media process alone', () => {
		const server = files.filter(({ path }) => path.startsWith('src/server/') && !OWN_BYTES.has(path));
		const decoders = new Set(server.filter(({ code }) => DECODES.test(code)).map(({ path }) => path));
		for (let before = -1; before !== decoders.size; ) {
			before = decoders.size;
			for (const { path, imports } of server)
				if (path !== PROCESS && imports.some((imported) => decoders.has(imported.path))) decoders.add(path);
		}
		const wrong = [...decoders].filter(
			(path) => !path.startsWith('src/server/platform/media/') || path.endsWith('/media.ts'),
		);
		expect(
			wrong,
			`A file that decodes is imported by ${PROCESS} alone: the server’s own threads log players in.`,
		).toEqual([]);
	});
});

describe('the pure projects', () => {
	/** Chances are fractions, so only the projects that reckon with money are held to integers. */
	const MONEY = /^src\/(values|engine|games)\//;
	const PURE = /^src\/(values|engine|sports|games|public-log)\//;

	it.each([
		[
			'Date.now or new Date',
			PURE,
			/\bDate\s*\.\s*now\b|\bnew Date\b|\bperformance\b/,
			'take the time from the command (atMs)',
		],
		['Math.random', PURE, /\bMath\s*\.\s*random\b/, 'take randomness as a parameter'],
		['parseFloat', PURE, /\bparseFloat\b/, 'parse amounts at the boundary with values/money.ts'],
		['fractional literals', MONEY, /(?<![\w.])\d+\.\d+/, 'use integers: minor units, hundredths, basis points'],
	])('hold no %s', (_name, projects, pattern, instead) => {
		const wrong = shipped
			.filter((file) => projects.test(file.path) && pattern.test(file.code))
			.map((file) => file.path);
		expect(wrong, `Instead: ${instead}.`).toEqual([]);
	});
});

describe('the border between browsers and Node', () => {
	it.each(ONE_SIDED)('%s is not named in src/(%s)', (_what, folders, pattern) => {
		const within = new RegExp(`^src/(${folders})/`);
		const wrong = shipped.filter(({ path, code }) => within.test(path) && pattern.test(code)).map(({ path }) => path);
		expect(wrong, 'Take it as a parameter, or name what both have.').toEqual([]);
	});
});

describe('the looks', () => {
	it('depend on the theme alone, never on the system’s colour scheme', () => {
		const asks = /prefers-color-scheme|color-scheme:\s*(light dark|dark light)/;
		const wrong = readdirSync('src', { recursive: true, encoding: 'utf8' })
			.filter((path) => /\.(css|html|svg|tsx?)$/.test(path))
			.filter((path) => asks.test(readProjectText(`src/${path}`)));
		expect(wrong, 'Take the colours from the tokens, or name a picture for the light theme in the setting.').toEqual(
			[],
		);
	});
});

describe('sizes', () => {
	it('no file is above 600 lines', () => {
		const wrong = files.filter((file) => file.lines > 600).map((file) => `${file.path}: ${file.lines}`);
		expect(wrong, 'Split the file by meaning, one purpose each.').toEqual([]);
	});

	it('no function is above 70 lines, no component above 100', () => {
		const wrong = shipped.flatMap((file) =>
			file.functions
				.filter(({ lines, isComponent }) => lines > (isComponent ? 100 : 70))
				.map(({ name, lines, startLine }) => `${file.path}:${startLine} ${name}: ${lines}`),
		);
		expect(wrong, 'Name the steps and make each a function.').toEqual([]);
	});

	it('no function has more than five positional parameters', () => {
		const allowed = new Set(MANY_PARAMETERS);
		const found = files
			.flatMap(({ path, functions }) =>
				functions.filter(({ parameters }) => parameters > 5).map(({ name }) => `${path} ${name}`),
			)
			.filter((name) => !MAY_TAKE_MANY.test(name));
		expect(
			found.filter((name) => !allowed.has(name)),
			'Give it an object with names, or split it.',
		).toEqual([]);
		expect(
			MANY_PARAMETERS.filter((name) => !found.includes(name)),
			'These have five or fewer by now: take them off the list.',
		).toEqual([]);
	});

	it('the median shipped file is 120 lines or shorter', () => {
		const lines = shipped.map((file) => file.lines).sort((a, b) => a - b);
		expect(
			lines[Math.floor(lines.length / 2)],
			'Files are growing: split those with two purposes.',
		).toBeLessThanOrEqual(120);
	});
});

describe.each(['web', 'console'])('the style sheets of src/%s', (application) => {
	const sheets = ['src/ui', `src/${application}`].flatMap(readStyleSheets);
	/** The other application's files have style sheets of their own. */
	const other = application === 'web' ? 'src/console/' : 'src/web/';
	const own = shipped.filter(({ path }) => !path.startsWith(other));
	const rules = sheets.flatMap(({ path, rules: of }) => of.map((rule) => ({ ...rule, path })));
	const defined = new Set(rules.flatMap(({ classes }) => classes));
	const page = readProjectText(`src/${application}/index.html`);

	it('are no longer than 600 lines', () => {
		const wrong = sheets.filter(({ lines }) => lines > 600).map(({ path, lines }) => `${path}: ${lines}`);
		expect(wrong, 'Move the rules to the feature that uses them.').toEqual([]);
	});

	it('set text in the sizes of the type scale, prices in 17 and runners in 15 pixels', () => {
		const scale = new Set(['0.75rem', '0.875rem', '0.9375rem', '1rem', '1.0625rem', '1.25rem', '1.75rem', '2.5rem']);
		// Letters of a drawing are sized with the drawing.
		const wrong = sheets
			.filter(({ path }) => !path.endsWith('/watch.css'))
			.flatMap(({ path, text }) => [...text.matchAll(/font-size: ([^;]+);/g)].map(([, size = '']) => ({ path, size })))
			.filter(({ size }) => !scale.has(size))
			.map(({ path, size }) => `${path}: ${size}`);
		expect(wrong).toEqual([]);
	});

	it('move by transform and opacity alone', () => {
		const moves = new Set(['transform', 'translate', 'rotate', 'scale', 'opacity', 'none']);
		const drawn = /^stroke-dash/;
		const wrong = sheets
			.flatMap(({ path, text }) => movedBy(text).map((property) => ({ path, property })))
			.filter(({ property }) => !moves.has(property) && !drawn.test(property))
			.map(({ path, property }) => `${path}: ${property}`);
		expect(wrong, 'Other properties cost layout or paint in every frame; let them change at once.').toEqual([]);
	});

	it('say each rule once', () => {
		const seen = new Map<string, string>();
		// The page's own styles set the element of the page again, before its sheet is there.
		const ofPage = rulesOf(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '')
			.filter(({ classes }) => classes.length > 0)
			.map((rule) => ({ ...rule, path: 'index.html' }));
		const twice = [...rules, ...ofPage].flatMap(({ name, path }) => {
			const first = seen.get(name);
			seen.set(name, path);
			return first === undefined ? [] : [`${name}: ${first}, ${path}`];
		});
		expect(twice, 'Put the declarations of one selector into one rule.').toEqual([]);
	});

	it('make no coming or going of an element restyle others that it has nothing to do with', () => {
		// What such a rule asks of any element a browser asks again, all over the page, whenever one is put in or taken out.
		const wrong = rules.filter(({ name }) => {
			const asked = [...name.matchAll(/:has\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, of = '']) => of);
			if (asked.some((of) => !/[.[]/.test(of)) || /(^|[\s>+~])\*\s*[+~]/.test(name)) return true;
			// All rules with `:has` make one list of what they change, and one that may change anything makes it everything.
			const bare = name.replace(/:has\((?:[^()]|\([^()]*\))*\)/g, ':has');
			return bare
				.split(',')
				.some((one) => one.includes(':has') && !/[.[]|^[a-z]/.test(one.split(/[\s>+~]+/).at(-1) ?? ''));
		});
		const said = wrong.map(({ name, path }) => `${path}: ${name}`);
		expect(
			said,
			'Let `:has` and what such a rule changes name a class or an attribute, and a sibling a class.',
		).toEqual([]);
	});

	it('define no class that nothing uses', () => {
		const used = new Set(own.flatMap(({ words }) => [...words]));
		const dead = [...defined].filter(
			(name) => !used.has(name) && !page.includes(name) && !LIBRARY_CLASSES.some((prefix) => name.startsWith(prefix)),
		);
		expect(dead, 'Delete the rule.').toEqual([]);
	});

	it('define every class that is named, where Tailwind does not', async () => {
		const named = own.flatMap(({ path, classNames }) => [...classNames].map((name) => ({ path, name })));
		const undefinedHere = named.filter(({ name }) => !defined.has(name));
		const utilities = await utilitiesAmong([...new Set(undefinedHere.map(({ name }) => name))]);
		const wrong = undefinedHere.filter(({ name }) => !utilities.has(name)).map(({ path, name }) => `${path}: ${name}`);
		expect(wrong, 'Define the class beside its feature, or delete it.').toEqual([]);
	});
});

describe('texts', () => {
	it('are in src/web/texts, and in no component', () => {
		// The operators' console is in English alone.
		const ofPlayers = shipped.filter(({ path }) => !path.startsWith('src/console/'));
		const wrong = ofPlayers.flatMap(({ path, shownTexts }) => shownTexts.map((text) => `${path}: ${text}`));
		expect(wrong, 'Move the text to src/web/texts in each language, or take it as a parameter.').toEqual([]);
	});
});

describe('names', () => {
	it('no folder or file is a bucket', () => {
		const wrong = files
			.map((file) => file.path)
			.filter((path) => /(^|\/)(utils?|common|helpers?|misc|lib|index)(\/|\.tsx?$)/.test(path));
		expect(wrong, 'Name the file by what it is about; import files, not folders.').toEqual([]);
	});

	it('files are kebab-case', () => {
		const wrong = files
			.map((file) => file.path)
			.filter((path) => !/^[a-z0-9$][a-z0-9.-]*\.tsx?$/.test(path.split('/').at(-1) ?? ''));
		expect(wrong).toEqual([]);
	});
});

describe('retired words', () => {
	const words = retiredWords();
	const names = new NameUses(shipped);

	it('are listed in the glossary', () => expect(words.get('unrest')).toBe('remove from book'));

	it('are recognized as whole parts of a name', () => {
		expect(
			['rungOf', 'bestRung', 'ANY_RUNG', 'rung-by-price.ts', '#rung'].every((name) => usesWord(name, 'rung')),
		).toBe(true);
		expect(['wrung', 'rungs', 'strung'].some((name) => usesWord(name, 'rung'))).toBe(false);
	});

	it.each([...words])('%s is not used in src: the word is %s', (word) => {
		const exempt = STILL_USED[word] ?? [];
		const uses = names.of(word);
		const wrong = uses.filter((use) => !exempt.some((path) => use.startsWith(path)));
		expect(wrong, `docs/GLOSSARY.md retires this word: use "${words.get(word)}" instead.`).toEqual([]);
		const stale = exempt.filter((path) => !uses.some((use) => use.startsWith(path)));
		expect(stale, 'Remove these from STILL_USED in test/tidy/retired-words.ts.').toEqual([]);
	});
});

describe('prose', () => {
	const found = proseOf(files).flatMap(constructionsIn);

	it.each([
		['Resolves when nobody has decided for a moment.', 'no client'],
		['How often so many milliseconds pass.', 'N milliseconds'],
		['A bet that waits for the next round.', 'queued'],
		['The hash is revealed all the same.', 'nevertheless'],
	])('“%s” is found', (text, instead) =>
		expect(constructionsIn({ path: 'src/a.ts', text })).toEqual([expect.stringContaining(instead)]),
	);

	it.each(['So many cells that a frame is late.', 'The answer is "nobody".', 'The code `that waits` is code.'])(
		'“%s” is plain',
		(text) => expect(constructionsIn({ path: 'src/a.ts', text })).toEqual([]),
	);

	it('of comments and documents is plain', () => {
		expect(found, 'docs/STYLE.md, “Prose”: the actor is the subject.').toEqual([]);
	});
});

describe('the documents agree with the code', () => {
	it('docs/ERRORS.md lists exactly the catalogue', () => {
		const rows = [...readProjectText('docs/ERRORS.md').matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) +\| (.+?) +\|$/gm)].map(
			([, code, status, message]) => ({ code, status: Number(status), message }),
		);
		const catalogue = Object.entries(ERRORS).map(([code, { status, message }]) => ({ code, status, message }));
		expect(rows, 'Bring docs/ERRORS.md and src/values/error-catalogue.ts into line.').toEqual(catalogue);
	});

	it.each(['test/coverage/COVERAGE.md', 'test/coverage/CHECKLIST.md', 'test/coverage/EXCHANGE-COVERAGE.md'])(
		'%s names tests that exist',
		(document) => {
			const named = [...readProjectText(document).matchAll(/`(test\/[^`]+)` “(.+?)”(?=<br>|\s*\|)/g)];
			const gone = named.filter(
				([, path, title = '']) => !files.find((file) => file.path === path)?.text.includes(title),
			);
			expect(named.length).toBeGreaterThan(0);
			expect(
				gone.map(([, path, title]) => `${path}: ${title}`),
				'Name the test that shows the row now, or say that it is missing.',
			).toEqual([]);
		},
	);

	it.each(['src/web/features/casino/game-screen.tsx', 'src/web/features/casino/game-art.tsx'])(
		'%s has every game of the house',
		(path) => {
			const text = readProjectText(path);
			const missing = GAMES.filter(({ code }) => !new RegExp(`^\\t'?${code}'?: `, 'm').test(text));
			expect(
				missing.map(({ code }) => code),
				'Give the game its row: docs/CONTRIBUTING.md, “Add a casino game”.',
			).toEqual([]);
		},
	);

	it('docs/TESTS.md says which test runs where', () =>
		expect(readProjectText(TABLE), 'Run `npm run test-table`.').toBe(testTable()));

	it.each(DOCUMENTS)('%s names files, folders and headings that exist', (document) =>
		expect(lostPlaces(document), 'Name the place where this is now.').toEqual([]),
	);

	it('README.md’s map has every folder', () => {
		const map = new Set(
			[...readProjectText('README.md').matchAll(/^([a-z][a-z/-]*) {2,}\S/gm)].map(([, path]) => path),
		);
		expect(FOLDERS.filter((path) => !map.has(path))).toEqual([]);
	});

	it.each(DOCUMENTS)('%s names scripts of package.json', (document) => {
		const { scripts } = JSON.parse(readProjectText('package.json'));
		const run = [...readProjectText(document).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)];
		expect(run.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
	});

	it('docs/SETTINGS.md names every variable of the environment', () => {
		const settings = readProjectText('docs/SETTINGS.md');
		const variables = [...readProjectText('src/server/process/settings.ts').matchAll(/^\t([A-Z][A-Z_]+): v\./gm)].map(
			([, name = '']) => name,
		);
		expect(variables.length).toBeGreaterThan(0);
		expect(variables.filter((name) => !settings.includes(`\`${name}`))).toEqual([]);
	});

	it('docs/RUNBOOK.md quotes lines of the log as they are written', () => {
		const quoted = [...readProjectText('docs/RUNBOOK.md').matchAll(/log: `([^`…]+)`/g)].map(([, line = '']) => line);
		const server = shipped.filter(({ path }) => path.startsWith('src/server/'));
		expect(quoted.length).toBeGreaterThan(0);
		expect(
			quoted.filter((line) => !server.some(({ text }) => text.includes(line))),
			'Operators search the log for these lines: quote what the server writes.',
		).toEqual([]);
	});

	it('the doctor and the log refer to sections that docs/RUNBOOK.md has', () => {
		const headings = new Set([...readProjectText('docs/RUNBOOK.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name));
		const named = shipped.flatMap(({ text }) => [
			...[...text.matchAll(/RUNBOOK, “([^”]+)”/g)].map(([, name]) => name),
			...[...text.matchAll(/“([^”]+)” in docs\/RUNBOOK/g)].map(([, name]) => name),
		]);
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((name) => !headings.has(name?.replaceAll('’', "'")))).toEqual([]);
	});

	it('every code of the catalogue is thrown or returned somewhere', () => {
		const used = shipped
			.filter((file) => file.path !== 'src/values/error-catalogue.ts')
			.map((file) => file.text)
			.join('\n');
		const unused = Object.keys(ERRORS).filter((code) => !used.includes(`'${code}'`));
		expect(unused, 'Delete the code or use it.').toEqual([]);
	});
});

describe('every call of the contract', () => {
	const tests = files
		.filter((file) => file.path.startsWith('test/calls/'))
		.map((file) => file.text)
		.join('\n');

	it.each(Object.entries(CALLS))(
		'%s has tests of success, refusal and, where it needs a login, of none',
		(name, call) => {
			const kinds = ['success', 'refusal', ...(call.auth === 'player' ? ['not logged in'] : [])];
			const missing = kinds.filter((kind) => !new RegExp(`['"\`]${name}: ${kind}\\b`).test(tests));
			expect(missing, `Add a test titled '${name}: ${kinds[0]} …' to test/calls.`).toEqual([]);
		},
	);
});
