/** What a browser can ask of the hub: register, heartbeat, subscribe, unsubscribe. One session a connection. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Bus, BusMessage } from '#server/bus.ts';
import type { HubBackend, Viewer } from '#server/hub/hub.ts';

/** An error the client sees as the completion of its call. */
export class HubRefusal extends Error {}

const Registration = v.object({
	Browser: v.pipe(v.string(), v.maxLength(200)),
	Domain: v.pipe(v.string(), v.maxLength(300)),
	CurrentPage: v.pipe(v.string(), v.maxLength(2000)),
	Token: v.pipe(v.string(), v.maxLength(300)),
	GroupBy: v.optional(v.pipe(v.string(), v.maxLength(300))),
});
const Channels = v.object({ channels: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100)) });
const MOST_CHANNELS = 100;

export interface SessionOptions {
	brand: { host: string; pool: Viewer['pool'] };
	/** Token of the connection's address, as SignalR clients send it. */
	queryToken: string;
	backend: HubBackend;
	bus: Bus;
	clock: () => number;
	send: (message: BusMessage) => void;
	/** Ends the connection after a farewell. */
	end: (reason: string) => void;
}

export class HubSession {
	readonly connectionId = randomUUID();
	readonly #options: SessionOptions;
	readonly #channels = new Map<string, () => void>();
	#viewer: Viewer;
	#leavePlayer: (() => void)[] = [];

	constructor(options: SessionOptions) {
		this.#options = options;
		this.#viewer = { brand: options.brand.host, pool: options.brand.pool, login: null };
	}

	/** Runs a method; throws HubRefusal with the sentence the client gets. */
	invoke(method: string, args: readonly unknown[]): object {
		switch (method) {
			case 'RegisterClient':
				return this.#register(read(Registration, args));
			case 'SendHeartbeat':
				return this.#heartbeat(read(Registration, args));
			case 'Subscribe':
				return this.#subscribe(read(Channels, args).channels);
			case 'Unsubscribe':
				return this.#unsubscribe(read(Channels, args).channels);
			default:
				throw new HubRefusal(`There is no method ${method.slice(0, 40)}.`);
		}
	}

	/** The connection is gone. */
	close(): void {
		for (const leave of [...this.#channels.values(), ...this.#leavePlayer]) leave();
		this.#channels.clear();
		this.#leavePlayer = [];
	}

	#register({ Token }: v.InferOutput<typeof Registration>): object {
		const { backend, bus, send, end, queryToken, clock } = this.#options;
		const token = Token || queryToken;
		const login = token === '' ? null : backend.findLogin(token, this.#viewer.brand);
		if (token !== '' && !login) throw new HubRefusal('LOGIN_EXPIRED');
		const held = [...this.#channels.keys()];
		this.close();
		this.#viewer = { ...this.#viewer, pool: login?.pool ?? this.#options.brand.pool, login };
		this.#leavePlayer = [bus.subscribe(`brand.${this.#viewer.brand}`, send)];
		if (login) {
			this.#leavePlayer.push(
				bus.subscribe(`player.${login.playerId}`, send),
				bus.subscribe(`login.${login.loginId}`, (message) => {
					send(message);
					end('The login ended.');
				}),
			);
			const balance = backend.balance(login.playerId);
			if (balance) send(balance);
		}
		// Another viewer, another pool: what was subscribed is subscribed anew.
		this.#subscribe(held);
		return { success: true, connectionId: this.connectionId, serverTime: new Date(clock()).toISOString() };
	}

	#heartbeat({ Token }: v.InferOutput<typeof Registration>): object {
		const { login, brand } = this.#viewer;
		if (login && Token !== '' && !this.#options.backend.findLogin(Token, brand)) throw new HubRefusal('LOGIN_EXPIRED');
		return { success: true, serverTime: new Date(this.#options.clock()).toISOString() };
	}

	/** A channel subscribed again is sent its image again. */
	#subscribe(channels: readonly string[]): object {
		const { backend, bus, send } = this.#options;
		const unknown: string[] = [];
		for (const channel of channels) {
			const topic = backend.topicOf(channel, this.#viewer);
			if (topic === null || (!this.#channels.has(channel) && this.#channels.size >= MOST_CHANNELS)) {
				unknown.push(channel);
				continue;
			}
			this.#channels.get(channel)?.();
			for (const image of backend.images(channel, this.#viewer)) send(image);
			this.#channels.set(channel, bus.subscribe(topic, send));
		}
		return { success: unknown.length === 0, unknown };
	}

	#unsubscribe(channels: readonly string[]): object {
		for (const channel of channels) {
			this.#channels.get(channel)?.();
			this.#channels.delete(channel);
		}
		return { success: true };
	}
}

function read<S extends v.GenericSchema>(schema: S, args: readonly unknown[]): v.InferOutput<S> {
	const parsed = v.safeParse(schema, args[0]);
	if (!parsed.success) throw new HubRefusal('VALIDATION_FAILED');
	return parsed.output;
}
