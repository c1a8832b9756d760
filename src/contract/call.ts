/**
 * The wire contract: every call is declared once here, and server, site, OpenAPI and tests read this declaration.
 * A call belongs to the file of its noun in `calls/`; `registry.ts` lists them all.
 */

import type * as v from 'valibot';
import type { ErrorCode } from '#values/error-catalogue.ts';
import type { PoolKind } from '#values/pool-kinds.ts';

type Schema = v.GenericSchema;

export interface Call<Request extends Schema = Schema, Response extends Schema = Schema> {
	readonly method: 'GET' | 'POST';
	/** The kind of money that the call is about, in the brand's currency; null for the caller's pool: the player's own, or the brand's for a visitor. */
	readonly pool: PoolKind | null;
	/** The field with a token of the login that the call is about, and its kind; null where the header has it. */
	readonly tokenIn: { readonly field: string; readonly kind: 'access' | 'refresh' } | null;
	/** Exactly the specification's path, without a leading slash; matched without regard to case. */
	readonly path: string;
	/** none: the token is ignored · optional: used when it is valid · player: 401 without a valid one. */
	readonly auth: 'none' | 'optional' | 'player';
	/** True for the specification's calls that do not show the loading indicator. */
	readonly quiet: boolean;
	/**
	 * Whether a GET does more than read. Such a call has no HEAD, and is refused to prefetching and to pages of other
	 * sites, because browsers send all three without being asked by the player.
	 */
	readonly changesState: boolean;
	/** Also answered while the site is suspended: log-in, the player's own records, and cancelling. */
	readonly whileSuspended: boolean;
	/**
	 * Whether it moves a player's money, or opens a door to it: a player who was idle for as long as the profile of the
	 * brand says gives the password before. Cancelling moves none.
	 */
	readonly movesMoney: boolean;
	/** Calls a minute from one network, times the server's factor; null without a limit of its own. */
	readonly perMinute: number | null;
	/**
	 * Whether the answer has an ETag, `W/"VERSION.…"`, with the version of the lists that `EventUpdate` counts on. Equal tags
	 * mean equal rows; prices in them may differ, because those come by the hub.
	 */
	readonly versioned: boolean;
	/** The host of the call: the server's own, the casino's or the payments', as set in the domain setting. */
	readonly host: 'server' | 'casino' | 'payments';
	/**
	 * Whether the body may also be a form, as OAuth's clients send it. No other call takes one, because a page of another
	 * site can make a browser send one unasked.
	 */
	readonly takesForm: boolean;
	/** Limit of the body's size in bytes; null for the general limit. */
	readonly largestBody: number | null;
	/** Where the request's fields travel: GET always in the query; POST in the body unless it says query. */
	readonly from: 'query' | 'body';
	/** Calls that move money or change an account refuse unknown fields; their request schema is strict. */
	readonly request: Request;
	/** The shape of `result` in the envelope. */
	readonly response: Response;
	/** One sentence for the OpenAPI document. */
	readonly summary: string;
}

/** Declares a call; the function exists to infer the types of the schemas. */
export function defineCall<Request extends Schema, Response extends Schema>(
	call: Omit<
		Call<Request, Response>,
		| 'method'
		| 'pool'
		| 'tokenIn'
		| 'changesState'
		| 'quiet'
		| 'whileSuspended'
		| 'movesMoney'
		| 'perMinute'
		| 'versioned'
		| 'host'
		| 'takesForm'
		| 'largestBody'
		| 'from'
	> & {
		pool?: PoolKind;
		tokenIn?: { field: string; kind: 'access' | 'refresh' };
		quiet?: boolean;
		whileSuspended?: boolean;
		movesMoney?: boolean;
		perMinute?: number;
		versioned?: boolean;
		host?: 'casino' | 'payments';
		takesForm?: boolean;
		largestBody?: number;
		from?: 'query' | 'body';
	} & Method,
): Call<Request, Response> {
	return {
		pool: null,
		tokenIn: null,
		quiet: false,
		whileSuspended: false,
		movesMoney: false,
		perMinute: null,
		versioned: false,
		host: 'server',
		takesForm: false,
		largestBody: null,
		changesState: true,
		from: call.method === 'GET' ? 'query' : 'body',
		...call,
	};
}

/** Every GET says whether it changes state. A POST may, and browsers already restrict it. */
type Method = { method: 'GET'; changesState: boolean } | { method: 'POST' };

/** Whether a call takes a `clientRequestId`, the idempotency key of calls that move money. */
export const takesRequestId = ({ request }: Call): boolean =>
	'entries' in request && 'clientRequestId' in (request.entries as object);

/** The validated input of a handler. */
export type RequestOf<C> = C extends Call<infer Request, Schema> ? v.InferOutput<Request> : never;
/** The input as a client sends it. */
export type InputOf<C> = C extends Call<infer Request, Schema> ? v.InferInput<Request> : never;
/** The `result` of a successful answer, in its wire form. */
export type ResultOf<C> = C extends Call<Schema, infer Response> ? v.InferInput<Response> : never;

/** The outer shape of every answer. */
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
