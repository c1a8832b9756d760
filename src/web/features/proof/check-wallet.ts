/** Checks in the player's browser that the wallet is among what the house owes, with the files of the public log alone. */
import { LogReader } from '#public-log/log-reader.ts';
import type { ReadFile } from '#public-log/verify-log.ts';
import { type CheckedWallet, checkWalletProof, type WalletOwner, type WalletProof } from '#public-log/wallet-proof.ts';
import type { WalletLeaves } from '#web/api/answers.ts';

/** What the player keeps: `npm run fair -- verify-wallet` checks it without the server. */
export interface SavedProof extends WalletOwner {
	proof: WalletProof;
	/** Of the log, as it was published then. */
	key: string;
}

/**
 * @param owner as the player knows it, and not as the answer says it
 * @param read reads a file below `/public-log/`
 * @throws Error if a file is missing, or the log is not signed
 */
export async function checkWallet(
	{ tree, leaves, place }: WalletLeaves,
	owner: WalletOwner,
	read: ReadFile,
): Promise<{ checked: CheckedWallet; saved: SavedProof }> {
	const log = await LogReader.open(read, place.log);
	const proof = { tree, leaves, log: await log.proofOf(place.entry, tree) };
	return { checked: checkWalletProof(proof, log.key, owner), saved: { proof, ...owner, key: log.key } };
}
