/**
 * The order flow of a public survey of matching engines (flash1-dev/matching-engine-benchmark), as its generator writes it:
 * a head of 16 bytes, and 40 bytes a message. What an engine reports is compared by the SHA-256 of a text.
 */
import { createHash } from 'node:crypto';

const HEAD_BYTES = 16;
const MAGIC_BYTES = 8;
const VERSION_BYTES = 4;
const MESSAGE_BYTES = 40;
/** Kinds of a message; the third changes an order. */
export const NEW = 0;
export const CANCEL = 1;

/** Kinds of a report, and its words: kind, message, side or the maker's order, order, price, quantity. */
export const REPORT = {
	WORDS: 6,
	ORDER_ACK: 0,
	TRADE: 1,
	CANCEL_ACK: 2,
	MODIFY_ACK: 3,
	CANCEL_REJECT: 4,
	MODIFY_REJECT: 5,
} as const;

export interface SurveyFlow {
	messages: number;
	/** The highest number of an order. */
	orders: number;
	/** The lowest price, and how many prices there are from it on. */
	lowest: number;
	ticks: number;
	columns: {
		kinds: Uint8Array;
		/** 0 buys, 1 sells. */
		sides: Uint8Array;
		isImmediate: Uint8Array;
		quantities: Int32Array;
		orders: Int32Array;
		prices: Int32Array;
	};
}

/** @throws Error for a file of another length than its head says */
export function readSurveyFlow(file: Buffer): SurveyFlow {
	const messages = file.readUInt32LE(MAGIC_BYTES + VERSION_BYTES);
	if (file.length !== HEAD_BYTES + messages * MESSAGE_BYTES) throw new Error('not an order flow of the survey');
	const columns = {
		kinds: new Uint8Array(messages),
		sides: new Uint8Array(messages),
		isImmediate: new Uint8Array(messages),
		quantities: new Int32Array(messages),
		orders: new Int32Array(messages),
		prices: new Int32Array(messages),
	};
	let [orders, lowest, highest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let message = 0; message < messages; message++) {
		const at = HEAD_BYTES + message * MESSAGE_BYTES;
		const price = Number(file.readBigInt64LE(at + 24));
		const order = Number(file.readBigUInt64LE(at + 16));
		columns.kinds[message] = file[at] as number;
		columns.sides[message] = file[at + 1] as number;
		columns.isImmediate[message] = file[at + 2] as number;
		columns.quantities[message] = file.readUInt32LE(at + 4);
		columns.orders[message] = order;
		columns.prices[message] = price;
		orders = Math.max(orders, order);
		lowest = Math.min(lowest, price);
		highest = Math.max(highest, price);
	}
	return { messages, orders, lowest, ticks: highest - lowest + 1, columns };
}

/**
 * The digest by which the survey tells whether an engine did the right things: reports by message, then by kind, a line
 * each.
 * @param reports words of `REPORT`, by message
 */
export function reportHash(reports: Int32Array, length: number): string {
	const hash = createHash('sha256');
	let lines: string[] = [];
	for (let from = 0; from < length; ) {
		const message = reports[from + 1];
		const some: Int32Array[] = [];
		for (; from < length && reports[from + 1] === message; from += REPORT.WORDS)
			some.push(reports.subarray(from, from + REPORT.WORDS));
		some.sort((one, other) => (one[0] as number) - (other[0] as number));
		lines.push(...some.map((report) => lineOf(report)));
		if (lines.length < 10_000 && from < length) continue;
		hash.update(`${lines.join('\n')}${from < length ? '\n' : ''}`);
		lines = [];
	}
	return hash.digest('hex');
}

function lineOf(report: Int32Array): string {
	const [kind, message, side, order, price, quantity] = report;
	if (kind === REPORT.TRADE) return [kind, message, price, quantity, side, order].join();
	if (kind === REPORT.CANCEL_ACK) return [kind, message, side, order, price].join();
	if (kind === REPORT.ORDER_ACK || kind === REPORT.MODIFY_ACK)
		return [kind, message, side, order, price, quantity].join();
	return [kind, message, order].join();
}
