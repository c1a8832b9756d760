/** What prose says of places in the project: paths, shortened paths, and links with their headings. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT, readProjectText } from './source-tree.ts';

/** Not of the project: what is installed, built or kept by git. */
const NOT_OURS = /^(node_modules|dist|dist-console|\.git|\.tsbuild)$/;

const entries = readdirSync(PROJECT_ROOT, { withFileTypes: true })
	.filter(({ name }) => !NOT_OURS.test(name))
	.flatMap((entry) =>
		entry.isDirectory()
			? [
					entry.name,
					...readdirSync(join(PROJECT_ROOT, entry.name), { recursive: true, encoding: 'utf8' }).map(
						(path) => `${entry.name}/${path}`,
					),
				]
			: [entry.name],
	);
const places = new Set(entries);
/** The ends of every path in `src`, with and without the ending of its file: `judge`, `kernel/judge.ts`. */
const endsOf = (path: string): string[] => path.split('/').map((_, at, parts) => parts.slice(at).join('/'));
const shortened = new Set(
	entries.flatMap((path) =>
		path.startsWith('src/') ? [...endsOf(path), ...endsOf(path.replace(/\.(tsx?|css)$/, ''))] : [],
	),
);

/** Everything that describes the project or starts it from outside. */
export const DOCUMENTS: readonly string[] = entries.filter(
	(path) => path.endsWith('.md') || /^(deploy\/.*\.(example|service)|deploy\/Containerfile.*|\.ci\/run)$/.test(path),
);

/** The folders of the root, with those of `src` in its place. */
export const FOLDERS: readonly string[] = readdirSync(PROJECT_ROOT, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.test(entry.name))
	.flatMap(({ name }) =>
		name === 'src' ? readdirSync(join(PROJECT_ROOT, name)).map((part) => `src/${part}`) : [name],
	);

/** A path from the project's root, wherever it stands: in a command, a drawing, between backquotes. */
const FROM_ROOT = /(?<![\w./~@#-])(?:src|test|db|docs|tools|bench|deploy)\/[\w$@./-]*\w\b(?![-<*])/g;
/** A file of `src` by the end of its path: `kernel/judge.ts`. */
const FILE = /(?<![\w./~@#>*-])(?:\w[\w$@.-]*\/)*\w[\w-]*\.(?:tsx?|css)\b/g;
/** The same without its ending, between backquotes: `kernel/judge`. */
const MODULE = /(?<=`)[a-z][a-z-]*(?:\/[a-z][a-z-]*)+(?=\/?`)/g;
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;

/** The paths and links of a document that lead nowhere. */
export function lostPlaces(document: string): string[] {
	const text = readProjectText(document);
	const named = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([name]) => name);
	const paths = named(FROM_ROOT).filter((path) => !places.has(path));
	const names = [...named(FILE), ...named(MODULE)].filter((name) => !places.has(name) && !shortened.has(name));
	const links = [...text.matchAll(LINK)]
		.filter(([, path = '', heading]) => {
			const target = path === '' ? document : join(dirname(document), path);
			return !places.has(target) || (heading !== undefined && !headingsOf(target).has(heading));
		})
		.map(([link]) => link.slice(1));
	return [...new Set([...paths, ...names, ...links])];
}

/** The headings of a page as links name them. */
function headingsOf(document: string): Set<string> {
	const headings = [...readProjectText(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
	return new Set(
		headings.map((heading) =>
			heading
				.toLowerCase()
				.replace(/[^\p{L}\p{N}\s_-]/gu, '')
				.replace(/\s/g, '-'),
		),
	);
}
