/** Draws and crash rounds of third parties, and exact odds, as the project was given them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../support/shared-folder.ts';

const { path, isPresent } = sharedFolder('vectors', 'the tests that read vectors of third parties are skipped');

export const hasVectors = isPresent;

/** Empty where there are none. */
export const readVectors = <Form>(name: string): Form =>
	(isPresent ? JSON.parse(readFileSync(join(path, `${name}.json`), 'utf8')) : {}) as Form;
