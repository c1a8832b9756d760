/**
 * The channels that pages watch, and until when each is live: acknowledged by the server, and confirmed by a message of
 * its own or a heartbeat of the connection no longer ago than LIVE_AGE_MS. The first screen needs no more of the hub;
 * the connection that serves the channels is loaded after it.
 */

import { type Channel, LIVE_AGE_MS } from '#contract/hub-messages.ts';

interface Watched {
	/** Its subscribers; zero from the end of the last until the server knows. */
	count: number;
	acknowledged: boolean;
	/** The first message that named it; null before. */
	namedFirst: number | null;
	/**
	 * Some of its messages may be lost, and its image was requested: until it arrives, nothing else confirms the
	 * channel.
	 */
	owesImage: boolean;
	/** When its state was last known to be current; null before. */
	provedAtMs: number | null;
	/** At the last review. */
	live: boolean;
}

export class Channels {
	readonly #clock: () => number;
	readonly #watched = new Map<Channel, Watched>();
	readonly #listeners = new Set<() => void>();
	#onNews: () => void = () => undefined;

	/** @param clock milliseconds that go on while the device sleeps */
	constructor(clock: () => number) {
		this.#clock = clock;
	}

	/** Counted: the channel is left when the last of its subscribers ends. */
	subscribe(channel: Channel): () => void {
		const held = this.#watched.get(channel) ?? {
			count: 0,
			acknowledged: false,
			namedFirst: null,
			owesImage: false,
			provedAtMs: null,
			live: false,
		};
		this.#watched.set(channel, held);
		held.count += 1;
		if (held.count === 1) this.#onNews();
		return this.#leaving(held);
	}

	#leaving(held: Watched): () => void {
		let ended = false;
		return () => {
			if (ended) return;
			ended = true;
			held.count -= 1;
			if (held.count === 0) this.#onNews();
		};
	}

	/** Sets the listener for changes of the watched channels. */
	setNewsHandler(onNews: () => void): void {
		this.#onNews = onNews;
	}

	isWatched(channel: Channel): boolean {
		return (this.#watched.get(channel)?.count ?? 0) > 0;
	}

	/** Whether its messages are expected: it is watched, or was left and the server has not been told yet. */
	isHeld(channel: Channel): boolean {
		return this.#watched.has(channel);
	}

	watched(): Channel[] {
		return [...this.#watched].flatMap(([channel, { count }]) => (count > 0 ? [channel] : []));
	}

	/** Whether the server needs to be told about some: watched without an acknowledgement, or left. */
	hasNews(): boolean {
		return [...this.#watched.values()].some(({ count, acknowledged }) => acknowledged !== count > 0);
	}

	/**
	 * The server has been told which channels are watched: left ones end here.
	 * @param message number of that message
	 */
	name(message: number): { left: Channel[]; watched: Channel[] } {
		const left: Channel[] = [];
		for (const [channel, held] of this.#watched) {
			if (held.count === 0) left.push(channel);
			else held.namedFirst ??= message;
		}
		for (const channel of left) this.#watched.delete(channel);
		return { left, watched: this.watched() };
	}

	/** @param message the answered one; a message from before the channel was left and watched again does not count */
	acknowledge(channel: Channel, message: number): void {
		const held = this.#watched.get(channel);
		if (!held || held.acknowledged || (held.namedFirst ?? Number.POSITIVE_INFINITY) > message) return;
		held.acknowledged = true;
		held.provedAtMs = this.#clock();
	}

	/** The image of the channel is asked for. */
	expectImage(channel: Channel): void {
		const held = this.#watched.get(channel);
		if (held) held.owesImage = true;
	}

	/** The server ended or refused the channel. */
	refuse(channel: Channel): void {
		const held = this.#watched.get(channel);
		if (held) held.acknowledged = false;
	}

	/** The connection is lost. */
	refuseAll(): void {
		for (const held of this.#watched.values()) held.acknowledged = held.owesImage = false;
	}

	/** A message of the channel came. */
	heard(channel: Channel, isImage: boolean): void {
		const held = this.#watched.get(channel);
		if (!held) return;
		if (isImage) held.owesImage = false;
		if (held.acknowledged && !held.owesImage) held.provedAtMs = this.#clock();
	}

	/** A heartbeat confirms all acknowledged channels. */
	vouch(): void {
		const nowMs = this.#clock();
		for (const held of this.#watched.values()) {
			if (held.acknowledged && !held.owesImage) held.provedAtMs = nowMs;
		}
	}

	/** The state at the last review. */
	isLive(channel: Channel): boolean {
		return this.#watched.get(channel)?.live === true;
	}

	/** Milliseconds since the channel was last known to be current; null if it never was. */
	age(channel: Channel): number | null {
		const provedAtMs = this.#watched.get(channel)?.provedAtMs ?? null;
		return provedAtMs === null ? null : Math.max(0, this.#clock() - provedAtMs);
	}

	/** Notifies the listeners when a channel became live or paused. Called at each of the above and periodically. */
	review(): void {
		const nowMs = this.#clock();
		let changed = false;
		for (const held of this.#watched.values()) {
			// A clock that was set back proves nothing.
			const ageMs = held.provedAtMs === null ? Number.NaN : nowMs - held.provedAtMs;
			const live = held.acknowledged && ageMs >= 0 && ageMs < LIVE_AGE_MS;
			changed ||= live !== held.live;
			held.live = live;
		}
		if (changed) for (const listener of this.#listeners) listener();
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}
}

/** Those of this site's pages. */
export const channels = new Channels(() => Date.now());
