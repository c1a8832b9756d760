/**
 * What a pair of seeds proves, and to whom: computed alike by the verify page and by `npm run fair`, from what the server
 * says now and from what the player noted before the client seed was given.
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

/** What the player noted before the client seed was given, and what was given. */
export interface WitnessedPair {
	commitment: string;
	clientSeed: string;
}

/**
 * proven: the server seed is the one that the player saw committed before there was a client seed.
 * unwitnessed: the server says that it announced the commitment before, and the player has no note of it.
 * old-rule: the server knew the client seed when it committed; it cannot have changed its seed during play, and can have
 * chosen it.
 * broken: the server seed is not the one that was committed to, or the client seed is not the player's.
 */
export type Standing = 'proven' | 'unwitnessed' | 'old-rule' | 'broken';

/** @param witnessed null when the player has no note of the pair */
export function standingOf(shown: ShownPair, witnessed: WitnessedPair | null): Standing {
	const commitment = commitmentOf(shown.serverSeed);
	if (commitment !== shown.commitment) return 'broken';
	if (!witnessed) return shown.rule === 1 ? 'old-rule' : 'unwitnessed';
	return witnessed.commitment === commitment && witnessed.clientSeed === shown.clientSeed ? 'proven' : 'broken';
}

/** Nonces count the rounds of a pair from zero: a skipped one may hide a result that the house did not like. */
export interface NonceFaults {
	missing: number[];
	repeated: number[];
}

/**
 * @param nonces of all rounds with a pair, in any order
 * @param rounds how many there were; null where the server does not say, so that the largest nonce is the last
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
