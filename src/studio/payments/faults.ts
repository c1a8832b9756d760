/** What goes wrong between the payment studio and its merchant, on demand. */

/**
 * - REQUEST_LOST: the connection breaks before the request is read; nothing is done.
 * - ANSWER_LOST: it is done, and the connection breaks before the answer.
 * - UNAVAILABLE: nothing is done, and the answer is the published error HE_00.
 * - UNREADABLE: it is done, and the answer is not JSON, as a proxy's page is.
 */
export type AnswerFault = 'REQUEST_LOST' | 'ANSWER_LOST' | 'UNAVAILABLE' | 'UNREADABLE';
export const ANSWER_FAULTS: readonly AnswerFault[] = ['REQUEST_LOST', 'ANSWER_LOST', 'UNAVAILABLE', 'UNREADABLE'];

/**
 * - LOST: it is never sent.
 * - DOUBLED: it is sent twice at once.
 * - LATE: it is sent after the next one.
 * - FORGED: it is signed with another key, and never sent rightly.
 */
export type WebhookFault = 'LOST' | 'DOUBLED' | 'LATE' | 'FORGED';
export const WEBHOOK_FAULTS: readonly WebhookFault[] = ['LOST', 'DOUBLED', 'LATE', 'FORGED'];

export interface Faults {
	/** Of a request, such as `POST /payments`; null for none. */
	answer(request: string): AnswerFault | null;
	/** Of the next webhook; null for none. */
	webhook(): WebhookFault | null;
}

/** Faults in the order in which they were asked for. */
export class QueuedFaults implements Faults {
	readonly answers: AnswerFault[] = [];
	readonly webhooks: WebhookFault[] = [];

	answer(): AnswerFault | null {
		return this.answers.shift() ?? null;
	}

	webhook(): WebhookFault | null {
		return this.webhooks.shift() ?? null;
	}
}
