/** The player's favourite and recently opened games. A press is shown immediately; the server stores them. */
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { type GameMarks, gameMarksQuery } from '#web/store/casino-queries.ts';
import { inOrder, showChanged } from '#web/store/changes.ts';
import { showNotice } from '#web/store/notices.ts';
import { queryClient } from '#web/store/query-client.ts';
import { useSession } from '#web/store/session.ts';

const NONE: GameMarks = { favourites: [], recent: [] };
const { queryKey } = gameMarksQuery();

const marking = inOrder();
let pressed = 0;

async function mark(game: string, as: 'favourite' | 'none' | 'opened'): Promise<void> {
	pressed += 1;
	const press = pressed;
	const marks = await marking(() => call('markGame', { game, as }));
	// What was pressed since is shown already, and its own answer follows.
	if (press === pressed) await showChanged(queryKey, () => marks);
}

function toggleFavourite(code: string): void {
	const { favourites, recent } = queryClient.getQueryData(queryKey) ?? NONE;
	const isFavourite = favourites.includes(code);
	const others = favourites.filter((other) => other !== code);
	queryClient.setQueryData(queryKey, { favourites: isFavourite ? others : [...others, code], recent });
	mark(code, isFavourite ? 'none' : 'favourite').catch((failure: unknown) => {
		showNotice(messageOf(failure), 'error');
		void queryClient.invalidateQueries({ queryKey });
	});
}

/** A game that cannot be stored can be played nevertheless. */
export function markPlayed(code: string): void {
	mark(code, 'opened').catch(() => undefined);
}

/** @returns `isKnown` is false until the server has answered or failed, so that nothing moves at that time */
export function useGameMarks() {
	const isPlayer = useSession(({ user }) => user !== null);
	const { data, isError } = useQuery({ ...gameMarksQuery(), enabled: isPlayer });
	return { ...(data ?? NONE), isKnown: !isPlayer || data !== undefined || isError, toggleFavourite };
}
