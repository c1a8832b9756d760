/**
 * The hub connection as a small state machine: connect, register, heartbeat, follow channels; if any step fails, wait
 * and start again. It knows nothing of SignalR or React, so that it can be tested separately.
 */

import type {
	Channel,
	ClientRegistration,
	HubCode,
	HubEnvelope,
	HubMessages,
	Subscribed,
} from '#contract/hub-messages.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { fromWire, type Inside } from '#web/api/units.ts';
import { HUB_FIELDS } from '#web/live/hub-fields.ts';
import type { Channels } from '#web/store/channels.ts';
import { TEXTS } from '#web/texts.ts';

export type HubState = 'Disconnected' | 'Connecting' | 'Connected' | 'Disconnecting' | 'Reconnecting';

/** The required part of a SignalR connection. */
export interface Wire {
	start(): Promise<void>;
	stop(): Promise<void>;
	invoke(method: string, argument: unknown): Promise<unknown>;
	onMessage(listener: (envelope: HubEnvelope) => void): void;
	/** @param listener called with the server's reason, or an empty text */
	onClose(listener: (reason: string) => void): void;
}

interface HubOptions {
	/** What the pages watch. */
	channels: Channels;
	makeWire: () => Promise<Wire>;
	registration: () => ClientRegistration;
	onState: (state: HubState) => void;
	/** The server's time in an answer, and when it was asked for on `performance.now()`. */
	onServerTime: (serverMs: number, askedAtMs: number) => void;
	/** The server refused the registration over a working connection: the token may be dead. */
	onRefused: () => void;
	/** Runs the job that names the channels to the server, once for all changes of a frame. */
	atFrame: (send: () => void) => void;
	/** The server no longer sends these, or messages may be missing. */
	onUnproved: (channels: readonly Channel[]) => void;
	/** Failures are only logged (specification, section 8). */
	log: (what: string, failure: unknown) => void;
	random?: () => number;
}

/** How often the client proves that its login lives. */
export const REGISTRATION_HEARTBEAT_MS = 20_000;
/** After this time without an answer, a call or its answer was lost. */
export const ANSWER_WITHIN_MS = 5000;
/** The largest number of channels per call whose images are requested. */
const MOST_IMAGES = 100;
const REVIEW_MS = 500;
/** News that were on their way beside the last message may be lost with the connection. */
const ON_THE_WAY_MS = 5000;
const FIRST_RETRY_MS = 1000;
const RECONNECT_DELAYS_MS = [0, 2000, 10_000, 30_000];
const LAST_DELAY_MS = 30_000;
/** The server's reason if a player, or an address, has more connections than allowed. */
const TOO_MANY: ErrorCode = 'TOO_MANY_CONNECTIONS';

/** The wait before reconnect attempt n (0 first); from the second on up to a fifth longer, so that clients do not return as one. */
export function reconnectDelay(attempt: number, random: () => number): number {
	const delay = RECONNECT_DELAYS_MS[attempt] ?? LAST_DELAY_MS;
	return Math.round(delay * (1 + 0.2 * random()));
}

/** The wait before refused channels are asked for again (0 first): 1, 2, 4 … 30 s, and up to a fifth more. */
function channelDelay(attempt: number, random: () => number): number {
	return Math.round(Math.min(FIRST_RETRY_MS * 2 ** attempt, LAST_DELAY_MS) * (1 + 0.2 * random()));
}

/** What a listener gets, in the site's own units. */
export type HubData<C extends HubCode> = Inside<HubMessages[C]>;

type Listener<C extends HubCode> = (data: HubData<C>) => void;

export class HubConnection {
	readonly #options: HubOptions;
	readonly #channels: Channels;
	/** Channels whose images are needed, although the server sends them. */
	readonly #imagesDue = new Set<Channel>();
	/** The watched channels changed, or refused ones are due for another request. */
	#changed = false;
	#namesAtFrame = false;
	/** The number of times that the channels were named. */
	#follows = 0;
	/** Attempts since the server last took every channel. */
	#refusals = 0;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#reviewing: ReturnType<typeof setInterval> | undefined;
	/** The messages of this connection without heartbeats, as the server counts them. */
	#received = 0;
	readonly #listeners = new Map<HubCode, Set<Listener<never>>>();
	#state: HubState = 'Disconnected';
	#wire: Wire | null = null;
	#attempt = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#heartbeat: ReturnType<typeof setInterval> | undefined;
	/**
	 * All news of the player until then were heard: at first when the page began. By the device's clock, which goes on
	 * while the device sleeps.
	 */
	#heardUntilMs = Date.now() - performance.now();
	/** Rises with each connection that opens or closes; messages of an older one are ignored. */
	#generation = 0;

	constructor(options: HubOptions) {
		this.#options = options;
		this.#channels = options.channels;
		this.#channels.setNewsHandler(() => this.#channelsChanged());
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
		this.#heardUntilMs = Date.now();
		if (this.#state === 'Disconnected') return;
		this.#attempt = 0;
		this.#enter('Disconnecting');
		const generation = this.#generation;
		await this.#drop();
		if (generation + 1 === this.#generation) void this.#open('Connecting');
	}

	/** The network or the page is back: connect without waiting for the rest of the delay. */
	wake(): void {
		this.#nameSoon();
		// While the device slept, the page's own clock stood still.
		if (this.#wire && this.#state === 'Connected') void this.#beat(this.#wire);
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

	/** The device says that it has no network: however open the connection looks, everything has to be proved again. */
	distrust(): void {
		const watched = this.#channels.watched();
		this.#channels.refuseAll();
		this.#channels.review();
		this.#options.onUnproved(watched);
		this.#changed = true;
		for (const channel of watched) this.#imagesDue.add(channel);
	}

	/** The page was hidden: ask for the image of everything subscribed. */
	askAllImages(): void {
		this.askImage(this.#channels.watched());
	}

	/** Asks for the images of channels again; only for those still subscribed. */
	askImage(channels: readonly Channel[]): void {
		for (const channel of channels) {
			this.#imagesDue.add(channel);
			this.#channels.expectImage(channel);
		}
		this.#nameSoon();
	}

	#enter(state: HubState): void {
		if (state === this.#state) return;
		this.#state = state;
		this.#options.onState(state);
	}

	#channelsChanged(): void {
		this.#changed = true;
		this.#nameSoon();
	}

	/** One message for all changes until the next frame. */
	#nameSoon(): void {
		if (this.#namesAtFrame) return;
		this.#namesAtFrame = true;
		this.#options.atFrame(() => {
			this.#namesAtFrame = false;
			this.#nameChannels();
		});
	}

	/** Says which channels are watched and which images are missing, without waiting for earlier answers. */
	#nameChannels(): void {
		const wire = this.#wire;
		if (!wire || this.#state !== 'Connected') return;
		if (this.#changed && this.#channels.hasNews()) void this.#follow(wire);
		this.#changed = false;
		if (this.#imagesDue.size > 0) void this.#askImages(wire);
	}

	/** Names all watched channels. Those that the answer does not accept, or a lost answer, are requested again. */
	async #follow(wire: Wire): Promise<void> {
		clearTimeout(this.#retry);
		this.#follows += 1;
		const follow = this.#follows;
		const { left, watched } = this.#channels.name(follow);
		if (left.length > 0) this.#options.onUnproved(left);
		let isTaken = false;
		try {
			const { unknown, refused } = await ask<Subscribed>(wire, 'Follow', { channels: watched });
			if (wire !== this.#wire) return;
			const isRefused = new Set([...unknown, ...refused.map(({ channel }) => channel)]);
			for (const channel of watched) {
				if (isRefused.has(channel)) this.#channels.refuse(channel);
				else this.#channels.acknowledge(channel, follow);
			}
			this.#channels.review();
			isTaken = isRefused.size === 0;
		} catch (failure) {
			this.#options.log('follow', failure);
		}
		// A later one has named them again.
		if (wire !== this.#wire || follow !== this.#follows) return;
		if (isTaken) this.#refusals = 0;
		else this.#askAgain();
	}

	async #askImages(wire: Wire): Promise<void> {
		const channels = [...this.#imagesDue].slice(0, MOST_IMAGES);
		for (const channel of channels) this.#imagesDue.delete(channel);
		if (this.#imagesDue.size > 0) this.#nameSoon();
		const watched = channels.filter((channel) => this.#channels.isWatched(channel));
		if (watched.length === 0) return;
		let due: readonly Channel[] = watched;
		try {
			const { refused } = await ask<Subscribed>(wire, 'Subscribe', { channels: watched });
			due = watched.filter((channel) => refused.some((one) => one.channel === channel));
		} catch (failure) {
			this.#options.log('images', failure);
		}
		if (wire !== this.#wire || due.length === 0) return;
		for (const channel of due) this.#imagesDue.add(channel);
		this.#askAgain();
	}

	#askAgain(): void {
		clearTimeout(this.#retry);
		const delay = channelDelay(this.#refusals, this.#options.random ?? Math.random);
		this.#refusals += 1;
		this.#retry = setTimeout(() => this.#channelsChanged(), delay);
	}

	/**
	 * If the server's count of messages matches, everything has arrived; otherwise the images reveal what is missing.
	 */
	#heartbeatOf(sent: number): void {
		if (sent === this.#received) this.#channels.vouch();
		else this.askAllImages();
		this.#received = sent;
		this.#channels.review();
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
			this.#received = 0;
			wire.onMessage((envelope) => {
				if (isCurrent()) this.#dispatch(envelope);
			});
			wire.onClose((reason) => {
				if (!isCurrent()) return;
				// Returning immediately would disconnect another page.
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
			const MissedMs = Math.max(0, Math.round(Date.now() - this.#heardUntilMs));
			await this.#askTime(wire, 'RegisterClient', { ...this.#options.registration(), MissedMs });
		} catch (failure) {
			if (isCurrent()) this.#options.onRefused();
			throw failure;
		}
		if (!isCurrent()) return;
		this.#attempt = 0;
		this.#heardUntilMs = Date.now() - ON_THE_WAY_MS;
		this.#enter('Connected');
		this.#changed = true;
		this.#nameChannels();
		this.#reviewing = setInterval(() => this.#channels.review(), REVIEW_MS);
		this.#heartbeat = setInterval(() => void this.#beat(wire), REGISTRATION_HEARTBEAT_MS);
	}

	async #beat(wire: Wire): Promise<void> {
		const client = this.#options.registration();
		try {
			await this.#askTime(wire, 'SendHeartbeat', { ...client, GroupBy: client.Domain });
		} catch (failure) {
			if (wire !== this.#wire) return;
			this.#options.log('heartbeat', failure);
			this.#lost();
		}
	}

	/** Both methods answer with the server's time. */
	async #askTime(wire: Wire, method: string, client: ClientRegistration): Promise<void> {
		const askedAtMs = performance.now();
		const { serverTime } = await ask<{ serverTime: string }>(wire, method, client);
		this.#options.onServerTime(Date.parse(serverTime), askedAtMs);
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
		clearInterval(this.#reviewing);
		clearTimeout(this.#retry);
		this.#refusals = 0;
		this.#imagesDue.clear();
		const wire = this.#wire;
		this.#wire = null;
		this.#channels.refuseAll();
		this.#channels.review();
		this.#options.onUnproved(this.#channels.watched());
		try {
			await wire?.stop();
		} catch (failure) {
			this.#options.log('disconnect', failure);
		}
	}

	#dispatch({ Code, Data }: HubEnvelope): void {
		if (Code !== 'Heartbeat') this.#received += 1;
		if (this.#state === 'Connected') this.#heardUntilMs = Date.now() - ON_THE_WAY_MS;
		try {
			const message: unknown = JSON.parse(Data, TEXTS.named);
			if (!this.#isExpected(Code, message)) return;
			this.#hear(Code, message);
			const listeners = this.#listeners.get(Code);
			if (!listeners) return;
			const data = fromWire(message, HUB_FIELDS[Code]) as never;
			for (const listener of listeners) listener(data);
		} catch (failure) {
			this.#options.log(`message ${Code}`, failure);
		}
	}

	/** A book in flight when its channel was left would confirm prices that are no longer kept current. */
	#isExpected(code: HubCode, message: unknown): boolean {
		return code !== 'MarketBook' || this.#channels.isHeld(`market:${(message as HubMessages['MarketBook']).marketId}`);
	}

	/** The part of a message about its channel, or about all channels. */
	#hear(code: HubCode, message: unknown): void {
		if (code === 'MarketBook') {
			const { marketId, kind } = message as HubMessages['MarketBook'];
			this.#channels.heard(`market:${marketId}`, kind === 'IMAGE');
		}
		if (code === 'Heartbeat') this.#heartbeatOf((message as HubMessages['Heartbeat']).sent);
		if (code !== 'SubscriptionEnded') return;
		this.#channels.refuse((message as HubMessages['SubscriptionEnded']).channel as Channel);
		this.#channels.review();
		this.#channelsChanged();
	}
}

/** @throws if the server refuses, or does not answer in time */
async function ask<Answer>(wire: Wire, method: string, argument: unknown): Promise<Answer> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_WITHIN_MS);
	});
	try {
		return (await Promise.race([wire.invoke(method, argument), late])) as Answer;
	} finally {
		clearTimeout(timer);
	}
}
