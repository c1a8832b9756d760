/** What both kinds of subscriptions share: what the client asked for, and when it gets something. */
import type { StreamClock } from '#server/bots-api/stream-clock.ts';

export interface SubscriptionTerms {
	/** Named by the client; messages repeat it. Without one they have none. */
	id: number | undefined;
	conflateMs: number;
	heartbeatMs: number;
	segmentationEnabled: boolean;
}

/** The body of one message: its list of changes, and the clock up to which it says everything. */
export interface Update {
	/** The type of an answer to a subscription; missing in later messages. */
	ct?: 'SUB_IMAGE' | 'RESUB_DELTA';
	changes: object[];
	clock: number;
}

export interface Subscription {
	readonly op: 'mcm' | 'ocm';
	/** The name of the list of changes. */
	readonly list: 'mc' | 'oc';
	readonly terms: SubscriptionTerms;
	/** The first message: an image, or what changed since the client's clock. */
	begin(): Update;
	/** What changed since the last message; null when nothing did. */
	next(): Update | null;
	/** True when a message is due at the end of the conflation. */
	readonly isDirty: boolean;
}

/** Changes in one segment. */
const SEGMENT = 50;

/** The lines of an update: one, or several segments of which the last has the clock. */
export function linesOf(subscription: Subscription, update: Update, clock: StreamClock, initialClk: string): string[] {
	const { op, list, terms } = subscription;
	const { ct, changes } = update;
	const first = ct ? { initialClk, conflateMs: terms.conflateMs, heartbeatMs: terms.heartbeatMs, ct } : {};
	const head = { op, id: terms.id, pt: Date.now() };
	const clk = clock.text(update.clock);
	if (!terms.segmentationEnabled || changes.length <= SEGMENT) {
		return [JSON.stringify({ ...head, ...first, clk, ...(changes.length > 0 ? { [list]: changes } : {}) })];
	}
	const lines: string[] = [];
	for (let at = 0; at < changes.length; at += SEGMENT) {
		const isLast = at + SEGMENT >= changes.length;
		const segmentType = at === 0 ? 'SEG_START' : isLast ? 'SEG_END' : 'SEG';
		const segment = { ...head, ...(ct ? { ct } : {}), segmentType, ...(isLast ? { ...first, clk } : {}) };
		lines.push(JSON.stringify({ ...segment, [list]: changes.slice(at, at + SEGMENT) }));
	}
	return lines;
}
