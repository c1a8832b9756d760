/** Whether prices can be trusted: the hub's connection may drop for a moment, but not for longer than a price lives. */

import { create } from 'zustand';
import { useHub } from '#web/live/hub.ts';

const GRACE_MS = 2500;

export interface ConnectionState {
	/** Stale prices are shown as such and cannot be bet on. */
	stale: boolean;
	/** False when the device itself has no network. */
	online: boolean;
}

export const useConnection = create<ConnectionState>(() => ({ stale: false, online: true }));

let timer: ReturnType<typeof setTimeout> | undefined;

function follow(connected: boolean): void {
	clearTimeout(timer);
	if (connected) useConnection.setState({ stale: false });
	else timer = setTimeout(() => useConnection.setState({ stale: true }), GRACE_MS);
}

/** Called once by the site's entry. */
export function watchConnection(): void {
	useHub.subscribe(({ state }, before) => {
		const connected = state === 'Connected';
		if (connected !== (before.state === 'Connected') || state === 'Connecting') follow(connected);
	});
	const onNetwork = () => {
		const online = navigator.onLine;
		useConnection.setState({ online });
		// Without a network nothing new can come, however open the connection still looks.
		if (!online) useConnection.setState({ stale: true });
		else follow(useHub.getState().state === 'Connected');
	};
	globalThis.addEventListener('online', onNetwork);
	globalThis.addEventListener('offline', onNetwork);
	if (!navigator.onLine) onNetwork();
}
