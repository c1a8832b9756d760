/**
 * `npm run log-witness -- URL|FOLDER --name NAME --state FOLDER [--key KEY]`: a witness of a public log. It looks at the
 * newest checkpoint, and signs it with a key of its own if it continues the one that it signed before (C2SP
 * tlog-cosignature). FOLDER keeps that key, the witness's last checkpoint with both signatures, and the log's key, which
 * is taken at the first look unless it is given. Prints one JSON line, and exits with 1 without a signature if the log has
 * two histories. It is run again and again, by a timer.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkpointText, readCheckpoint } from '../src/public-log/checkpoint.ts';
import {
	cosignatureBytes,
	cosignedText,
	signatureLine,
	type VerifierKey,
	verifierKeyText,
} from '../src/public-log/signed-note.ts';
import { continues } from '../src/public-log/verify-log.ts';
import { CHECKPOINT_FILE, KEY_FILE, logSource } from './log-source.ts';
import { failureOf } from './own-database.ts';

const WITNESS_KEY_FILE = 'witness-key.pem';
const KEY_BYTES = 32;

async function textIn(folder: string, file: string): Promise<string | null> {
	try {
		return await readFile(join(folder, file), 'utf8');
	} catch (error) {
		if ((error as { code?: string }).code === 'ENOENT') return null;
		throw error;
	}
}

async function replace(folder: string, file: string, text: string): Promise<void> {
	await writeFile(join(folder, `${file}.new`), text, { mode: 0o600, flush: true });
	await rename(join(folder, `${file}.new`), join(folder, file));
}

/** The witness's own key, made at its first look. */
async function ownKey(folder: string): Promise<KeyObject> {
	const pem = await textIn(folder, WITNESS_KEY_FILE);
	if (pem !== null) return createPrivateKey(pem);
	const { privateKey } = generateKeyPairSync('ed25519');
	await replace(folder, WITNESS_KEY_FILE, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
	return privateKey;
}

/**
 * @param folder the witness's own
 * @param given the log's key; null for that of the first look
 * @throws Error if the log does not continue what was signed before
 */
export async function lookAsWitness(from: string, name: string, folder: string, given: string | null): Promise<object> {
	await mkdir(folder, { recursive: true });
	const known = (await textIn(folder, KEY_FILE))?.trim() ?? null;
	if (known !== null && given !== null && known !== given) throw new Error('The key is not the one of the first look.');
	const { read, key } = await logSource(from, given ?? known);
	const note = Buffer.from(await read(CHECKPOINT_FILE)).toString();
	const checkpoint = readCheckpoint(note, key);
	const signed = await textIn(folder, CHECKPOINT_FILE);
	const before = signed === null ? null : readCheckpoint(signed, key);
	if (before && !(await continues(read, before, checkpoint)))
		throw new Error(
			`The log of ${checkpoint.size} leaves does not continue the one of ${before.size} that was signed.`,
		);
	const privateKey = await ownKey(folder);
	const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
	const witness: VerifierKey = { name, kind: 'witness', publicKey };
	const text = checkpointText(checkpoint);
	const atSeconds = Math.floor(Date.now() / 1_000);
	const bytes = cosignatureBytes(atSeconds, sign(null, Buffer.from(cosignedText(text, atSeconds)), privateKey));
	await replace(folder, KEY_FILE, `${verifierKeyText(key)}\n`);
	await replace(folder, CHECKPOINT_FILE, `${note}${signatureLine(witness, bytes)}`);
	return { witness: verifierKeyText(witness), origin: checkpoint.origin, size: checkpoint.size };
}

async function run(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { name: { type: 'string' }, state: { type: 'string' }, key: { type: 'string' } },
		allowPositionals: true,
	});
	const [from] = positionals;
	const { name, state, key = null } = values;
	if (from === undefined || name === undefined || state === undefined) {
		console.error('npm run log-witness -- URL|FOLDER --name NAME --state FOLDER [--key KEY]');
		process.exit(2);
	}
	try {
		console.log(JSON.stringify(await lookAsWitness(from, name, state, key)));
	} catch (error) {
		console.error(failureOf(error));
		process.exitCode = 1;
	}
}

if (import.meta.main) await run();
