/**
 * The topics that other processes subscribe to, so that news without remote subscribers is neither encoded nor sent. A
 * process announces a topic before it asks for an image, over the same connection, so nothing is missed between the
 * two. A silent process is forgotten; when it is heard again, it announces all of its topics again, and asks for new
 * images.
 */
import { randomUUID } from 'node:crypto';
import { Counts } from '#values/counts.ts';

const ANNOUNCE_EVERY_MS = 5_000;
const FORGOTTEN_AFTER_MS = 20_000;
/** The shortest interval between two requests to another process. */
const ASK_EVERY_MS = 1_000;
/** Topics per message: NATS limits messages to a megabyte. */
const MOST_A_STEP = 5_000;

/** A process's announcement; without topics, it only says that the process is alive. */
interface Announcement {
	from: string;
	/** The complete set of its topics. */
	all?: string[];
	/** Additional topics. */
	add?: string[];
	remove?: string[];
}

/** Asks a process for a complete announcement. */
interface Asked {
	ask: string;
}

interface Other {
	topics: Set<string>;
	/** It has announced all of its topics. */
	isWhole: boolean;
	/** Monotonic. */
	heardMs: number;
}

interface NatsInterestsOptions {
	/** Sends a text to all other processes, in order with this process's requests to them. */
	send: (text: string) => void;
	/** Another process had considered this one as gone: news is missing. */
	onForgotten: () => void;
}

export class NatsInterests {
	readonly #options: NatsInterestsOptions;
	readonly #id = randomUUID();
	readonly #own = new Set<string>();
	readonly #others = new Map<string, Other>();
	/** The number of other processes that follow a topic. */
	readonly #followed = new Counts<string>();
	/** The time of the last request to another process. */
	readonly #asked = new Map<string, number>();
	readonly #timer: NodeJS.Timeout;

	constructor(options: NatsInterestsOptions) {
		this.#options = options;
		this.#timer = setInterval(() => this.#tick(), ANNOUNCE_EVERY_MS).unref();
	}

	/** Whether another process follows the topic. */
	isFollowed(topic: string): boolean {
		return this.#followed.of(topic) > 0;
	}

	follow(topic: string): void {
		this.#own.add(topic);
		this.#announce({ add: [topic] });
	}

	leave(topic: string): void {
		this.#own.delete(topic);
		this.#announce({ remove: [topic] });
	}

	announceAll(): void {
		const topics = [...this.#own];
		this.#announce({ all: topics.slice(0, MOST_A_STEP) });
		for (let from = MOST_A_STEP; from < topics.length; from += MOST_A_STEP) {
			this.#announce({ add: topics.slice(from, from + MOST_A_STEP) });
		}
	}

	/** @param text a message of another process */
	hear(text: string): void {
		const heard = JSON.parse(text) as Announcement | Asked;
		if ('from' in heard) this.#hearOf(heard);
		else if (heard.ask === this.#id) {
			this.announceAll();
			this.#options.onForgotten();
		}
	}

	/** This process has no topics any more. */
	close(): void {
		clearInterval(this.#timer);
		this.#announce({ all: [] });
	}

	#hearOf({ from, all, add = [], remove = [] }: Announcement): void {
		if (all) this.#forget(from);
		const other = this.#others.get(from) ?? { topics: new Set<string>(), isWhole: all !== undefined, heardMs: 0 };
		this.#others.set(from, other);
		other.heardMs = performance.now();
		for (const topic of [...(all ?? []), ...add]) {
			if (other.topics.has(topic)) continue;
			other.topics.add(topic);
			this.#followed.add(topic);
		}
		for (const topic of remove) if (other.topics.delete(topic)) this.#followed.remove(topic);
		// Its earlier topics are unknown; topics announced from now on already count.
		if (!other.isWhole) this.#askAll(from);
	}

	#forget(from: string): void {
		for (const topic of this.#others.get(from)?.topics ?? []) this.#followed.remove(topic);
		this.#others.delete(from);
	}

	#askAll(from: string): void {
		const nowMs = performance.now();
		if (nowMs - (this.#asked.get(from) ?? Number.NEGATIVE_INFINITY) < ASK_EVERY_MS) return;
		this.#asked.set(from, nowMs);
		this.#options.send(JSON.stringify({ ask: from } satisfies Asked));
	}

	#tick(): void {
		this.#announce({});
		const nowMs = performance.now();
		for (const [from, { heardMs }] of this.#others) if (nowMs - heardMs > FORGOTTEN_AFTER_MS) this.#forget(from);
		for (const [from, atMs] of this.#asked) if (nowMs - atMs > FORGOTTEN_AFTER_MS) this.#asked.delete(from);
	}

	#announce(announcement: Omit<Announcement, 'from'>): void {
		this.#options.send(JSON.stringify({ from: this.#id, ...announcement } satisfies Announcement));
	}
}
