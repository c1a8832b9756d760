/** Material that stands beside the project. A clone elsewhere has none of it; what needs it is skipped there, with a notice. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared');

/**
 * @param path below the folder of shared material
 * @param skipped what is skipped without it, for the notice
 */
export function sharedFolder(path: string, skipped: string): { path: string; isPresent: boolean } {
	const whole = join(SHARED, path);
	const isPresent = existsSync(whole);
	if (!isPresent) console.warn(`There is no ${path} beside the project: ${skipped}.`);
	return { path: whole, isPresent };
}
