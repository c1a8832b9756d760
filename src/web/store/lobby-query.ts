/**
 * What the casino's lobby asks the server for; a log-in asks it, too, so it comes with the first screen. The list of games
 * is emptied at log-out with everything of the player's.
 */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import { writeStoredJson } from '#web/api/storage.ts';
import { fieldsIn, toWire } from '#web/api/units.ts';

/** The games, and what happens in them now. */
export const lobbyQuery = () =>
	queryOptions({
		queryKey: ['player', 'casino-games'],
		queryFn: async ({ signal }) => {
			const answer = await call('getCasinoGames', {}, { signal });
			writeStoredJson('games', toWire(answer.games, fieldsIn(FIRST_ANSWER_FIELDS.getCasinoGames, 'games')));
			return answer;
		},
		refetchInterval: 15_000,
	});
