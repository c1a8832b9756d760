/** The casino's queries besides its lobby. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { addressOf } from '#web/api/server-address.ts';
import { readStored } from '#web/api/storage.ts';
import type { AnswerOf, RequestOf } from '#web/api/units.ts';
import { lobbyQuery } from '#web/store/lobby-query.ts';

export type CasinoGameInfo = AnswerOf<'getCasinoGames'>['games'][number];
export type CasinoLive = AnswerOf<'getCasinoGames'>['live'];
export type CasinoRound = AnswerOf<'playRound'>['round'];
/** A round of the player's own, or a bet on a shared one. */
export type CasinoRecord = AnswerOf<'getRounds'>['items'][number];
export type CasinoSeeds = AnswerOf<'rotateSeeds'>['seeds'];
export type SeedRotation = AnswerOf<'rotateSeeds'>;

export const casinoGamesQuery = () => queryOptions({ ...lobbyQuery(), select: ({ games }) => games });

export type LaunchDoor = NonNullable<CasinoGameInfo['launch']>['door'];

/** The address of a provider's game: it is valid once, for a minute. */
export async function launchUrl(gameCode: string, door: LaunchDoor, signal: AbortSignal): Promise<string> {
	const asked = { casinoToken: readStored('casinoToken') ?? '', gameCode };
	const name = door === 'login' ? 'casinoLogin' : 'casinoToken';
	return (await call(name, asked, { signal })).url;
}

/** A game's description of itself. */
interface GameDefinition {
	rules: readonly string[];
}

/** The casino's host may belong to another party, so its answer is validated before it is shown. */
function isGameDefinition(value: unknown): value is GameDefinition {
	const rules = (value as Partial<GameDefinition> | null)?.rules;
	return Array.isArray(rules) && rules.every((rule) => typeof rule === 'string');
}

/** From the casino's host. Fails if there is none, or it answers something else. */
export const gameDefinitionQuery = (code: string) =>
	queryOptions({
		queryKey: ['game-definition', code],
		queryFn: async ({ signal }): Promise<GameDefinition> => {
			const response = await fetch(`${addressOf('casino')}/games/${encodeURIComponent(code)}.json`, { signal });
			if (!response.ok) throw new Error(`the definition of a game: ${response.status}`);
			const definition: unknown = await response.json();
			if (!isGameDefinition(definition)) throw new Error('the definition of a game has another shape');
			return definition;
		},
	});

export type GameMarks = AnswerOf<'getGameMarks'>;

/** The player's favourite games, and those that were opened last. */
export const gameMarksQuery = () =>
	queryOptions({
		queryKey: ['player', 'casino-marks'],
		queryFn: ({ signal }) => call('getGameMarks', {}, { signal }),
	});

export const openRoundsQuery = () =>
	queryOptions({
		queryKey: ['player', 'casino-open-rounds'],
		queryFn: async ({ signal }) => (await call('getOpenRounds', {}, { signal })).rounds,
		staleTime: 0,
		gcTime: 0,
	});

export const roundsQuery = (filter: RequestOf<'getRounds'>) =>
	queryOptions({
		queryKey: ['player', 'casino-rounds', filter],
		queryFn: ({ signal }) => call('getRounds', filter, { signal }),
		staleTime: 0,
	});

/** The player's last rounds of a game, newest first; requested whenever the game is opened. */
export const lastRoundsQuery = (game: string, count: number) =>
	queryOptions({ ...roundsQuery({ game, maxResultCount: String(count), skipCount: '0' }), gcTime: 0 });

export const seedsQuery = () =>
	queryOptions({
		queryKey: ['player', 'casino-seeds'],
		queryFn: ({ signal }) => call('getSeeds', {}, { signal }),
		staleTime: 0,
	});

/** The proof of a round of Crash. */
export const crashRoundQuery = (round: string) =>
	queryOptions({
		queryKey: ['crash-round', round],
		queryFn: ({ signal }) => call('getCrashRound', { round }, { signal }),
		staleTime: 0,
	});

/** The proof of a round of a table. */
export const tableRoundQuery = (game: string, round: string) =>
	queryOptions({
		queryKey: ['table-round', game, round],
		queryFn: ({ signal }) => call('getTableRound', { game, round }, { signal }),
		staleTime: 0,
	});

/** One of the player's rounds with its seeds. */
export const roundQuery = (roundId: string) =>
	queryOptions({
		queryKey: ['player', 'casino-round', roundId],
		queryFn: ({ signal }) => call('getRound', { roundId }, { signal }),
		staleTime: 0,
	});
