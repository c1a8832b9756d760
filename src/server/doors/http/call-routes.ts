/** Each call of the contract as a route: brand by host, token by its seal, input by schema, answer in the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { type Call, takesRequestId } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { type AnswerCall, type CheckedCall, type ReceiptWish, refuseSuspended } from '#server/calls/checked-call.ts';
import { changeCookies } from '#server/doors/http/cookies.ts';
import { encodedLike, fieldsOf } from '#server/doors/http/encoding-mode.ts';
import { answerOf, Invalid, succeededWith } from '#server/doors/http/envelope.ts';
import { readForms } from '#server/doors/http/form-bodies.ts';
import { named } from '#server/doors/http/named-plugin.ts';
import { JSON_TYPE, send } from '#server/doors/http/plain-server.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '#server/doors/http/request-id.ts';
import { tracedRequests } from '#server/doors/http/traced-request.ts';
import type { Traces } from '#server/doors/traces/traces.ts';
import type { Logins, TokenClaim } from '#server/people/players/logins.ts';
import { Refused } from '#values/error-catalogue.ts';
import { isStorable } from '#values/storable.ts';

/**
 * `yes` in a request asks for a receipt, and `later` for the reference of one; the answer has it under the same name.
 */
const RECEIPT_HEADER = 'x-receipt';
const RECEIPT_WISHES: ReadonlyMap<string, ReceiptWish> = new Map([
	['yes', 'now'],
	['later', 'later'],
]);

export interface CallRouteOptions {
	/** Answers in this process, or over the bus. */
	answer: AnswerCall;
	tokens: Pick<Logins, 'claimOf'>;
	/** True makes cookies travel over https alone. */
	production: boolean;
	/** The time limit of a call after its receipt. */
	callDeadlineMs: number;
	/** Null where no collector is configured. */
	traces: Traces | null;
	log: Logger;
}

export function callRoutes(server: FastifyInstance, options: CallRouteOptions): void {
	const names = Object.keys(CALLS) as CallName[];
	addCalls(
		server,
		names.filter((name) => !takesForm(name)),
		options,
	);
	const ofForms = async (scope: FastifyInstance): Promise<void> => {
		readForms(scope);
		addCalls(scope, names.filter(takesForm), options);
	};
	void server.register(named('calls that take forms', ofForms));
}

const takesForm = (name: CallName): boolean => (CALLS[name] as Call).takesForm;

function addCalls(server: FastifyInstance, names: readonly CallName[], options: CallRouteOptions): void {
	const { answer, production, traces, log } = options;
	for (const name of names) {
		const call: Call = CALLS[name];
		const unasked = call.method === 'GET' && call.changesState;
		if (unasked) refuseHead(server, `/${call.path}`);
		server.route({
			method: call.method,
			url: `/${call.path}`,
			exposeHeadRoute: !unasked,
			...(call.largestBody === null ? {} : largeBody(call, call.largestBody, options)),
			handler: tracedRequests(traces, name, async (request, reply, trace) => {
				if (unasked) refuseUnasked(request);
				const checked = checkedCall(request, reply, name, options, trace);
				reply.header(REQUEST_ID_HEADER, checked.requestId);
				const { json, cookies, etag, receipt } = await answer(checked);
				changeCookies(reply, cookies, production || request.protocol === 'https');
				log.debug({ requestId: checked.requestId, call: name }, 'a call was answered');
				if (receipt !== undefined) reply.header(RECEIPT_HEADER, receipt);
				if (etag !== undefined) reply.header('ETag', etag).header('Cache-Control', 'private, no-cache');
				if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send();
				return reply.type(JSON_TYPE).send(encodedLike(request, reply, succeededWith(json)));
			}),
		});
	}
}

/** The token is looked at before a large body is read. */
const largeBody = (call: Call, bodyLimit: number, { tokens }: Pick<CallRouteOptions, 'tokens'>) => ({
	bodyLimit,
	onRequest: async (request: FastifyRequest): Promise<void> => {
		refuseSuspended(call, brandOf(request));
		claimOf(request, call, tokens);
	},
});

function refuseHead(server: FastifyInstance, url: string): void {
	server.head(url, (request, reply) => send(request, reply.header('Allow', 'GET'), answerOf('METHOD_NOT_ALLOWED')));
}

/**
 * Browsers send GETs for images of other sites' pages and to prefetch. Neither may change anything. Clients that send
 * no such headers are not browsers.
 * @throws Refused FORBIDDEN
 */
function refuseUnasked({ headers }: FastifyRequest): void {
	const prefetches = ['purpose', 'sec-purpose', 'x-moz'].some((name) => /prefetch/i.test(String(headers[name] ?? '')));
	if (prefetches || headers['sec-fetch-site'] === 'cross-site') throw new Refused('FORBIDDEN');
}

/** The country of the request's address. Fastify identifies trusted proxies; other senders may write any header. */
export function countryOf({ ips, headers }: FastifyRequest): string | null {
	const country = headers['x-country'];
	const isTrusted = (ips?.length ?? 0) > 1;
	return isTrusted && typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null;
}

function checkedCall(
	request: FastifyRequest,
	reply: FastifyReply,
	name: CallName,
	{ tokens, callDeadlineMs }: CallRouteOptions,
	trace: string | undefined,
): CheckedCall {
	const call: Call = CALLS[name];
	const brand = brandOf(request);
	refuseSuspended(call, brand);
	// Runs after the body was read: a slow request counts as received with its last byte.
	const receivedMs = performance.now();
	return {
		name,
		host: brand.host,
		claim: call.auth === 'none' ? null : claimOf(request, call, tokens),
		input: inputOf(request, call),
		address: request.ip,
		country: countryOf(request),
		cookies: request.headers.cookie ?? '',
		seen: call.versioned ? versionOf(request.headers['if-none-match']) : undefined,
		wantsReceipt: RECEIPT_WISHES.get(String(request.headers[RECEIPT_HEADER])),
		requestId: requestIdOf(request),
		trace,
		receivedMs,
		untilMs: receivedMs - reply.elapsedTime + callDeadlineMs,
	};
}

/** The version in a tag of a list (`Call.versioned`). */
function versionOf(tag: string | undefined): number | undefined {
	const [, version] = /^W\/"(\d{1,16})\./.exec(tag ?? '') ?? [];
	return version === undefined ? undefined : Number(version);
}

/** @throws Refused if the call needs a token, and there is none, or its seal is not valid */
function claimOf({ headers }: FastifyRequest, { auth }: Call, tokens: CallRouteOptions['tokens']): TokenClaim | null {
	const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
	const claim = token === '' ? null : tokens.claimOf(token);
	if (auth === 'player' && !claim) throw new Refused(token === '' ? 'NOT_LOGGED_IN' : 'LOGIN_EXPIRED');
	return claim;
}

function inputOf(request: FastifyRequest, call: Call): unknown {
	const fields = fieldsOf(request, call.from);
	checkIdempotencyKey(request.headers['idempotency-key'], call, fields);
	// JSON was checked when it was parsed; a query or a form arrives as it was written.
	const isChecked = call.from === 'body' && !call.takesForm;
	const unstorable = isChecked ? undefined : Object.entries(fields).find(([, value]) => !isStorable(value));
	if (unstorable) throw new Invalid([{ member: unstorable[0], message: 'This text cannot be read.' }]);
	const parsed = v.safeParse(call.request, call.from === 'query' ? filled(fields) : fields, { message: NO_MESSAGE });
	if (parsed.success) return parsed.output;
	throw new Invalid(parsed.issues.map(validationError));
}

/** An empty field of a query counts as absent. */
const filled = (fields: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Replaces the validation library's own messages, which name types. */
const NO_MESSAGE = '';

/** The schema's own message, or the specification's (section 5) for a field without one. */
function validationError(issue: v.BaseIssue<unknown>): { member: string; message: string } {
	const member = issue.path?.map(({ key }) => String(key)).join('.') ?? '';
	if (issue.message !== NO_MESSAGE) return { member, message: issue.message };
	const isMissing = issue.received === 'undefined' && issue.expected !== 'never';
	return { member, message: isMissing ? `${member} is a required field` : `${member} is not valid.` };
}

/**
 * The key of a call is the `clientRequestId` among its fields. A header with the same key is accepted. Another key, or
 * a key for a call without one, is refused, because ignoring it would break the promise that the header makes.
 * @throws Refused WRONG_IDEMPOTENCY_KEY
 */
function checkIdempotencyKey(header: string | string[] | undefined, call: Call, fields: Record<string, unknown>): void {
	if (header === undefined) return;
	// The Internet-Draft writes the key as a quoted string; many clients leave the quotes out.
	const key = String(header).replace(/^"(.*)"$/, '$1');
	if (!takesRequestId(call) || fields['clientRequestId'] !== key) throw new Refused('WRONG_IDEMPOTENCY_KEY');
}
