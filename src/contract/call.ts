/**
 * The wire contract: every call is declared once here, and server, site, OpenAPI and tests read this declaration.
 * A call belongs to the file of its noun in `calls/`; `registry.ts` lists them all.
 */

import type * as v from 'valibot';
import type { ErrorCode } from '#values/error-catalogue.ts';

type Schema = v.GenericSchema;

export interface Call<Request extends Schema = Schema, Response extends Schema = Schema> {
	readonly method: 'GET' | 'POST';
	/** Exactly the specification's path, without a leading slash; matched without regard to case. */
	readonly path: string;
	/** none: the token is not looked at · optional: used when it is alive · player: 401 without a living one. */
	readonly auth: 'none' | 'optional' | 'player';
	/** True for the specification's calls that do not show the loading indicator. */
	readonly quiet: boolean;
	/**
	 * Whether a GET does more than read. Such a call has no HEAD, and is refused to prefetching and to pages of other
	 * sites, because browsers send all three without being asked by the player.
	 */
	readonly changesState: boolean;
	/** Answered while the site is suspended too: log-in, the player's own records, and cancelling. */
	readonly whileSuspended: boolean;
	/** Calls a minute from one network, unless the server is started with another factor; null for no limit of the call's own. */
	readonly perMinute: number | null;
	/** Where the request's fields travel: GET always in the query; POST in the body unless it says query. */
	readonly from: 'query' | 'body';
	/** Unknown fields are refused on calls that move money or change an account; the request schema is strict then. */
	readonly request: Request;
	/** The shape of `result` in the envelope. */
	readonly response: Response;
	/** One sentence for the OpenAPI document. */
	readonly summary: string;
}

/** Declares a call; exists so that the schemas' types are kept. */
export function defineCall<Request extends Schema, Response extends Schema>(
	call: Omit<Call<Request, Response>, 'method' | 'changesState' | 'quiet' | 'whileSuspended' | 'perMinute' | 'from'> & {
		quiet?: boolean;
		whileSuspended?: boolean;
		perMinute?: number;
		from?: 'query' | 'body';
	} & Method,
): Call<Request, Response> {
	return {
		quiet: false,
		whileSuspended: false,
		perMinute: null,
		changesState: true,
		from: call.method === 'GET' ? 'query' : 'body',
		...call,
	};
}

/** Every GET says whether it changes state; a POST may, and needs no care beyond what browsers take of it. */
type Method = { method: 'GET'; changesState: boolean } | { method: 'POST' };

/** Whether a call takes a `clientRequestId`, the idempotency key of calls that move money. */
export const takesRequestId = ({ request }: Call): boolean =>
	'entries' in request && 'clientRequestId' in (request.entries as object);

/** What a handler gets, validated. */
export type RequestOf<C> = C extends Call<infer Request, Schema> ? v.InferOutput<Request> : never;
/** What a client sends. */
export type InputOf<C> = C extends Call<infer Request, Schema> ? v.InferInput<Request> : never;
/** The `result` of a successful answer, as it stands on the wire. */
export type ResultOf<C> = C extends Call<Schema, infer Response> ? v.InferInput<Response> : never;

/** Every answer's outer shape. */
export interface Envelope<Result = unknown> {
	success: boolean;
	result: Result | null;
	error: WireError | null;
	unAuthorizedRequest: boolean;
}

export interface WireError {
	code: ErrorCode;
	message: string;
	details: Record<string, unknown>;
	validationErrors: { member: string; message: string }[];
}
