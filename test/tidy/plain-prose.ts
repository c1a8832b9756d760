/** Constructions that comments and documents do without, each with what to write instead: docs/STYLE.md, “Prose”. */
import { readdirSync } from 'node:fs';
import { DOCUMENTS } from './named-paths.ts';
import { PROJECT_ROOT, readProjectText, type SourceFile } from './source-tree.ts';

interface Construction {
	pattern: RegExp;
	instead: string;
}

const CONSTRUCTIONS: readonly Construction[] = [
	{ pattern: /\b(nobody|no one)\b/i, instead: 'Name the actor: “no client”, “no player”.' },
	{ pattern: /\b(some|any)body\b/i, instead: 'Name the actor: “a process”, “any caller”.' },
	{ pattern: /\bwhoever\b/i, instead: 'Name the actor: “any caller”, “the member with the claim”.' },
	{
		pattern: /\bso (many|much) (?!(\S+ )?that\b)[a-z]+/i,
		instead: 'Name the number or the limit: “N milliseconds”, “at most `limit` rows”.',
	},
	{ pattern: /\b(that|which|who) waits\b/i, instead: 'Use the state’s word: “a queued request”, “a pending result”.' },
	{ pattern: /\bfor certain\b/i, instead: 'Say who can prove it, or leave it out: “the outcome is known”.' },
	{ pattern: /\ball the same\b/i, instead: 'Write “nevertheless”, or leave it out.' },
	{ pattern: /\b(has|have) yet to\b/i, instead: 'Say what the state is: “the row is dirty”, “not read yet”.' },
	{ pattern: /\blasts so\b/i, instead: 'Compare plainly: “is shorter than”.' },
	{ pattern: /\banew\b/i, instead: 'Write “again”, or the verb: “is rebuilt”, “is recomputed”.' },
	{ pattern: /\bof others\b/i, instead: 'Name them: “other players’ bets”, “untrusted bytes”.' },
];

/** STYLE quotes what it bans, and TESTS has the titles of tests. */
const NOT_WRITTEN_HERE: ReadonlySet<string> = new Set(['docs/STYLE.md', 'docs/TESTS.md']);

/** A passage of prose, and where it is. */
interface Prose {
	path: string;
	text: string;
}

/** Code and quotations are not prose of ours: names in code type, and what a page or a message says. */
const withoutQuotes = (text: string): string => text.replace(/`[^`\n]*`|“[^”\n]*”|"[^"\n]*"/g, '“”');

const withoutMargin = (comment: string): string => comment.replace(/\n\s*(\*|\/\/)? ?/g, ' ');

function styleSheetComments(): Prose[] {
	return readdirSync(`${PROJECT_ROOT}/src`, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.css'))
		.map((name) => `src/${name.replaceAll('\\', '/')}`)
		.flatMap((path) =>
			[...readProjectText(path).matchAll(/\/\*([\s\S]*?)\*\//g)].map(([, text = '']) => ({ path, text })),
		);
}

/** All comments of the files and of the style sheets, and the documents, a line at a time. */
export function proseOf(files: readonly SourceFile[]): Prose[] {
	const ofCode = files.flatMap(({ path, comments }) => comments.map((text) => ({ path, text: withoutMargin(text) })));
	const ofDocuments = DOCUMENTS.filter((path) => !NOT_WRITTEN_HERE.has(path)).flatMap((path) =>
		readProjectText(path)
			.replace(/^```[\s\S]*?^```/gm, '')
			.split('\n')
			.map((text) => ({ path, text })),
	);
	return [...ofCode, ...styleSheetComments(), ...ofDocuments];
}

/** A sentence for each construction that a passage has: where, the words, and what to write instead. */
export function constructionsIn({ path, text }: Prose): string[] {
	const prose = withoutQuotes(text);
	return CONSTRUCTIONS.flatMap(({ pattern, instead }) => {
		const found = pattern.exec(prose);
		return found === null ? [] : [`${path}: “${found[0]}”. ${instead}`];
	});
}
