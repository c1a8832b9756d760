/** The official client on a test server's hub, with its received messages to be awaited by their content. */
import { HttpTransportType, HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import type { HubCode, HubEnvelope, HubMessages, Subscribed } from '#contract/hub-messages.ts';

interface Received<C extends HubCode = HubCode> {
	code: C;
	data: HubMessages[C];
}

/** How a client speaks; every combination must serve alike. */
export interface Way {
	transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
	protocol?: 'json' | 'messagepack';
	/** The connection outlives its line. */
	stateful?: boolean;
	/** Sent with every request, as a header or in the query. */
	accessToken?: string;
	/** As a proxy adds them. */
	headers?: Record<string, string>;
}

/** Server-Sent Events carry text only. */
export const EVERY_WAY: readonly Way[] = [
	{ transport: 'WebSockets', protocol: 'json' },
	{ transport: 'WebSockets', protocol: 'messagepack' },
	{ transport: 'WebSockets', protocol: 'json', stateful: true },
	{ transport: 'WebSockets', protocol: 'messagepack', stateful: true },
	{ transport: 'ServerSentEvents', protocol: 'json' },
	{ transport: 'LongPolling', protocol: 'json' },
	{ transport: 'LongPolling', protocol: 'messagepack' },
];

export const nameOfWay = ({ transport, protocol, stateful }: Way): string =>
	[transport, protocol, stateful ? 'stateful' : ''].filter(Boolean).join(' ');

/** Each transport, both protocols and a stateful line once. */
const MAIN_WAYS: ReadonlySet<string> = new Set([
	'WebSockets messagepack stateful',
	'ServerSentEvents json',
	'LongPolling messagepack',
]);

/** Of tests that go every way: `npm test` goes the main ones. */
export const tagsOf = (way: Way): 'thorough'[] => (MAIN_WAYS.has(nameOfWay(way)) ? [] : ['thorough']);

/** A connection of the official client that is not started yet. */
export function connectionOf(url: string, way: Way = {}): HubConnection {
	const { transport = 'WebSockets', protocol = 'json', stateful = false, accessToken, headers } = way;
	const builder = new HubConnectionBuilder()
		.withUrl(`${url}/hub`, {
			transport: HttpTransportType[transport],
			...(accessToken === undefined ? {} : { accessTokenFactory: () => accessToken }),
			...(headers === undefined ? {} : { headers }),
		})
		.configureLogging(LogLevel.None);
	if (protocol === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
	if (stateful) builder.withStatefulReconnect();
	return builder.build();
}

export class HubClient {
	readonly connection: HubConnection;
	readonly received: Received[] = [];
	#arrived: (() => void)[] = [];

	private constructor(connection: HubConnection) {
		this.connection = connection;
		connection.on('Message', ({ Code, Data }: HubEnvelope) => {
			this.received.push({ code: Code, data: JSON.parse(Data) });
			for (const wake of this.#arrived.splice(0)) wake();
		});
	}

	/** Connected and registered; an empty token is a visitor. */
	static async connect(url: string, token = '', way: Way = {}): Promise<HubClient> {
		const client = new HubClient(connectionOf(url, way));
		await client.connection.start();
		await client.register(token);
		return client;
	}

	/** @param MissedMs for how long it has heard nothing */
	register(token: string, MissedMs = 0): Promise<{ success: boolean; connectionId: string }> {
		return this.connection.invoke('RegisterClient', { ...registrationOf(token), MissedMs });
	}

	heartbeat(token: string): Promise<{ success: boolean; serverTime: string }> {
		return this.connection.invoke('SendHeartbeat', { ...registrationOf(token), GroupBy: 'http://localhost' });
	}

	subscribe(...channels: string[]): Promise<Subscribed> {
		return this.connection.invoke('Subscribe', { channels });
	}

	/** The first message of a code that fits, received already or still to come. */
	async message<C extends HubCode>(
		code: C,
		fits: (data: HubMessages[C]) => boolean = () => true,
	): Promise<HubMessages[C]> {
		for (;;) {
			const found = this.received.find((one) => one.code === code && fits(one.data as HubMessages[C]));
			if (found) return found.data as HubMessages[C];
			await new Promise<void>((resolve) => this.#arrived.push(resolve));
		}
	}

	/** Resolves with the server's reason for ending the connection. */
	closed(): Promise<Error | undefined> {
		return new Promise((resolve) => this.connection.onclose(resolve));
	}

	async stop(): Promise<void> {
		await this.connection.stop();
	}
}

const registrationOf = (token: string) => ({
	Browser: 'Test 1',
	Domain: 'http://localhost',
	CurrentPage: 'http://localhost/',
	Token: token,
});
