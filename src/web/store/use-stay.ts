import { useEffect, useState } from 'react';
import { type Figures, keepStay, type Stay } from '#web/store/play-time.ts';
import { everyMs } from '#web/store/server-clock.ts';

const everyLook = everyMs(15_000);

/** The player's stay, which goes on while the page is seen. @param figures those from which a new stay counts */
export function useStay(userId: string, figures: Figures): [stay: Stay, setStay: (stay: Stay) => void] {
	const [stay, setStay] = useState(() => keepStay(userId, figures));
	useEffect(() => {
		const look = () => {
			if (!document.hidden) setStay(keepStay(userId, figures));
		};
		look();
		return everyLook(look);
	}, [userId, figures]);
	return [stay, setStay];
}
