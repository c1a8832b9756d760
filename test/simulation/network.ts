/** Messages between hosts: they take a while, wait while the network is cut, and keep their order within a stream. */
import type { Host } from './host.ts';
import type { SeededNumbers } from './seeded-numbers.ts';
import type { SimulatedTime } from './simulated-time.ts';

const USUAL_MS = 0.15;
const LONGEST_MS = 12;

/** One direction of a connection. */
export interface Stream {
	lastAtMs: number;
}

/** From one host to another. */
interface Link {
	cutUntilMs: number;
	slowUntilMs: number;
	slowMs: number;
}

export class Network {
	readonly #time: SimulatedTime;
	readonly #numbers: SeededNumbers;
	readonly #links = new Map<string, Link>();

	constructor(time: SimulatedTime, numbers: SeededNumbers) {
		this.#time = time;
		this.#numbers = numbers;
	}

	#link(one: Host, other: Host): Link {
		const name = `${(one.of ?? one).name} ${(other.of ?? other).name}`;
		let link = this.#links.get(name);
		if (!link) this.#links.set(name, (link = { cutUntilMs: 0, slowUntilMs: 0, slowMs: 0 }));
		return link;
	}

	/** Nothing passes that way for so long, and then everything, unless its connection was given up meanwhile. */
	cut(from: Host, to: Host, ms: number): void {
		this.#link(from, to).cutUntilMs = this.#time.nowMs + ms;
	}

	/** Messages between the two take longer for so long. */
	slow(one: Host, other: Host, { ms, by }: { ms: number; by: number }): void {
		for (const link of [this.#link(one, other), this.#link(other, one)]) {
			link.slowUntilMs = this.#time.nowMs + ms;
			link.slowMs = by;
		}
	}

	heal(): void {
		this.#links.clear();
	}

	/** @param stream what was sent on it before arrives before */
	send(from: Host, to: Host, run: () => void, stream?: Stream): void {
		const { cutUntilMs, slowUntilMs, slowMs } = this.#link(from, to);
		const { nowMs } = this.#time;
		let takesMs = this.#numbers.longTail(USUAL_MS, LONGEST_MS);
		if (slowUntilMs > nowMs) takesMs += slowMs * this.#numbers.fraction();
		const atMs = Math.max(nowMs, cutUntilMs, stream?.lastAtMs ?? 0) + takesMs;
		if (stream) stream.lastAtMs = atMs;
		this.#time.after(atMs - nowMs, to, run);
	}
}
