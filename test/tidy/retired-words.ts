/** The words that docs/GLOSSARY.md retires, and where code may still use them. */
import { readProjectText, type SourceFile } from './source-tree.ts';

/** A glossary row: cells between bars, the word first and the retired words last. */
const ROW = /^\| (?!word|-)([^|]+?) +\|.*\| ([^|]*?) *\|$/gm;

/** The parts of a name, in lower case: `tellHolds`, `tell-holds` and `TELL_HOLDS` have the same two. */
export function partsOf(name: string): string[] {
	return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((part) => part.toLowerCase());
}

/** Each retired word in code type with the word that replaces it. */
export function retiredWords(): Map<string, string> {
	const words = new Map<string, string>();
	for (const [, word = '', retired = ''] of readProjectText('docs/GLOSSARY.md').matchAll(ROW))
		for (const [, name = ''] of retired.matchAll(/`([^`]+)`/g)) words.set(name, word);
	return words;
}

const spaced = (name: string): string => ` ${partsOf(name).join(' ')} `;

/** Whether the parts of the word follow one another in the name: `rung` is in `rungOf`, not in `wrung`. */
export const usesWord = (name: string, word: string): boolean => spaced(name).includes(spaced(word));

/** Where names are used. A word is looked for among the names that have its first part: all names are too many for each. */
export class NameUses {
	readonly #paths = new Map<string, string[]>();
	readonly #byPart = new Map<string, Set<string>>();

	constructor(files: readonly Pick<SourceFile, 'path' | 'names'>[]) {
		for (const { path, names } of files) for (const name of names) this.#add(name, path);
	}

	#add(name: string, path: string): void {
		const paths = this.#paths.get(name);
		if (paths) return void paths.push(path);
		this.#paths.set(name, [path]);
		for (const part of partsOf(name)) {
			const names = this.#byPart.get(part) ?? new Set();
			this.#byPart.set(part, names.add(name));
		}
	}

	/** The uses of a word, as `path: name`. */
	of(word: string): string[] {
		const names = this.#byPart.get(partsOf(word)[0] ?? '') ?? [];
		return [...names]
			.filter((name) => usesWord(name, word))
			.flatMap((name) => (this.#paths.get(name) ?? []).map((path) => `${path}: ${name}`));
	}
}

/** Paths below which a retired word is still used. The list only becomes shorter: an entry that is not needed fails. */
export const STILL_USED: Readonly<Record<string, readonly string[]>> = {};
