/**
 * The signs of life of an exchange: a query that asks nothing, over a connection of its own. PostgreSQL notes when a
 * connection's state changed last, and standbys read that. A sign writes nothing, so it comes through while commits stall;
 * it runs in a thread of its own, so it comes through while the exchange is in a long turn. It ends with the process, with its
 * network, and when the process comes forward no more.
 */
import type pg from 'pg';
import type { Pulse } from '#server/exchange/standby/pulse.ts';

/** Several to each silence that standbys take for death. */
const SIGN_EVERY_MS = 40;
/** A process that has not come forward for so long hangs. */
const HUNG_MS = 5_000;
/** A sign that is lost must not hold up the next ones. */
export const SIGN_WITHIN_MS = 1_000;

export class LifeSigns {
	readonly #db: pg.Pool;
	readonly #pulse: Pulse;
	#timer: NodeJS.Timeout | undefined;
	#count = 0;
	#forwardAtMs = performance.now();
	#isSending = false;

	/** @param db one connection, which nothing else uses */
	constructor({ db, pulse }: { db: pg.Pool; pulse: Pulse }) {
		this.#db = db;
		this.#pulse = pulse;
	}

	start(): void {
		this.#timer = setInterval(() => this.#look(), SIGN_EVERY_MS);
		// A connection that was ended is replaced at once.
		this.#db.on('error', () => this.#look());
		// The connection is open when the process takes over.
		void this.#send();
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	#look(): void {
		const { count, speaks } = this.#pulse;
		const nowMs = performance.now();
		if (count !== this.#count) this.#forwardAtMs = nowMs;
		this.#count = count;
		if (speaks && nowMs - this.#forwardAtMs < HUNG_MS) void this.#send();
	}

	/** One that fails is sent over another connection. */
	async #send(): Promise<void> {
		if (this.#isSending) return;
		this.#isSending = true;
		if (!(await this.#isSent())) await this.#isSent();
		this.#isSending = false;
	}

	async #isSent(): Promise<boolean> {
		const sign: pg.QueryConfig & { query_timeout: number } = {
			text: 'select 1 as alive',
			query_timeout: SIGN_WITHIN_MS,
		};
		return await this.#db.query(sign).then(
			() => true,
			() => false,
		);
	}
}
