/** Follows the hub and the device's network, so that the player is told when the connection is lost. */

import { useConnection } from '#web/live/connection.ts';
import { hub, useHub } from '#web/live/hub.ts';
import type { HubState } from '#web/live/hub-connection.ts';

/** A connection that drops for a moment is not worth a word. */
const LOST_GRACE_MS = 2500;
/** A slow phone takes some seconds to make a connection, at the first screen and after each log-in. */
const MAKING_GRACE_MS = 10_000;

let timer: ReturnType<typeof setTimeout> | undefined;

function follow(state: HubState): void {
	clearTimeout(timer);
	if (state === 'Connected') useConnection.setState({ lost: false });
	else {
		const graceMs = state === 'Reconnecting' ? LOST_GRACE_MS : MAKING_GRACE_MS;
		timer = setTimeout(() => useConnection.setState({ lost: true }), graceMs);
	}
}

/** Called once, before the hub is started. */
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
