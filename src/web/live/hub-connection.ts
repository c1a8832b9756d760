/**
 * The hub connection as a small state machine: connect, register, heartbeat, subscribe; when any step fails, wait and
 * start again. It knows nothing of SignalR or React, so that it can be tested by itself.
 */

import type { Channel, ClientRegistration, HubCode, HubEnvelope, HubMessages } from '#contract/hub-messages.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { fromWire, type Inside } from '#web/api/units.ts';

export type HubState = 'Disconnected' | 'Connecting' | 'Connected' | 'Disconnecting' | 'Reconnecting';

/** What is needed of a SignalR connection. */
export interface Wire {
	start(): Promise<void>;
	stop(): Promise<void>;
	invoke(method: string, argument: unknown): Promise<unknown>;
	onMessage(listener: (envelope: HubEnvelope) => void): void;
	/** @param listener gets what the server gave as its reason, or an empty text */
	onClose(listener: (reason: string) => void): void;
}

export interface HubOptions {
	makeWire: () => Promise<Wire>;
	registration: () => ClientRegistration;
	onState: (state: HubState) => void;
	/** The server refused the registration over a working connection: the token may be dead. */
	onRefused: () => void;
	/** Failures are only logged (specification, section 8). */
	log: (what: string, failure: unknown) => void;
	random?: () => number;
}

export const HEARTBEAT_MS = 20_000;
const RECONNECT_DELAYS_MS = [0, 2000, 10_000, 30_000];
const LAST_DELAY_MS = 30_000;
/** The server's reason when a player, or an address, has more connections than allowed. */
const TOO_MANY: ErrorCode = 'TOO_MANY_CONNECTIONS';

/** The wait before reconnect attempt n (0 first); from the second on up to a fifth longer, so that clients do not return as one. */
export function reconnectDelay(attempt: number, random: () => number): number {
	const delay = RECONNECT_DELAYS_MS[attempt] ?? LAST_DELAY_MS;
	return Math.round(delay * (1 + 0.2 * random()));
}

/** What a listener gets, in the site's own units; scores have none. */
export type HubData<C extends HubCode> = C extends 'Score' ? HubMessages[C] : Inside<HubMessages[C]>;

type Listener<C extends HubCode> = (data: HubData<C>) => void;

export class HubConnection {
	readonly #options: HubOptions;
	readonly #channels = new Map<Channel, number>();
	readonly #listeners = new Map<HubCode, Set<Listener<never>>>();
	#state: HubState = 'Disconnected';
	#wire: Wire | null = null;
	#attempt = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#heartbeat: ReturnType<typeof setInterval> | undefined;
	/** Rises with each connection that opens or closes; messages of an older one are ignored. */
	#generation = 0;

	constructor(options: HubOptions) {
		this.#options = options;
	}

	get state(): HubState {
		return this.#state;
	}

	start(): void {
		if (this.#state === 'Disconnected') void this.#open('Connecting');
	}

	async stop(): Promise<void> {
		if (this.#state === 'Disconnected') return;
		this.#enter('Disconnecting');
		const generation = this.#generation;
		await this.#drop();
		// A start in the meantime wins.
		if (generation + 1 === this.#generation) this.#enter('Disconnected');
	}

	/** After a login or a logout: disconnect, and connect as the current player or visitor. */
	async restart(): Promise<void> {
		if (this.#state === 'Disconnected') return;
		this.#attempt = 0;
		this.#enter('Disconnecting');
		const generation = this.#generation;
		await this.#drop();
		if (generation + 1 === this.#generation) void this.#open('Connecting');
	}

	/** The network or the page is back: connect without waiting for the rest of the delay. */
	wake(): void {
		if (this.#timer === undefined) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		void this.#open('Reconnecting');
	}

	on<C extends HubCode>(code: C, listener: Listener<C>): () => void {
		const listeners = this.#listeners.get(code) ?? new Set();
		this.#listeners.set(code, listeners.add(listener));
		return () => void listeners.delete(listener);
	}

	/** Counted: the channel is left when the last of its subscribers ends. */
	subscribe(channel: Channel): () => void {
		const count = this.#channels.get(channel) ?? 0;
		this.#channels.set(channel, count + 1);
		if (count === 0) this.#send('Subscribe', [channel]);
		let ended = false;
		return () => {
			if (ended) return;
			ended = true;
			const left = (this.#channels.get(channel) ?? 1) - 1;
			if (left > 0) {
				this.#channels.set(channel, left);
				return;
			}
			this.#channels.delete(channel);
			this.#send('Unsubscribe', [channel]);
		};
	}

	isSubscribed(channel: Channel): boolean {
		return this.#channels.has(channel);
	}

	/** The page was hidden: ask for the image of everything subscribed. */
	askAllImages(): void {
		this.askImage([...this.#channels.keys()]);
	}

	/** Asks for the images of channels again; only for those still subscribed. */
	askImage(channels: Channel[]): void {
		const held = channels.filter((channel) => this.#channels.has(channel));
		if (held.length > 0) this.#send('Subscribe', held);
	}

	#enter(state: HubState): void {
		if (state === this.#state) return;
		this.#state = state;
		this.#options.onState(state);
	}

	#send(method: 'Subscribe' | 'Unsubscribe', channels: Channel[]): void {
		if (this.#state !== 'Connected' || !this.#wire) return;
		this.#wire.invoke(method, { channels }).catch((failure: unknown) => this.#options.log(method, failure));
	}

	async #open(state: 'Connecting' | 'Reconnecting'): Promise<void> {
		this.#generation += 1;
		const generation = this.#generation;
		const isCurrent = () => generation === this.#generation;
		this.#timer = undefined;
		this.#enter(state);
		try {
			const wire = await this.#options.makeWire();
			if (!isCurrent()) return;
			this.#wire = wire;
			wire.onMessage((envelope) => {
				if (isCurrent()) this.#dispatch(envelope);
			});
			wire.onClose((reason) => {
				if (!isCurrent()) return;
				// Coming back at once would send another page away in its turn.
				if (reason.includes(TOO_MANY)) this.#attempt = RECONNECT_DELAYS_MS.length;
				this.#lost();
			});
			await wire.start();
			if (isCurrent()) await this.#register(wire, isCurrent);
		} catch (failure) {
			if (!isCurrent()) return;
			this.#options.log('connect', failure);
			this.#lost();
		}
	}

	async #register(wire: Wire, isCurrent: () => boolean): Promise<void> {
		try {
			await wire.invoke('RegisterClient', this.#options.registration());
		} catch (failure) {
			if (isCurrent()) this.#options.onRefused();
			throw failure;
		}
		if (!isCurrent()) return;
		this.#attempt = 0;
		this.#enter('Connected');
		if (this.#channels.size > 0) this.#send('Subscribe', [...this.#channels.keys()]);
		this.#heartbeat = setInterval(() => void this.#beat(wire, isCurrent), HEARTBEAT_MS);
	}

	async #beat(wire: Wire, isCurrent: () => boolean): Promise<void> {
		const { registration } = this.#options;
		const client = registration();
		try {
			await wire.invoke('SendHeartbeat', { ...client, GroupBy: client.Domain });
		} catch (failure) {
			if (!isCurrent()) return;
			this.#options.log('heartbeat', failure);
			this.#lost();
		}
	}

	/** The connection is lost: close the rest of it and schedule the next attempt. */
	#lost(): void {
		void this.#drop();
		this.#enter('Reconnecting');
		const delay = reconnectDelay(this.#attempt, this.#options.random ?? Math.random);
		this.#attempt += 1;
		this.#timer = setTimeout(() => void this.#open('Reconnecting'), delay);
	}

	async #drop(): Promise<void> {
		this.#generation += 1;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		clearInterval(this.#heartbeat);
		const wire = this.#wire;
		this.#wire = null;
		try {
			await wire?.stop();
		} catch (failure) {
			this.#options.log('disconnect', failure);
		}
	}

	#dispatch(envelope: HubEnvelope): void {
		const listeners = this.#listeners.get(envelope.Code);
		if (!listeners) return;
		try {
			const message: unknown = JSON.parse(envelope.Data);
			const data = (envelope.Code === 'Score' ? message : fromWire(message)) as never;
			for (const listener of listeners) listener(data);
		} catch (failure) {
			this.#options.log(`message ${envelope.Code}`, failure);
		}
	}
}
