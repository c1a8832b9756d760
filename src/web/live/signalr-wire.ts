/**
 * A SignalR connection with the interface of the hub's state machine; the library is loaded for the first connection.
 */

import type { HubEnvelope } from '#contract/hub-messages.ts';
import type { Wire } from '#web/live/hub-connection.ts';
import { pause } from '#web/pause.ts';

const SERVER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 15_000;

export async function makeSignalrWire(url: string): Promise<Wire> {
	const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
	// The library's own start and that of the connection are two tasks, between which a press is heard.
	await pause();
	const connection = new HubConnectionBuilder().withUrl(url).configureLogging(LogLevel.None).build();
	connection.serverTimeoutInMilliseconds = SERVER_TIMEOUT_MS;
	connection.keepAliveIntervalInMilliseconds = KEEP_ALIVE_MS;
	return {
		start: () => connection.start(),
		stop: () => connection.stop(),
		invoke: (method, argument) => connection.invoke(method, argument),
		onMessage: (listener) => connection.on('Message', (envelope: HubEnvelope) => listener(envelope)),
		onClose: (listener) => connection.onclose((reason) => listener(reason?.message ?? '')),
	};
}
