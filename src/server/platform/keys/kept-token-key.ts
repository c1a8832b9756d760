/**
 * The secret that a server generates at its first start and stores in its data folder, unless the environment names
 * one.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEAST_KEY, whyGuessable } from '#server/platform/keys/token-key.ts';

/**
 * The key that the first start generates, so that logins outlive a restart.
 * @param hasDatabase whether there is a database already: the key is made before it
 * @throws Error for a folder that cannot be used, for a file without a whole key, because what it signed could be forged,
 *   and for a database that had another key
 */
export function keptTokenKey(dataDir: string, hasDatabase = false): string {
	const file = join(dataDir, 'token.key');
	try {
		return wholeKey(file, readFileSync(file, 'utf8').trim());
	} catch (cause) {
		if (cause instanceof WrongKey) throw cause;
		if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(dataDir, cause);
		if (hasDatabase) throw lostKey(file);
		const key = randomKey();
		try {
			mkdirSync(dataDir, { recursive: true, mode: 0o700 });
			writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
		} catch (error) {
			throw unusable(dataDir, error);
		}
		return key;
	}
}

class WrongKey extends Error {}

const AGAIN = 'Put the file back from a backup, or set TOKEN_KEY to its text.';
const WHY = 'a new key opens no login, no personal data and no seal of the old one.';

/** An empty file is what a disk that was full, or lost its power, leaves. */
function wholeKey(file: string, key: string): string {
	if (key.length >= LEAST_KEY) return key;
	throw new WrongKey(
		`${file} has no key of at least ${LEAST_KEY} characters. ${AGAIN} Remove it only where no server has ever run: ${WHY}`,
	);
}

const lostKey = (file: string): Error =>
	new WrongKey(`There is a database, and no ${file}. ${AGAIN} None is made beside a database: ${WHY}`);

/** Of chance, one key in 4,000 looks like words, and as TOKEN_KEY it would be refused. */
function randomKey(): string {
	for (;;) {
		const key = randomBytes(32).toString('base64url');
		if (whyGuessable(key) === null) return key;
	}
}

const unusable = (dataDir: string, cause: unknown): Error =>
	new Error(`${dataDir} cannot be used as the data folder: ${(cause as Error).message}. Name another with DATA_DIR.`, {
		cause,
	});

/** The key from a server's first start. @throws Error with the expected place */
export function madeTokenKey(dataDir: string): string {
	if (existsSync(join(dataDir, 'token.key'))) return keptTokenKey(dataDir);
	throw new Error(
		`There is no token.key in ${dataDir}. Name the server's data folder with DATA_DIR, or set the keys that the server has.`,
	);
}
