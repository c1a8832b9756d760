/**
 * `npm run --silent release-sign -- --name NAME [--key FILE] [--digest HEX]` signs the release in this folder: its version
 * and the digest of its files, in `release.json` beside them. FILE has the approver's Ed25519 key as PEM; without it
 * RELEASE_SIGNING_KEY has that text. With the digest that was approved it signs no other. A second approver signs after
 * the first; a file of another release is replaced.
 *
 * `-- --new-key FILE --name NAME` makes a key instead, and prints what RELEASE_KEYS says of the approver. `-- --check`
 * looks at the signatures as a start with RELEASE_KEYS does, and ends with 1 if it would be refused. `--folder FOLDER` is
 * another release than this one.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import {
	ApproversSetting,
	publicPart,
	RELEASE_FILE,
	releaseIn,
	type SignedRelease,
	signedBy,
	signedReleaseIn,
	signersOf,
} from '#server/process/health/release-approval.ts';
import { synced } from './durable-file.ts';

const { values: options } = parseArgs({
	options: {
		name: { type: 'string' },
		key: { type: 'string' },
		digest: { type: 'string' },
		'new-key': { type: 'string' },
		check: { type: 'boolean', default: false },
		folder: { type: 'string', default: join(import.meta.dirname, '..') },
	},
});
const root = resolve(options.folder);

async function makeKey(name: string, file: string): Promise<void> {
	const { privateKey } = generateKeyPairSync('ed25519');
	// A key that is there is never overwritten.
	const text = privateKey.export({ format: 'pem', type: 'pkcs8' });
	await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true });
	console.log(`${name}:${publicPart(privateKey)}`);
}

async function check(): Promise<void> {
	const approvers = v.parse(ApproversSetting, process.env['RELEASE_KEYS'] ?? '');
	const release = await releaseIn(root);
	const signers = signersOf(release, await signedReleaseIn(root), approvers);
	console.log(`${release.version} with the digest ${release.digest} is signed by ${signers.join(' and ')}.`);
}

async function signRelease(name: string): Promise<void> {
	const pem = options.key === undefined ? process.env['RELEASE_SIGNING_KEY'] : await readFile(options.key, 'utf8');
	if (!pem) throw new Error('Name the file of your key with --key, or set RELEASE_SIGNING_KEY.');
	const key = createPrivateKey(pem);
	publicPart(key);
	const release = await releaseIn(root);
	if (options.digest !== undefined && options.digest !== release.digest)
		throw new Error(`Nothing was signed: the digest of this release is ${release.digest}.`);
	const before = await signedReleaseIn(root);
	const isSame = before !== null && before.digest === release.digest && before.version === release.version;
	const signed = signedBy(isSame ? before : { ...release, signatures: [] }, name, key, new Date().toISOString());
	await writeSigned(signed);
	const names = signed.signatures.map((each) => each.name);
	console.log(`${release.version} with the digest ${release.digest} is signed by ${names.join(' and ')}.`);
}

/** Whole or not at all. */
async function writeSigned(signed: SignedRelease): Promise<void> {
	const file = join(root, RELEASE_FILE);
	await writeFile(`${file}.new`, `${JSON.stringify(signed, null, '\t')}\n`, { flush: true });
	await rename(`${file}.new`, file);
	await synced(root);
}

try {
	const { name, 'new-key': newKey } = options;
	if (options.check) await check();
	else if (name === undefined) throw new Error('Name the approver with --name.');
	else if (newKey !== undefined) await makeKey(name, newKey);
	else await signRelease(name);
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
