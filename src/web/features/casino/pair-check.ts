/** All rounds with one pair of seeds, recomputed in the browser. */
import { gameOf } from '#games/all-games.ts';
import { type NonceFaults, nonceFaults, type Standing, standingOf, type WitnessedPair } from '#games/pair-proof.ts';
import { resultOf } from '#games/round-result.ts';
import type { CasinoRecord, CasinoSeeds } from '#web/store/casino-queries.ts';

export interface RevealedPair extends CasinoSeeds {
	serverSeed: string;
}

export const isRevealed = (seeds: CasinoSeeds): seeds is RevealedPair => seeds.serverSeed !== null;

export interface CheckedPair extends NonceFaults {
	standing: Standing;
	checked: number;
	/** The numbers of rounds whose seeds give another result. */
	wrong: string[];
}

function givesItsResult(round: CasinoRecord, { serverSeed, clientSeed }: RevealedPair): boolean {
	const game = gameOf(round.game);
	if (!game || game.kind === 'crash' || round.nonce === null) return false;
	// Its stake was returned before anything was decided: there is no result to compare.
	if (round.state === 'VOID') return true;
	const seeds = { serverSeed, clientSeed, nonce: round.nonce };
	try {
		const { result } = resultOf(game, seeds, { choice: round.bets[0]?.bet ?? '', actions: round.actions });
		return result === round.result;
	} catch {
		return false;
	}
}

/** @param witnessed this browser's note from before the client seed was given */
export function checkPair(
	rounds: readonly CasinoRecord[],
	seeds: RevealedPair,
	witnessed: WitnessedPair | null,
): CheckedPair {
	const nonces = rounds.flatMap(({ nonce }) => nonce ?? []);
	return {
		standing: standingOf(seeds, witnessed),
		checked: rounds.length,
		wrong: rounds.filter((round) => !givesItsResult(round, seeds)).map(({ roundId }) => roundId),
		...nonceFaults(nonces, seeds.rounds),
	};
}

/** The same rounds as lines for `npm run fair -- verify`. */
export const pairLines = (
	rounds: readonly CasinoRecord[],
	{ pair, rule, clientSeed, serverSeed, commitment, rounds: count }: RevealedPair,
	witnessed: WitnessedPair | null,
): string =>
	rounds
		.map(({ game, bets, actions, nonce, result, state }) => {
			const played = { game, choice: bets[0]?.bet ?? '', actions, nonce, ...(state === 'VOID' ? {} : { result }) };
			const note = witnessed && { commitment: witnessed.commitment, clientSeed: witnessed.clientSeed };
			return JSON.stringify({
				...played,
				pair,
				rule,
				clientSeed,
				serverSeed,
				commitment,
				rounds: count,
				witnessed: note,
			});
		})
		.join('\n');
