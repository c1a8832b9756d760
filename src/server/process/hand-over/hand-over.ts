/**
 * A planned hand-over, step by step:
 *
 *     hold calls and requests ──► write receipts ──► drain ──► release the lease to the heir ──► the epoch changes ──► pass them on ──► stop
 *                                                     │ it does not
 *                                                     └──► take the lease back, go on with what was held
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import type { ReceiptWriter } from '#server/platform/public-log/receipt-writer.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { Refused } from '#values/error-catalogue.ts';

/** The operator's command is answered and recorded first, because afterwards the journal belongs to the successor. */
const RECORD_FIRST_MS = 1_000;
/** The time limit of calls and requests that were let through. */
export const FINISH_WITHIN_MS = 1_000;
/** The time limit of the successor's first answer. */
const READY_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5;
/** How long calls and requests are passed on; meanwhile clients and their proxy see that this process is not ready. */
const PASS_FOR_MS = 5_000;

/** The result of the last hand-over of this process. */
interface HandOverStatus {
	heir: string;
	state: 'under way' | 'handed over' | 'taken back';
}

interface HandOverOptions {
	db: pg.Pool;
	log: Logger;
	exchange: Exchange;
	/** For calls, and for other requests. */
	gates: { calls: Gate; requests: Gate };
	/** See `markOf`. */
	mark: string;
	/** Answers name them; a root that is not written before the lease is released never is. */
	receipts: Pick<ReceiptWriter, 'flush'>;
	/** Another process has the lease: parts that send commands on their own stop, before commands are refused. */
	onTaken: () => void;
	/** The successor serves: clients have to reconnect there. */
	onLeft: () => void;
	/** This process is finished. */
	onStopped: (error: Error) => void;
}

export class HandOver {
	readonly #options: HandOverOptions;
	#status: HandOverStatus | null = null;
	#running: Promise<void> | null = null;

	constructor(options: HandOverOptions) {
		this.#options = options;
	}

	get status(): HandOverStatus | null {
		return this.#status;
	}

	/**
	 * Starts a hand-over, after a short delay.
	 * @returns the standby that will take over
	 * @throws Refused WRONG_STATE if none can, or a hand-over is in progress
	 */
	async begin(): Promise<string> {
		if (this.#running || !this.#options.exchange.isOpen()) throw new Refused('WRONG_STATE');
		const heir = await this.#heir();
		if (heir === null || this.#running) throw new Refused('WRONG_STATE');
		this.#status = { heir, state: 'under way' };
		this.#running = this.#run(heir)
			.catch((error: Error) => this.#wasTakenBack(heir, error.message))
			.finally(() => {
				this.#running = null;
			});
		return heir;
	}

	/** The most advanced standby among those that follow closely and have the same key and contract. */
	async #heir(): Promise<string | null> {
		const { db, mark, exchange } = this.#options;
		const { rows } = await db.query<{ name: string }>(
			`select name from follower where mark = $1 and difference is null and epoch = $2
			   and seen_at > clock_timestamp() - interval '1 second'
			   and 200 > (select count(distinct later.batch) from batch_command as later where later.batch > follower.batch)
			 order by batch desc limit 1`,
			[mark, exchange.epoch()],
		);
		return rows[0]?.name ?? null;
	}

	async #run(heir: string): Promise<void> {
		const { log, exchange, gates, receipts, onTaken, onLeft, onStopped } = this.#options;
		await delay(RECORD_FIRST_MS);
		const stages = new Stages();
		const held = Promise.all([gates.calls.hold(), gates.requests.hold()]).then(() => true);
		if (!(await Promise.race([held, delay(FINISH_WITHIN_MS, false)]))) {
			this.#wasTakenBack(heir, 'a call or a request took too long');
			return;
		}
		stages.ended('calls and requests');
		await receipts.flush();
		stages.ended('receipts');
		const successor = await exchange.handOver(heir, onTaken);
		if (successor === null) {
			this.#wasTakenBack(heir, 'the standby did not take over');
			return;
		}
		stages.ended('lease');
		this.#status = { heir, state: 'handed over' };
		// Without an address they are refused with DRAINING, and their senders find the successor themselves.
		const { address } = successor;
		// The successor answers calls as soon as it can, before it is ready for anything else.
		gates.calls.open(address);
		if (address !== null) await isReady(address);
		gates.requests.open(address);
		stages.ended('successor');
		log.warn({ heir, stagesMs: stages.tookMs }, 'the exchange has handed over');
		onLeft();
		await delay(PASS_FOR_MS);
		onStopped(new Error('The exchange was handed over to a standby.'));
	}

	#wasTakenBack(heir: string, reason: string): void {
		this.#status = { heir, state: 'taken back' };
		const { calls, requests } = this.#options.gates;
		calls.open();
		requests.open();
		this.#options.log.warn({ heir, reason }, 'the exchange was not handed over and goes on');
	}
}

async function isReady(address: string): Promise<boolean> {
	const url = new URL('/ready', address);
	for (const untilMs = performance.now() + READY_WITHIN_MS; performance.now() < untilMs; ) {
		const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
		// Read to its end, so that the connection can be reused.
		await answer?.text().catch(() => '');
		if (answer?.ok) return true;
		await delay(LOOK_EVERY_MS);
	}
	return false;
}
