/** The words of a round: HMAC-SHA-256 of client seed, nonce and block number, keyed with the server seed. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Words } from '#games/fair-draw.ts';

export interface RoundSeeds {
	/** The text of the server's seed; hexadecimal digits are not decoded. */
	serverSeed: string;
	clientSeed: string;
	nonce: number;
}

/** The client seed of a shared round. @param bettorSeeds of the first bettors; none in chains without a beacon, but in Crash */
export const sharedClientSeed = (salt: string, bettorSeeds: readonly string[]): string =>
	[salt, ...bettorSeeds].join(':');

const WORDS_IN_A_BLOCK = 8;

/** The commitment to a server seed, published before the seed is used. */
export const commitmentOf = (serverSeed: string): string => bytesToHex(sha256(utf8ToBytes(serverSeed)));

const blockOf = ({ serverSeed, clientSeed, nonce }: RoundSeeds, block: number): Uint8Array =>
	hmac(sha256, utf8ToBytes(serverSeed), utf8ToBytes(`${clientSeed}:${nonce}:${block}`));

/** The first blocks as hexadecimal digits, for a verifier who looks at each step. */
export const blocksOf = (seeds: RoundSeeds, count: number): string[] =>
	Array.from({ length: count }, (_, block) => bytesToHex(blockOf(seeds, block)));

/** Block i is HMAC-SHA-256(serverSeed, `clientSeed:nonce:i`), read as eight big-endian words. */
export function seededWords(seeds: RoundSeeds): Words {
	let block: DataView = new DataView(new ArrayBuffer(0));
	let used = 0;
	return () => {
		const word = used % WORDS_IN_A_BLOCK;
		if (word === 0) {
			const bytes = blockOf(seeds, used / WORDS_IN_A_BLOCK);
			block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		}
		used++;
		return block.getUint32(word * 4);
	};
}
