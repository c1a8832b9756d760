/** The words that docs/GLOSSARY.md retires, and where code may still use them. */
import { readProjectText } from './source-tree.ts';

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

/** Each name has its parts worked out once: every retired word is looked for in all of them. */
const spaced = new Map<string, string>();
function spacedParts(name: string): string {
	let parts = spaced.get(name);
	if (parts === undefined) spaced.set(name, (parts = ` ${partsOf(name).join(' ')} `));
	return parts;
}

/** Whether the parts of the word follow one another in the name: `rung` is in `rungOf`, not in `wrung`. */
export function usesWord(name: string, word: string): boolean {
	return spacedParts(name).includes(spacedParts(word));
}

/** Paths below which a retired word is still used. The list only becomes shorter: an entry that is not needed fails. */
export const STILL_USED: Readonly<Record<string, readonly string[]>> = {};
