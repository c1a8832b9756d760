/** How many connections one address or one player has: one too many ends the oldest. */
import type { HubConnection } from '#server/hub/connection.ts';

export class Crowd<Key> {
	readonly #most: number;
	/** Oldest first. */
	readonly #members = new Map<Key, Set<HubConnection>>();

	/** @param most connections a key */
	constructor(most: number) {
		this.#most = most;
	}

	/**
	 * Counts it in.
	 * @returns when it is one too many, the one to send away, counted out: the oldest that has not begun to speak, so that
	 * a flood of requests ends no connection that stands, otherwise the oldest
	 */
	join(key: Key, connection: HubConnection): HubConnection | null {
		const members = this.#members.get(key) ?? new Set();
		this.#members.set(key, members.add(connection));
		if (members.size <= this.#most) return null;
		const [oldest] = members;
		const others = [...members].slice(0, -1);
		const leaving = others.find(({ isGreeted }) => !isGreeted) ?? oldest ?? null;
		if (leaving) members.delete(leaving);
		return leaving;
	}

	/** Counts it out; one that was counted out before changes nothing. */
	leave(key: Key, connection: HubConnection): void {
		const members = this.#members.get(key);
		if (!members?.delete(connection)) return;
		if (members.size === 0) this.#members.delete(key);
	}
}
