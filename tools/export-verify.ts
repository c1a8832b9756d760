/**
 * `npm run export-verify -- FILE --key KEY|URL`: checks the sealed export of a market: that the key of the house's public
 * log signed its manifest, and that its records are those of the manifest. With an address the key is the one that the
 * log there publishes. Prints one JSON line, and exits with 1 and what is wrong otherwise.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { verifyExport } from '../src/public-log/market-export.ts';
import { parseVerifierKey, type VerifierKey } from '../src/public-log/signed-note.ts';
import { logSource } from './log-source.ts';
import { failureOf } from './own-database.ts';

/** @throws Error with what is wrong */
const keyOf = async (given: string): Promise<VerifierKey> =>
	/^https?:/.test(given) ? (await logSource(given, null)).key : parseVerifierKey(given);

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
const [file, ...more] = positionals;
if (!file || more.length > 0 || !values.key) {
	process.stderr.write('export-verify FILE --key KEY|URL\n');
	process.exit(2);
}
try {
	const manifest = verifyExport(await readFile(file, 'utf8'), await keyOf(values.key));
	process.stdout.write(`${JSON.stringify({ ok: true, ...manifest })}\n`);
} catch (error) {
	process.stdout.write(`${JSON.stringify({ ok: false, wrong: failureOf(error) })}\n`);
	process.exitCode = 1;
}
