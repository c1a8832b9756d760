/** The folder of a brand that moves: a file a table, the manifest, and the manifest's signature. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { logKeyOf } from '../../src/server/platform/keys/log-key.ts';
import { isSameSecret } from '../../src/server/platform/keys/same-secret.ts';
import type { SealKeys } from '../audit-check.ts';
import { digestOf, synced } from '../durable-file.ts';

const FORMAT = 1;
const MANIFEST = 'manifest.json';
/** Ed25519 over the bytes of the manifest, by the key of the public log; base64. */
const SIGNATURE = 'manifest.sig';

const Manifest = v.strictObject({
	format: v.literal(FORMAT),
	host: v.string(),
	/** When the snapshot was taken. */
	at: v.pipe(v.string(), v.isoTimestamp()),
	/** A server went on beside it: what the folder has is no longer the brand. */
	isRehearsal: v.boolean(),
	/** The last batch in it. */
	batch: v.number(),
	/** Names with their checksums. */
	migrations: v.record(v.string(), v.string()),
	/** Fingerprints of the keys without which the rows cannot be read or proved. */
	keys: v.strictObject({ token: v.string(), ledger: v.array(v.string()), data: v.array(v.string()) }),
	/** By table: the last number that the table gave to a row. */
	counters: v.record(v.string(), v.number()),
	files: v.record(v.string(), v.strictObject({ columns: v.array(v.string()), rows: v.number(), sha256: v.string() })),
});

export type BrandManifest = v.InferOutput<typeof Manifest>;

export const filePath = (folder: string, table: string): string => join(folder, `${table}.jsonl.gz`);

/** Resolves when manifest and signature are on the disk. */
export async function writeManifest(
	folder: string,
	content: Omit<BrandManifest, 'format'>,
	ledgerKey: string,
): Promise<BrandManifest> {
	const manifest = { format: FORMAT, ...content } as const;
	const text = `${JSON.stringify(manifest, null, '\t')}\n`;
	const files = { [MANIFEST]: text, [SIGNATURE]: `${logKeyOf(ledgerKey).sign(text).toString('base64')}\n` };
	for (const [name, bytes] of Object.entries(files)) {
		await writeFile(join(folder, name), bytes);
		await synced(join(folder, name));
	}
	return manifest;
}

/**
 * The manifest of a folder whose files are those that it names.
 * @param keys one of which signed it
 * @throws Error in words for an operator
 */
export async function readManifest(folder: string, { keys }: SealKeys): Promise<BrandManifest> {
	const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
	if (text === null) throw new Error(`${folder} has no ${MANIFEST}, which an export writes last.`);
	const signature = await readFile(join(folder, SIGNATURE), 'utf8').catch(() => '');
	// The same key signs the same text alike.
	const isSigned = [...keys.values()].some((key) =>
		isSameSecret(logKeyOf(key).sign(text).toString('base64'), signature.trim()),
	);
	if (!isSigned)
		throw new Error(`No key of this server signed ${folder}: set LEDGER_KEY, or TOKEN_KEY, as it was there.`);
	const manifest = v.parse(Manifest, JSON.parse(text));
	for (const [table, { sha256 }] of Object.entries(manifest.files)) {
		const path = filePath(folder, table);
		if ((await digestOf(path).catch(() => 'missing')) !== sha256)
			throw new Error(`${path} is not the file that the manifest names.`);
	}
	return manifest;
}
