/**
 * The approval of a release: GLI-19, B.8. `release.json` beside the program has its version and the digest of its files,
 * signed by approvers with Ed25519 keys of their own. A process that knows the approvers starts with a release that two of
 * them signed, and with no other.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { releaseVersion } from '#server/platform/machine/release-version.ts';
import { type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { digestOf, type Hashes, hashesIn } from '#server/process/health/release-files.ts';

export const RELEASE_FILE = 'release.json';
const NEEDED = 2;

/** What is signed: the version, and the digest of the list of files. */
interface Release {
	version: string;
	digest: string;
}

export interface Approver {
	name: string;
	/** The public key: its 32 bytes, base64url. */
	key: string;
}

const ApproverName = v.pipe(v.string(), v.regex(/^[\w.-]{1,40}$/, 'A name has letters, digits, “_”, “.” and “-”.'));

const ReleaseFile = v.strictObject({
	version: v.string(),
	digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
	signatures: v.array(
		v.strictObject({ name: ApproverName, signedAt: v.pipe(v.string(), v.isoTimestamp()), signature: v.string() }),
	),
});
export type SignedRelease = v.InferOutput<typeof ReleaseFile>;

/** `NAME:KEY`, with commas between; empty for none. */
export const ApproversSetting = v.pipe(
	v.string(),
	v.regex(/^([\w.-]{1,40}:[\w-]{43}(,|$))*$/, 'RELEASE_KEYS must be name:key, with commas between.'),
	v.transform((text): Approver[] =>
		text
			.split(',')
			.filter((pair) => pair !== '')
			.map((pair) => {
				const [name, key] = pair.split(':') as [string, string];
				return { name, key };
			}),
	),
	v.check(
		(approvers) => approvers.length === 0 || approvers.length >= NEEDED,
		`RELEASE_KEYS must name at least ${NEEDED} approvers.`,
	),
	v.check(
		(approvers) =>
			new Set(approvers.map(({ name }) => name)).size === approvers.length &&
			new Set(approvers.map(({ key }) => key)).size === approvers.length,
		'RELEASE_KEYS must have another name and another key for each approver.',
	),
);

/** What an approver signs; `printf` and `openssl` make and check it without this program, as RUNBOOK says. */
const signedBytes = ({ version, digest }: Release, name: string, signedAt: string): Buffer =>
	Buffer.from(`backlay release\n${version}\n${digest}\n${name}\n${signedAt}\n`);

/** @param name of the approver, whose earlier signature of the same release gives way. @throws Error for another name */
export function signedBy(release: SignedRelease, name: string, key: KeyObject, signedAt: string): SignedRelease {
	const signature = sign(null, signedBytes(release, v.parse(ApproverName, name), signedAt), key).toString('base64');
	const others = release.signatures.filter((each) => each.name !== name);
	return { ...release, signatures: [...others, { name, signedAt, signature }] };
}

/** The public key as RELEASE_KEYS has it. @throws Error if it is of another kind */
export function publicPart(privateKey: KeyObject): string {
	const { crv, x } = createPublicKey(privateKey).export({ format: 'jwk' });
	if (crv !== 'Ed25519' || x === undefined) throw new Error('The key has to be one of Ed25519.');
	return x;
}

/** @param hashes of the files below the root */
export async function releaseOf(root: string, hashes: Hashes): Promise<Release> {
	return { version: await releaseVersion(root), digest: digestOf(hashes) };
}

/** Reads the files below the root. */
export async function releaseIn(root: string): Promise<Release> {
	return await releaseOf(root, await hashesIn(root));
}

/** @returns null where there is no such file. @throws Error if it has another form */
export async function signedReleaseIn(root: string): Promise<SignedRelease | null> {
	let text: string;
	try {
		text = await readFile(join(root, RELEASE_FILE), 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
	try {
		return v.parse(ReleaseFile, JSON.parse(text));
	} catch (error) {
		throw new Error(`${RELEASE_FILE} cannot be read: ${(error as Error).message}`, { cause: error });
	}
}

/**
 * The approvers that signed exactly this release, in their order. Signatures of other names do not count.
 * @throws Error in words for operators if they are fewer than two, a signature is wrong, or another release was signed
 */
export function signersOf(release: Release, signed: SignedRelease | null, approvers: readonly Approver[]): string[] {
	if (signed === null) throw new Error(`The release is not signed: ${RELEASE_FILE} is missing.`);
	if (signed.digest !== release.digest || signed.version !== release.version)
		throw new Error(
			`${RELEASE_FILE} is of another release: ${signed.version} with the digest ${signed.digest} was signed, and the files of this one are ${release.version} with the digest ${release.digest}. Install the release that was signed.`,
		);
	for (const { name, signedAt, signature } of signed.signatures) {
		const approver = approvers.find((each) => each.name === name);
		if (!approver) continue;
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: approver.key }, format: 'jwk' });
		if (!verify(null, signedBytes(release, name, signedAt), key, Buffer.from(signature, 'base64')))
			throw new Error(`The signature of ${name} in ${RELEASE_FILE} is wrong.`);
	}
	const signers = approvers
		.map(({ name }) => name)
		.filter((name) => signed.signatures.some((each) => each.name === name));
	if (signers.length < NEEDED)
		throw new Error(
			`A release needs the signatures of ${NEEDED} approvers, and ${RELEASE_FILE} has ${signers.length === 0 ? 'none' : `that of ${signers.join(' and ')} alone`}.`,
		);
	return signers;
}

/** @param release null while the program is developed */
export function approvalCheck(release: { version: string; signers: readonly string[] | null } | null): HealthCheck {
	if (release === null) return ok('release', 'A release is signed in production.');
	const { version, signers } = release;
	if (signers !== null) return ok('release', `Release ${version} is signed by ${signers.join(' and ')}.`);
	return warning(
		'release',
		`Release ${version} is not signed: RELEASE_KEYS names no approvers.`,
		'Let two people sign it, and set RELEASE_KEYS, as RUNBOOK, “Sign a release”, says.',
	);
}
