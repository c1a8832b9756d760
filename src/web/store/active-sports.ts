/** Which sports are active: the brand's flag is on and, for a logged-in player, his own is too. */

import { useMemo } from 'react';
import { SPORTS } from '#values/sports.ts';
import { call } from '#web/api/client.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import { writeStoredJson } from '#web/api/storage.ts';
import { toWire } from '#web/api/units.ts';
import { useBrand } from '#web/store/brand.ts';
import { queryClient } from '#web/store/query-client.ts';
import { isLoggedIn, useSession } from '#web/store/session.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

type Sport = (typeof SPORTS)[number];
type Flags = Partial<Record<Sport['key'], boolean>> | null;

const active = (brand: Flags, player: Flags): Sport[] =>
	SPORTS.filter(({ key }) => (brand?.[key] ?? true) && (player?.[key] ?? true));

/** At this moment, outside React. */
export const activeSports = (): Sport[] => active(useBrand.getState().setting, useSession.getState().user);

export function useActiveSports(): readonly Sport[] {
	const setting = useBrand((state) => state.setting);
	const user = useSession((state) => state.user);
	return useMemo(() => active(setting, user), [setting, user]);
}

/** The active sports to choose from in a filter, and all of them first. */
export function useSportOptions(): { value: string; text: string }[] {
	const sports = useActiveSports();
	return [
		{ value: '', text: TEXTS.filters.everySport },
		...sports.map(({ id }) => ({ value: String(id), text: sportName(id) })),
	];
}

/** Asks for the lists again when a brand opens or closes a sport; returns the function that ends it. */
export function watchActiveSports(): () => void {
	const idsOf = (brand: Flags) =>
		active(brand, null)
			.map(({ id }) => id)
			.join();
	return useBrand.subscribe(({ setting }, before) => {
		if (idsOf(setting) === idsOf(before.setting)) return;
		for (const key of ['sport-tree', 'sport-events', 'closest', 'event-markets']) {
			void queryClient.invalidateQueries({ queryKey: [key] });
		}
	});
}

let asked = 0;

/** A restored login has the flags of an earlier day: requests the current ones. */
export async function loadPlayerSports(): Promise<void> {
	if (!isLoggedIn()) return;
	asked += 1;
	const ask = asked;
	try {
		const { football, tennis, cricket, kabaddi, horseRacing, trade } = await call('getUserInfo', {});
		// A later request tells of a later change.
		if (ask !== asked) return;
		const flags = { football, tennis, cricket, kabaddi, horseRacing, trade };
		useSession.setState(({ user }) => ({ user: user && { ...user, ...flags } }));
		const { user } = useSession.getState();
		if (user) writeStoredJson('userinfo', toWire(user, FIRST_ANSWER_FIELDS.getUserInfo));
	} catch {
		// The server refuses closed sports even if this page still shows them.
	}
}
