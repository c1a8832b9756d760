/**
 * A release of two files, for servers in production: one reads and hashes its release twice as it starts, and the whole one
 * takes more CPU than the tests.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns its folder, which goes away with the test run */
export function smallRelease(): string {
	const root = mkdtempSync(join(tmpdir(), 'backlay-release-'));
	mkdirSync(join(root, 'src'));
	writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '1.2.3' }));
	writeFileSync(join(root, 'src/main.ts'), 'start();\n');
	return root;
}
