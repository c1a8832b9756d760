/** Files that an operator names. */
import { readFileSync } from 'node:fs';
import { reader } from '#server/operators/commands/field-reader.ts';
import { WrongWords } from '#server/operators/commands/wrong-words.ts';

/** @throws WrongWords with the file's name */
function bytesOf(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (cause) {
		throw new WrongWords(`The file ${file} cannot be read: ${(cause as Error).message}.`);
	}
}

const contentOf = (file: string): string => bytesOf(file).toString('utf8');

/** As base64. */
export const PICTURE_FILE = reader('a file with a picture', (file) => bytesOf(file).toString('base64'));

export const TEXT_FILE = reader('a file', contentOf);

export const JSON_FILE = reader('a file with JSON', (file) => {
	const content = contentOf(file);
	try {
		return JSON.parse(content);
	} catch (cause) {
		throw new WrongWords(`The file ${file} is not JSON: ${(cause as Error).message}.`);
	}
});
