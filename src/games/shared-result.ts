/** The result of a shared round from what is published of it, for everybody who verifies one. */
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { type CrashRound, crashCents } from '#games/crash/crash-result.ts';
import type { CrashGame, TableGame } from '#games/game.ts';
import { resultOf } from '#games/round-result.ts';
import { sharedClientSeed } from '#games/seeded-words.ts';

export interface PublishedRound extends CrashRound {
	/** Of the chain, 64 hexadecimal digits. */
	hash: string;
	round: number;
	/** What the beacon published; null in a chain without a beacon. */
	signature: string | null;
}

/** The seeds of a dealt table's draws. */
export const drawSeeds = ({ hash, signature, salt, bettorSeeds, round }: Omit<PublishedRound, 'returnPercent'>) => ({
	serverSeed: resultHash(hash, signature),
	clientSeed: sharedClientSeed(salt, bettorSeeds),
	nonce: round,
});

/** In the shape in which the game publishes it. */
export function sharedOutcome(game: CrashGame | TableGame, published: PublishedRound): unknown {
	const { hash, signature } = published;
	if (game.kind === 'crash') return { cents: crashCents({ ...published, hash: resultHash(hash, signature) }) };
	return resultOf(game, drawSeeds(published), { choice: '', actions: [] }).outcome;
}
