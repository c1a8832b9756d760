/** The window of the ladders has no frame: it asks the player what the frame asks, and follows the format of odds as the frame does. */
import type { ReactElement } from 'react';
import { LaddersScreen } from '#web/features/market/ladder/ladders-screen.tsx';
import { PlayerModals } from '#web/routes/player-modals.tsx';
import { usePreferences } from '#web/store/preferences.ts';

export function LaddersWindowScreen(): ReactElement {
	const odds = usePreferences(({ oddsFormat }) => oddsFormat);
	return (
		<>
			<LaddersScreen key={odds} />
			<PlayerModals />
		</>
	);
}
