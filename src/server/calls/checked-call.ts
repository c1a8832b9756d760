/**
 * The boundary between the front of a call, which knows HTTP, and its answer, which does not. The process with the
 * engine answers its own requests and those of gateways in the same way.
 */
import { type Call, takesRequestId } from '#contract/call.ts';
import type { CallName } from '#contract/registry.ts';
import type { CookieChange } from '#server/people/players/call-cookies.ts';
import type { TokenClaim } from '#server/people/players/logins.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

/** A receipt in the answer, or its reference alone. */
export type ReceiptWish = 'now' | 'later';

/** A request that was checked against the contract: its host, the seal of its token, its fields. */
export interface CheckedCall {
	name: CallName;
	/** The host of a brand. */
	host: string;
	/** From the access token. Null without one, if the call needs none, or if a forged one is acceptable. */
	claim: TokenClaim | null;
	/** The fields, parsed by the call's schema. */
	input: unknown;
	/** Of the client, past our own proxies. */
	address: string;
	/** Two letters, as a trusted proxy reports it; null if unknown. */
	country: string | null;
	/** The Cookie header; empty without one. */
	cookies: string;
	/** For a versioned call, the client's version of the lists; missing if it names none. */
	seen?: number | undefined;
	/** Whether the client asks for a receipt, or for a reference with which it gets one later. */
	wantsReceipt?: ReceiptWish | undefined;
	/** Names the request in the logs of all processes. */
	requestId: string;
	/** The span that it belongs to (traces/traces); missing unless the call is traced. */
	trace?: string | undefined;
	/** When the server had received the whole request, on the monotonic clock of the process that answers. */
	receivedMs: number;
	/** The deadline of the answer, on the same clock. */
	untilMs: number;
}

export interface CallAnswer {
	/** The `result` of the envelope, as JSON. */
	json: string;
	/** Cookies that the device should keep or drop. */
	cookies: readonly CookieChange[];
	/** Of a versioned call. */
	etag?: string | undefined;
	/** Whose login it was answered for; missing without one, and in what a gateway gets. */
	playerId?: number | undefined;
	/** As text (public-log/receipt), where the client asked for one. */
	receipt?: string | undefined;
}

/** @throws Refused with a code of the catalogue; anything else is a fault */
export type AnswerCall = (call: CheckedCall) => Promise<CallAnswer>;

/** Whether a call may be sent again if its first answer was lost: it only reads, or has a request id. */
export const isRepeatable = (call: Call): boolean => !call.changesState || takesRequestId(call);

/** @throws Refused SITE_SUSPENDED */
export function refuseSuspended(call: Call, { setting }: Brand): void {
	if (setting.siteSuspended && !call.whileSuspended) throw new Refused('SITE_SUSPENDED');
}
