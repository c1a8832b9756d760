/**
 * The seam between the front of a call, which knows HTTP, and its answer, which does not. The process with the engine
 * answers its own requests and those of gateways in the same way.
 */
import { type Call, takesRequestId } from '#contract/call.ts';
import type { CallName } from '#contract/registry.ts';
import type { CookieChange } from '#server/people/players/call-cookies.ts';
import type { TokenClaim } from '#server/people/players/logins.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

/** A request that was checked against the contract: its host, the seal of its token, its fields. */
export interface CheckedCall {
	name: CallName;
	/** The host of a brand. */
	host: string;
	/** From the access token. Null without one, where the call needs none, or where a forged one may stand. */
	claim: TokenClaim | null;
	/** What the call's schema made of the fields. */
	input: unknown;
	/** Of the client, past our own proxies. */
	address: string;
	/** Two letters, as a trusted proxy knows it; null when none says. */
	country: string | null;
	/** The Cookie header; empty without one. */
	cookies: string;
	/** Of a versioned call, the version of the lists that the client has; missing when it names none. */
	seen?: number | undefined;
	/** Names the request in the logs of all processes. */
	requestId: string;
	/** The span that it belongs to (traces/traces); missing unless the call is traced. */
	trace?: string | undefined;
	/** When the server had the whole request, on the monotonic clock of the process that answers. */
	receivedMs: number;
	/** When the answer is due, on the same clock. */
	untilMs: number;
}

export interface CallAnswer {
	/** The `result` of the envelope, as JSON. */
	json: string;
	/** What the device should keep or drop. */
	cookies: readonly CookieChange[];
	/** Of a versioned call. */
	etag?: string | undefined;
}

/** @throws Refused with a code of the catalogue; anything else is a fault */
export type AnswerCall = (call: CheckedCall) => Promise<CallAnswer>;

/** Whether a call may be sent a second time when its first answer was lost: it only reads, or its request id is known. */
export const isRepeatable = (call: Call): boolean => !call.changesState || takesRequestId(call);

/** @throws Refused SITE_SUSPENDED */
export function refuseSuspended(call: Call, { setting }: Brand): void {
	if (setting.siteSuspended && !call.whileSuspended) throw new Refused('SITE_SUSPENDED');
}
