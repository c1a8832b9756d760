/**
 * The proof given by a pair of seeds: computed in the same way by the verify page and by `npm run fair`, from the
 * server's current answer and from the player's note made before giving the client seed.
 */
import { commitmentOf } from '#games/seeded-words.ts';

/** 1: the server knew the client seed when it committed. 2: the commitment was announced before the client seed was made. */
export type PairRule = 1 | 2;

/** A pair as the server shows it. */
interface ShownPair {
	rule: PairRule;
	clientSeed: string;
	commitment: string;
	serverSeed: string;
}

/** The player's note from before the client seed was given, and the client seed. */
export interface WitnessedPair {
	commitment: string;
	clientSeed: string;
}

/**
 * proven: the server seed matches the commitment that the player saw before there was a client seed. unwitnessed: the
 * server claims to have announced the commitment before, and the player has no note of it. old-rule: the server knew
 * the client seed when it committed; it cannot have changed its seed during play, but may have chosen it. broken: the
 * server seed does not match the commitment, or the client seed is not the player's.
 */
export type Standing = 'proven' | 'unwitnessed' | 'old-rule' | 'broken';

/** @param witnessed null if the player has no note of the pair */
export function standingOf(shown: ShownPair, witnessed: WitnessedPair | null): Standing {
	const commitment = commitmentOf(shown.serverSeed);
	if (commitment !== shown.commitment) return 'broken';
	if (!witnessed) return shown.rule === 1 ? 'old-rule' : 'unwitnessed';
	return witnessed.commitment === commitment && witnessed.clientSeed === shown.clientSeed ? 'proven' : 'broken';
}

/** Nonces count the rounds of a pair from zero: a skipped one may hide a suppressed result. */
export interface NonceFaults {
	missing: number[];
	repeated: number[];
}

/**
 * @param nonces of all rounds with a pair, in any order
 * @param rounds their number; null if the server does not report it, so that the largest nonce counts as the last
 */
export function nonceFaults(nonces: readonly number[], rounds: number | null): NonceFaults {
	const counts = Map.groupBy(nonces, (nonce) => nonce);
	const end = Math.max(rounds ?? 0, ...nonces.map((nonce) => nonce + 1));
	return {
		missing: Array.from({ length: end }, (_, nonce) => nonce).filter((nonce) => !counts.has(nonce)),
		repeated: [...counts]
			.flatMap(([nonce, same]) => (same.length > 1 ? [nonce] : []))
			.sort((one, other) => one - other),
	};
}
