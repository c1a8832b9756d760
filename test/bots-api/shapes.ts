/** Compares the shape of an answer with a recorded one: names, types and nesting; values do not count. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../support/shared-folder.ts';

const { path: folder, isPresent } = sharedFolder('vectors/betfair-api', 'the tests that compare shapes are skipped');

export const hasVectors = isPresent;

export const vector = (name: string): unknown => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** All fields of a value by path; items of one array share theirs. */
export function shapeOf(value: unknown, path = '', found = new Map<string, Set<string>>()): Map<string, Set<string>> {
	const types = found.get(path) ?? new Set();
	found.set(path, types.add(typeOf(value)));
	if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, found);
	else if (typeof value === 'object' && value !== null) {
		for (const [name, field] of Object.entries(value)) shapeOf(field, `${path}.${name}`, found);
	}
	return found;
}

/**
 * What differs: fields of another type, fields that the recorded answer does not have, and recorded ones that are missing.
 * @param beside fields that the service documents as optional, so that one side may have them alone
 */
export function differences(own: unknown, recorded: unknown, beside: readonly string[]): string[] {
	const [ours, theirs] = [shapeOf(own), shapeOf(recorded)];
	const isOptional = (path: string) =>
		beside.some((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
	const faults: string[] = [];
	for (const [path, types] of ours) {
		if (isOptional(path)) continue;
		const recordedTypes = theirs.get(path);
		if (!recordedTypes) faults.push(`${path} is not in the recorded answer`);
		else
			for (const type of types)
				if (!recordedTypes.has(type)) faults.push(`${path} is ${type}, recorded ${[...recordedTypes]}`);
	}
	for (const path of theirs.keys()) if (!ours.has(path) && !isOptional(path)) faults.push(`${path} is missing`);
	return faults;
}
