/** Limits the connections per address or player: one too many closes the oldest. */
import type { HubConnection } from '#server/doors/hub/connection.ts';

export class ConnectionLimit<Key> {
	readonly #most: number;
	/** Oldest first. */
	readonly #members = new Map<Key, Set<HubConnection>>();

	/** @param most connections per key */
	constructor(most: number) {
		this.#most = most;
	}

	/**
	 * Adds a connection.
	 * @returns the connection to close when there are too many, already removed: the oldest that has made no handshake,
	 *   so that a flood of requests closes no established connection; otherwise the oldest
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

	/** Removes a connection, if it has not been removed before. */
	leave(key: Key, connection: HubConnection): void {
		const members = this.#members.get(key);
		if (!members?.delete(connection)) return;
		if (members.size === 0) this.#members.delete(key);
	}
}
