/**
 * The player's seeds as seen by this browser: the server's commitment from before the browser made or sent a client
 * seed. The notes prove a pair to its player, so they survive a log-out.
 */
import type { WitnessedPair } from '#games/pair-proof.ts';
import { call } from '#web/api/client.ts';
import { CallFailure } from '#web/api/failure.ts';
import { readStoredJson, writeStoredJson } from '#web/api/storage.ts';
import { type SeedRotation, seedsQuery } from '#web/store/casino-queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { useSession } from '#web/store/session.ts';

interface SeedNote extends WitnessedPair {
	playerId: string;
	pair: number;
}

/** The oldest are forgotten: their rounds are proven by files that were saved. */
const MOST_NOTES = 500;

const isNotes = (value: unknown): value is SeedNote[] =>
	Array.isArray(value) &&
	value.every(
		(note) =>
			typeof note?.commitment === 'string' && typeof note.clientSeed === 'string' && Number.isInteger(note.pair),
	);

const storedNotes = (): SeedNote[] => readStoredJson('seedNotes', isNotes) ?? [];
const isSame = (one: SeedNote, other: SeedNote): boolean =>
	one.playerId === other.playerId && one.pair === other.pair && one.clientSeed === other.clientSeed;

function keep(note: SeedNote): void {
	const others = storedNotes().filter((stored) => !isSame(stored, note));
	writeStoredJson('seedNotes', [...others, note].slice(-MOST_NOTES));
}
const drop = (note: SeedNote): void => {
	const others = storedNotes().filter((stored) => !isSame(stored, note));
	writeStoredJson('seedNotes', others);
};

const playerId = (): string => useSession.getState().user?.userId ?? '';

/** This browser's note of the logged-in player's pair; null if it was started elsewhere, or the note is gone. */
export function noteOf({ pair, clientSeed }: { pair: number; clientSeed: string }): WitnessedPair | null {
	const notes = storedNotes().filter((note) => note.playerId === playerId() && note.pair === pair);
	return notes.find((note) => note.clientSeed === clientSeed) ?? notes[0] ?? null;
}

/** 64 random bits as hexadecimal digits. */
function newClientSeed(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(8));
	return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Starts the pair whose commitment the page shows. The note is stored before the client seed is made and leaves the
 * browser.
 * @param chosen the player's own client seed; empty for a random one
 * @throws CallFailure SEEDS_REPLACED if another device was faster
 */
export async function beginSeeds(next: { pair: number; commitment: string }, chosen = ''): Promise<SeedRotation> {
	const { commitment, pair } = next;
	const note = { playerId: playerId(), pair, commitment, clientSeed: chosen || newClientSeed() };
	keep(note);
	try {
		return await call('rotateSeeds', { clientSeed: note.clientSeed, commitment });
	} catch (failure) {
		// The pair was started with another client seed, so this one proves nothing about it.
		if (failure instanceof CallFailure && failure.code === 'SEEDS_REPLACED') drop(note);
		throw failure;
	} finally {
		await queryClient.invalidateQueries({ queryKey: seedsQuery().queryKey });
	}
}

/** Gives a player without a pair the first one, from the commitment that the page shows. */
export async function beginFirstSeeds(): Promise<void> {
	const { seeds, next } = await queryClient.ensureQueryData(seedsQuery());
	if (!seeds) await beginSeeds(next);
}
