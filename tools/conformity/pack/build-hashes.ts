/** The hashes of the build: of every file of the release, and of the list, as the running server computes it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { digestOf, hashesIn } from '#server/process/health/release-files.ts';
import { ROOT } from '../test-run.ts';

const RELEASE = (createRequire(import.meta.url)(join(ROOT, 'package.json')) as { version: string }).version;

/** @returns the digest, and the list in the form of sha256sum */
export async function buildHashes(): Promise<{ digest: string; list: string; words: string }> {
	const hashes = await hashesIn(ROOT);
	const digest = digestOf(hashes);
	const list = [...hashes].map(([path, hash]) => `${hash}  ${path}\n`).join('');
	const words = `Release ${RELEASE} on Node ${process.version}: ${hashes.size} files, SHA-256 of their list \`${digest}\`. \`/ready\` of a server of this release shows the same digest.`;
	return { digest, list, words };
}
