/** What watches the player's stay and asks at times of its own. */
import type { ReactElement } from 'react';
import { InstallOffer } from '#web/features/install/install-offer.tsx';
import { RealityCheck } from '#web/features/protection/reality-check.tsx';

export function Watchers(): ReactElement {
	return (
		<>
			<RealityCheck />
			<InstallOffer />
		</>
	);
}
