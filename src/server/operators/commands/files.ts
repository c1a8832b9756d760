/** Files that an operator names. */
import { readFileSync } from 'node:fs';
import { reader } from '#server/operators/commands/field-reader.ts';
import { WrongWords } from '#server/operators/commands/wrong-words.ts';

/** @throws WrongWords with the file's name */
function contentOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (cause) {
		throw new WrongWords(`The file ${file} cannot be read: ${(cause as Error).message}.`);
	}
}

export const TEXT_FILE = reader('a file', contentOf);

export const JSON_FILE = reader('a file with JSON', (file) => {
	const content = contentOf(file);
	try {
		return JSON.parse(content);
	} catch (cause) {
		throw new WrongWords(`The file ${file} is not JSON: ${(cause as Error).message}.`);
	}
});
