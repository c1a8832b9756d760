/** The state of the connection in words for the player: lost, or no network at all. Prices are paused by channel. */

import { create } from 'zustand';
import { hub, useHub } from '#web/live/hub.ts';
import type { HubState } from '#web/live/hub-connection.ts';

/** A connection that drops for a moment is not worth a word. */
const LOST_GRACE_MS = 2500;
/** A slow phone takes some seconds to make a connection, at the first screen and after each log-in. */
const MAKING_GRACE_MS = 10_000;

export interface ConnectionState {
	/** There is no connection, although there was time enough to make one. */
	lost: boolean;
	/** False when the device itself has no network. */
	online: boolean;
}

export const useConnection = create<ConnectionState>(() => ({ lost: false, online: true }));

let timer: ReturnType<typeof setTimeout> | undefined;

function follow(state: HubState): void {
	clearTimeout(timer);
	if (state === 'Connected') useConnection.setState({ lost: false });
	else {
		const graceMs = state === 'Reconnecting' ? LOST_GRACE_MS : MAKING_GRACE_MS;
		timer = setTimeout(() => useConnection.setState({ lost: true }), graceMs);
	}
}

/** Called once by the site's entry. */
export function watchConnection(): void {
	useHub.subscribe(({ state }, before) => {
		if (state !== before.state) follow(state);
	});
	const onNetwork = () => {
		const online = navigator.onLine;
		useConnection.setState({ online });
		if (online) follow(useHub.getState().state);
		else hub.distrust();
	};
	globalThis.addEventListener('online', onNetwork);
	globalThis.addEventListener('offline', onNetwork);
	if (!navigator.onLine) onNetwork();
}
