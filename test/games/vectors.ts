/** Draws and crash rounds of third parties, and exact odds, as the project was given them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'vectors');

export const readVectors = <Form>(name: string): Form =>
	JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Form;
