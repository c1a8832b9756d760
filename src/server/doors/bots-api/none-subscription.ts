/** A subscription to data that there is none of here, races and balls of cricket: an empty image, and heartbeats. */
import type { Subscription, SubscriptionTerms, Update } from '#server/doors/bots-api/subscription.ts';

export class NoneSubscription implements Subscription {
	readonly op: 'rcm' | 'ccm';
	readonly list: 'rc' | 'cc';
	readonly terms: SubscriptionTerms;
	readonly ready = null;
	readonly isDirty = false;

	constructor(op: 'rcm' | 'ccm', terms: SubscriptionTerms) {
		this.op = op;
		this.list = op === 'rcm' ? 'rc' : 'cc';
		this.terms = terms;
	}

	begin(): Update {
		return { ct: 'SUB_IMAGE', changes: [] };
	}

	next(): null {
		return null;
	}
}
