/** The official client on a test server's hub, with what it received to be awaited by what is in it. */
import { HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { HubCode, HubEnvelope, HubMessages } from '#contract/hub-messages.ts';

interface Received<C extends HubCode = HubCode> {
	code: C;
	data: HubMessages[C];
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
	static async connect(url: string, token = ''): Promise<HubClient> {
		const connection = new HubConnectionBuilder().withUrl(`${url}/hub`).configureLogging(LogLevel.None).build();
		const client = new HubClient(connection);
		await connection.start();
		await client.register(token);
		return client;
	}

	register(token: string): Promise<{ success: boolean; connectionId: string }> {
		const registration = {
			Browser: 'Test 1',
			Domain: 'http://localhost',
			CurrentPage: 'http://localhost/',
			Token: token,
		};
		return this.connection.invoke('RegisterClient', registration);
	}

	subscribe(...channels: string[]): Promise<{ success: boolean; unknown: string[] }> {
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

	/** Resolves when the server ended the connection. */
	closed(): Promise<void> {
		return new Promise((resolve) => this.connection.onclose(() => resolve()));
	}

	async stop(): Promise<void> {
		await this.connection.stop();
	}
}
