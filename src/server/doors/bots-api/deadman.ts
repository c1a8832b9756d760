/**
 * Cancels a player's unmatched bets if the heartbeats of its bot stop. Each heartbeat that names a time restarts the
 * timer, so it does not matter whether the bot, a gateway or the network failed.
 */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { PlayerId } from '#values/ids.ts';

const RETRY_MS = 500;

export class Deadman {
	readonly #exchange: Pick<Exchange, 'submit'>;
	readonly #log: Logger;
	readonly #timers = new Map<PlayerId, NodeJS.Timeout>();

	constructor(exchange: Pick<Exchange, 'submit'>, log: Logger) {
		this.#exchange = exchange;
		this.#log = log;
	}

	/** @param seconds from now; null ends the watch */
	watch(playerId: PlayerId, seconds: number | null): void {
		clearTimeout(this.#timers.get(playerId));
		this.#timers.delete(playerId);
		if (seconds !== null) this.#arm(playerId, seconds * 1000);
	}

	#arm(playerId: PlayerId, afterMs: number): void {
		this.#timers.set(
			playerId,
			setTimeout(() => void this.#cancel(playerId), afterMs),
		);
	}

	async #cancel(playerId: PlayerId): Promise<void> {
		this.#timers.delete(playerId);
		try {
			const { cancelled } = await this.#exchange.submit({ kind: 'cancel-all', walletId: playerId });
			this.#log.info({ playerId, cancelled }, 'a bot was lost, and its unmatched bets are cancelled');
		} catch {
			// The exchange is recovering. A heartbeat of the bot in the meantime has restarted the timer itself.
			if (!this.#timers.has(playerId)) this.#arm(playerId, RETRY_MS);
		}
	}

	stop(): void {
		for (const timer of this.#timers.values()) clearTimeout(timer);
		this.#timers.clear();
	}
}
