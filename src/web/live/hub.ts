/** The site's one hub connection, and its state for React. */

import { create } from 'zustand';
import type { Channel, ClientRegistration } from '#contract/hub-messages.ts';
import { call } from '#web/api/client.ts';
import { serverAddress } from '#web/api/server-address.ts';
import { readStored } from '#web/api/storage.ts';
import { browserName } from '#web/live/browser-name.ts';
import { HubConnection, type HubState } from '#web/live/hub-connection.ts';
import { livePrices, setImageRequest } from '#web/live/prices/live-prices.ts';
import { makeSignalrWire } from '#web/live/signalr-wire.ts';
import { useBrand } from '#web/store/brand.ts';
import { channels } from '#web/store/channels.ts';
import { hearServerTime } from '#web/store/server-clock.ts';
import { dropDeadLogin, isLoggedIn } from '#web/store/session.ts';

export const useHub = create<{ state: HubState }>(() => ({ state: 'Disconnected' }));

/** What the server knows this connection by. */
let registeredToken = '';

function registration(): ClientRegistration {
	registeredToken = readStored('accessToken') ?? '';
	return {
		Browser: browserName(navigator.userAgent),
		Domain: location.origin,
		CurrentPage: location.href,
		Token: registeredToken,
	};
}

/** A dead token makes this call answer 401, which ends the login; anything else leaves it as it is. */
function askWhetherLoginLives(): void {
	if (isLoggedIn()) void call('getUserInfo', {}).catch(() => undefined);
}

/** The server ended the login of the connection; another tab may have stored another player's since. */
export function endLoginOfHub(): void {
	if (readStored('accessToken') === registeredToken) dropDeadLogin();
	else askWhetherLoginLives();
}

const marketIdOf = (channel: Channel): string | null => /^market:(.*)/.exec(channel)?.[1] ?? null;

const hubUrl = (): string => useBrand.getState().setting?.hubUrl || `${serverAddress()}/hub`;

export const hub = new HubConnection({
	channels,
	makeWire: () => makeSignalrWire(hubUrl()),
	registration,
	onState: (state) => useHub.setState({ state }),
	onServerTime: hearServerTime,
	// A hidden page draws no frames.
	atFrame: (send) => void (document.hidden ? setTimeout(send) : requestAnimationFrame(send)),
	onUnproved: (unproved) => livePrices.unprove(unproved.flatMap((channel) => marketIdOf(channel) ?? [])),
	onRefused: askWhetherLoginLives,
	log: (what, failure) => console.warn(`hub: ${what}`, failure),
});

setImageRequest((marketId) => hub.askImage([`market:${marketId}`]));
