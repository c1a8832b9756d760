/** Shared by both kinds of subscriptions: the client's request, and the time of the next message. */
import type { StreamClock } from '#server/doors/bots-api/stream-clock.ts';

export interface SubscriptionTerms {
	/** Named by the client; messages repeat it. Without one they have none. */
	id: number | undefined;
	conflateMs: number;
	heartbeatMs: number;
	segmentationEnabled: boolean;
}

/** The body of one message: its list of changes, up to the clock of the moment. */
export interface Update {
	/** The type of an answer to a subscription; missing in later messages. */
	ct?: 'SUB_IMAGE' | 'RESUB_DELTA';
	changes: object[];
	/** The player's triggers, where the client asked for them: all that wait with the first message, later those that changed. */
	triggers?: readonly object[];
}

export interface Subscription {
	readonly op: 'mcm' | 'ocm' | 'rcm' | 'ccm';
	/** The name of the list of changes. */
	readonly list: 'mc' | 'oc' | 'rc' | 'cc';
	readonly terms: SubscriptionTerms;
	/** What the first message waits for; null when it can be written at once. */
	readonly ready: Promise<unknown> | null;
	/** The first message: an image, or what changed since the client's clock. */
	begin(): Update;
	/** The changes since the last message; null for none. */
	next(): Update | null;
	/** True when a message is due at the end of the conflation. */
	readonly isDirty: boolean;
}

/** Changes in one segment. */
const SEGMENT = 50;

/** Clients with equal filters get the same changes, each serialized once for all of them. */
const texts = new WeakMap<object, string>();
function textOf(change: object): string {
	const text = texts.get(change) ?? JSON.stringify(change);
	texts.set(change, text);
	return text;
}

/** A message with its list of changes at the end. */
function lineOf(message: object, list: Subscription['list'], changes: readonly object[]): string {
	const text = JSON.stringify(message);
	if (changes.length === 0) return text;
	return `${text.slice(0, -1)},"${list}":[${changes.map(textOf).join(',')}]}`;
}

/** The lines of an update: one, or several segments of which the last has the clock. */
export function linesOf(subscription: Subscription, update: Update, clock: StreamClock, initialClk: string): string[] {
	const { op, list, terms } = subscription;
	const { ct, changes, triggers } = update;
	const own = triggers === undefined ? {} : { triggers };
	const first = ct ? { initialClk, conflateMs: terms.conflateMs, heartbeatMs: terms.heartbeatMs, ct } : {};
	const head = { op, id: terms.id, pt: Date.now() };
	const clk = clock.text();
	if (!terms.segmentationEnabled || changes.length <= SEGMENT) {
		return [lineOf({ ...head, ...first, ...own, clk }, list, changes)];
	}
	const lines: string[] = [];
	for (let at = 0; at < changes.length; at += SEGMENT) {
		const isLast = at + SEGMENT >= changes.length;
		const segmentType = at === 0 ? 'SEG_START' : isLast ? 'SEG_END' : 'SEG';
		const segment = { ...head, ...(ct ? { ct } : {}), segmentType, ...(isLast ? { ...first, ...own, clk } : {}) };
		lines.push(lineOf(segment, list, changes.slice(at, at + SEGMENT)));
	}
	return lines;
}
