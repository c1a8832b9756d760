/** Seals the export of a market with the key of the public log. */
import { digestOf, type ExportManifest, exportFile, signedText } from '#public-log/market-export.ts';
import { signatureLine } from '#public-log/signed-note.ts';
import { logKeyOf } from '#server/platform/keys/log-key.ts';

/** @param lines the records, each with its line break; @returns the whole file, and the digest of its bytes */
export function sealedExport(
	ledgerKey: string,
	lines: string,
	about: Omit<ExportManifest, 'sha256'>,
): { file: string; sha256: string } {
	const manifest = { ...about, sha256: digestOf(lines) };
	const { name, publicKey, sign } = logKeyOf(ledgerKey);
	const signature = signatureLine({ name, kind: 'log', publicKey }, sign(signedText(manifest)));
	const file = exportFile(lines, manifest, signature);
	return { file, sha256: digestOf(file) };
}
