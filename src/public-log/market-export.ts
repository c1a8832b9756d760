/**
 * The sealed file of a market: a JSON line for each record, an empty line, and a signed note whose text is the manifest.
 * The manifest has the digest and the number of the records, so no line can be changed, added or left out.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isSignedBy, parseNote, type VerifierKey } from '#public-log/signed-note.ts';

/** The first line of what is signed, so that no other signature of the key fits. */
const EXPORT_HEADING = 'backlay market export v1';

export interface ExportManifest {
	marketId: string;
	exportedAt: string;
	exportedBy: string;
	/** Whether wallets of players are named. */
	hasPersons: boolean;
	/** Records by kind. */
	counts: Readonly<Record<string, number>>;
	/** Of the lines, each with its line break, hexadecimal digits. */
	sha256: string;
}

const END = '\n\n';

export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** What the key signs. */
export const signedText = (manifest: ExportManifest): string => `${EXPORT_HEADING}\n${JSON.stringify(manifest)}\n`;

/** @param lines each with its line break; @param signature the line of the signature */
export const exportFile = (lines: string, manifest: ExportManifest, signature: string): string =>
	`${lines}\n${signedText(manifest)}\n${signature}`;

/** @returns the manifest of a file that is whole; @throws Error with what is wrong */
export function verifyExport(file: string, key: VerifierKey): ExportManifest {
	const heading = `${END}${EXPORT_HEADING}\n`;
	const at = file.lastIndexOf(heading);
	if (at < 0) throw new Error('This is no export of a market.');
	const lines = file.slice(0, at + 1);
	const note = parseNote(file.slice(at + END.length));
	if (!isSignedBy(note, key)) throw new Error('The manifest is not signed by this key.');
	const manifest = JSON.parse(note.text.slice(EXPORT_HEADING.length + 1)) as ExportManifest;
	if (digestOf(lines) !== manifest.sha256) throw new Error('The records are not those of the manifest.');
	return manifest;
}
