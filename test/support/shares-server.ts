/** Which files share the server of their worker: those that ask for it themselves, or for a scene on it. */
import { readFileSync } from 'node:fs';

const ASKED = /\b(?:sharedServer\(([^)]*)\)|Scene\.share\(\))/;

/** How the file asks for it, in its own words; null for a file that does not. Files with the same words want the same. */
export function askedServer(path: string): string | null {
	const found = ASKED.exec(readFileSync(path, 'utf8'));
	return found && (found[1] ?? '');
}
