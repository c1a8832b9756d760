/** Whether prices can be trusted: the hub's line may drop for a moment, but not for longer than a price lives. */

import { create } from 'zustand';
import { useHub } from '#web/store/hub.ts';

const GRACE_MS = 2500;

/** Stale prices are shown as such and cannot be bet on. */
export const useLine = create<{ stale: boolean }>(() => ({ stale: false }));

let timer: ReturnType<typeof setTimeout> | undefined;

function follow(connected: boolean): void {
	clearTimeout(timer);
	if (connected) useLine.setState({ stale: false });
	else timer = setTimeout(() => useLine.setState({ stale: true }), GRACE_MS);
}

useHub.subscribe(({ state }, before) => {
	const connected = state === 'Connected';
	if (connected !== (before.state === 'Connected') || state === 'Connecting') follow(connected);
});
