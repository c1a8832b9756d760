/** Each call of the contract as a route: brand by host, login by token, input by schema, answer in the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { type Call, takesRequestId } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { Caller, HandlersOf } from '#server/calls/handler.ts';
import { cookieJar } from '#server/http/cookies.ts';
import { encodedLike, fieldsOf } from '#server/http/encoding-mode.ts';
import { answerOf, Invalid, succeeded } from '#server/http/envelope.ts';
import { send } from '#server/http/plain-server.ts';
import { brandOf } from '#server/http/request-brand.ts';
import type { Players } from '#server/players/players.ts';
import { RateLimit } from '#server/players/rate-limit.ts';
import type { SportPermissions } from '#server/players/sport-permissions.ts';
import { Refused } from '#values/error-catalogue.ts';
import { networkOf } from '#values/network.ts';
import { isStorable } from '#values/storable.ts';

export interface CallRouteOptions {
	handlers: HandlersOf<CallName>;
	players: Players;
	sports: SportPermissions;
	rateLimitFactor: number;
	/** True makes cookies travel over https alone. */
	production: boolean;
	/** How long a call may take after it was received. */
	callDeadlineMs: number;
}

const NONE: ReadonlySet<never> = new Set();

export function callRoutes(server: FastifyInstance, options: CallRouteOptions): void {
	for (const name of Object.keys(CALLS) as CallName[]) {
		const call: Call = CALLS[name];
		const handler = options.handlers[name] as (input: unknown, caller: Caller) => unknown;
		// Passwords have limits of their own (players/login-throttle).
		const limit = call.perMinute === null ? null : new RateLimit(call.perMinute * options.rateLimitFactor);
		const unasked = call.method === 'GET' && call.changesState;
		if (unasked) refuseHead(server, `/${call.path}`);
		server.route({
			method: call.method,
			url: `/${call.path}`,
			exposeHeadRoute: !unasked,
			...(call.largestBody === null ? {} : { bodyLimit: call.largestBody }),
			handler: async (request, reply) => {
				if (unasked) refuseUnasked(request);
				limit?.take(networkOf(request.ip));
				const caller = callerOf(request, reply, call, options);
				const input = inputOf(request, call);
				const answer = succeeded(await handler(input, caller));
				return encodedLike(request, reply, answer);
			},
		});
	}
}

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

/** The country of the request's address. Fastify names the addresses of trusted proxies, and others may write any header. */
export function countryOf({ ips, headers }: FastifyRequest): string | null {
	const country = headers['x-country'];
	const isTrusted = (ips?.length ?? 0) > 1;
	return isTrusted && typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null;
}

function callerOf(
	request: FastifyRequest,
	reply: FastifyReply,
	call: Call,
	{ players, sports, production, callDeadlineMs }: CallRouteOptions,
): Caller {
	const brand = brandOf(request);
	if (brand.setting.siteSuspended && !call.whileSuspended) throw new Refused('SITE_SUSPENDED');
	const cookies = cookieJar(request, reply, production || request.protocol === 'https');
	const visitor = { brand, address: request.ip, country: countryOf(request), cookies };
	// The body was read before: a request that is sent slowly is received when its last byte is.
	const receivedMs = performance.now();
	const untilMs = receivedMs - reply.elapsedTime + callDeadlineMs;
	if (call.auth === 'none') return { visitor, login: null, closedSports: NONE, receivedMs, untilMs };
	const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
	const login = token === '' ? null : players.find(token, brand.host);
	if (call.auth === 'player' && !login) throw new Refused(token === '' ? 'NOT_LOGGED_IN' : 'LOGIN_EXPIRED');
	return { visitor, login, closedSports: login ? sports.closed(login.playerId) : NONE, receivedMs, untilMs };
}

function inputOf(request: FastifyRequest, call: Call): unknown {
	const fields = fieldsOf(request, call.from);
	checkIdempotencyKey(request.headers['idempotency-key'], call, fields);
	// The body was checked when it was read; the query arrives as the router parsed it.
	const unstorable = Object.entries(fields).find(([, value]) => !isStorable(value));
	if (unstorable) throw new Invalid([{ member: unstorable[0], message: 'This text cannot be read.' }]);
	const parsed = v.safeParse(call.request, fields, { message: NO_MESSAGE });
	if (parsed.success) return parsed.output;
	throw new Invalid(parsed.issues.map(validationError));
}

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
