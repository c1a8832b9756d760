/** Where the tools read a public log: a server's address, or a folder with its files, as a mirror has them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVerifierKey, type VerifierKey } from '../src/public-log/signed-note.ts';
import type { ReadFile } from '../src/public-log/verify-log.ts';

/** In a mirror, beside the checkpoint: the key that it was checked with. */
export const KEY_FILE = 'key';
export const CHECKPOINT_FILE = 'checkpoint';

export interface LogSource {
	read: ReadFile;
	/** The key that was given, or else the one that the source itself names. */
	key: VerifierKey;
	/** Whether the key is the source's own word. */
	isKeyGiven: boolean;
}

const isAddress = (from: string): boolean => /^https?:\/\//.test(from);

async function fetched(address: string): Promise<Uint8Array> {
	const response = await fetch(address);
	if (!response.ok) throw new Error(`${address} answers ${response.status}.`);
	return new Uint8Array(await response.arrayBuffer());
}

/**
 * @param from an address of a site, such as https://example.com for its newest log; of a log, with /public-log/1; or a folder
 * @param given the key as the log publishes it; null takes the source's word
 */
export async function logSource(from: string, given: string | null): Promise<LogSource> {
	const at = isAddress(from) ? await addressOf(from, given) : await folderOf(from, given);
	return { read: at.read, key: parseVerifierKey(at.key), isKeyGiven: given !== null };
}

async function folderOf(folder: string, given: string | null) {
	const read: ReadFile = (path) => readFile(join(folder, path));
	return { read, key: given ?? (await readFile(join(folder, KEY_FILE), 'utf8')).trim() };
}

interface Published {
	log: number;
	key: string;
}

async function addressOf(from: string, given: string | null) {
	const [, site = '', number] = /^(.*?)\/?(?:\/public-log\/(\d+)\/?)?$/.exec(from) ?? [];
	const logs = JSON.parse(Buffer.from(await fetched(`${site}/public-log/logs.json`)).toString()) as Published[];
	const log = number === undefined ? logs[0] : logs.find((each) => each.log === Number(number));
	if (!log) throw new Error(`${from} has no such public log.`);
	const read: ReadFile = (path) => fetched(`${site}/public-log/${log.log}/${path}`);
	return { read, key: given ?? log.key };
}
