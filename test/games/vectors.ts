/** Draws and crash rounds of third parties, and exact odds, as the project was given them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'vectors');

/** False in a clone that stands elsewhere: what needs the vectors is skipped there. */
export const hasVectors = existsSync(FOLDER);
if (!hasVectors) console.warn('No vectors of third parties here: the tests that read them are skipped.');

/** Empty where there are none. */
export const readVectors = <Form>(name: string): Form =>
	(hasVectors ? JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) : {}) as Form;
