/**
 * `npm run scenario -- FILE.json…`: runs market scenarios on the shipped engine and prints one JSON line for each.
 * Without a file it reads standard input. A scenario that asks for something the exchange does not offer prints
 * `{"error":{"code":"NOT_SUPPORTED",…}}`; one with an invalid form prints `VALIDATION_FAILED`.
 */
import { readFileSync } from 'node:fs';
import { lineFor } from './scenario-line.ts';

const files = process.argv.slice(2);
for (const file of files.length > 0 ? files : [0]) {
	const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
	for (const entry of Array.isArray(content) ? content : [content]) {
		process.stdout.write(`${JSON.stringify(lineFor(entry))}\n`);
	}
}
