/** One-click betting as the prices of this page follow it. */
import type { Minor } from '#values/money.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { useSession } from '#web/store/session.ts';

/** What a press on a price bets at once; null where it bets nothing by itself, as a visitor's never does. */
export function useOneClickStake(): Minor | null {
	const isPlayer = useSession(({ user }) => user !== null);
	const stake = usePreferences(({ oneClickStake }) => oneClickStake);
	return isPlayer ? stake : null;
}
