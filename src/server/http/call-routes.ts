/** Every call of the contract as a route: brand by host, login by token, input by schema, answer in the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { Accounts } from '#server/accounts/accounts.ts';
import { RateLimit } from '#server/accounts/rate-limit.ts';
import type { Brands } from '#server/brands/brands.ts';
import type { Caller, HandlersOf } from '#server/calls/handler.ts';
import { Invalid, succeeded } from '#server/http/envelope.ts';
import { encodePayload, fieldsOf } from '#server/http/request-body.ts';
import { Refused } from '#values/error-catalogue.ts';

export interface CallRouteOptions {
	handlers: HandlersOf<CallName>;
	accounts: Accounts;
	brands: Brands;
	rateLimitFactor: number;
}

/** A minute, an address. */
const LIMITS: Partial<Record<CallName, number>> = {
	loginAsDemoUser: 20,
	authenticate: 20,
	register: 10,
	verificationUser: 20,
	resendVerificationCode: 10,
	changePassword: 10,
	exchangeToken: 120,
	refreshToken: 120,
	getAccessTokenValidateTime: 120,
};

export function callRoutes(server: FastifyInstance, options: CallRouteOptions): void {
	for (const name of Object.keys(CALLS) as CallName[]) {
		const call: Call = CALLS[name];
		const handler = options.handlers[name] as (input: unknown, caller: Caller) => unknown;
		const perMinute = LIMITS[name];
		const limit = perMinute ? new RateLimit(perMinute * options.rateLimitFactor) : null;
		server.route({
			method: call.method,
			url: `/${call.path}`,
			handler: async (request, reply) => {
				limit?.take(request.ip);
				const caller = callerOf(request, call, options);
				const input = inputOf(request, call);
				const answer = succeeded(await handler(input, caller));
				return encodedLike(request, reply, answer);
			},
		});
	}
}

function callerOf(request: FastifyRequest, call: Call, { brands, accounts }: CallRouteOptions): Caller {
	const brand = brands.byHost(request.hostname.toLowerCase());
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	if (brand.setting.siteSuspended) throw new Refused('SITE_SUSPENDED');
	const visitor = { brand, address: request.ip };
	if (call.auth === 'none') return { visitor, login: null };
	const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
	const login = token === '' ? null : accounts.find(token, brand.host);
	if (call.auth === 'player' && !login) throw new Refused(token === '' ? 'NOT_LOGGED_IN' : 'LOGIN_EXPIRED');
	return { visitor, login };
}

function inputOf(request: FastifyRequest, call: Call): unknown {
	const raw = (call.from === 'query' ? request.query : (request.body ?? {})) as Record<string, unknown>;
	const mode = request.headers['x-enc'];
	const parsed = v.safeParse(call.request, fieldsOf(raw, Array.isArray(mode) ? mode[0] : mode));
	if (parsed.success) return parsed.output;
	throw new Invalid(
		parsed.issues.map((issue) => ({
			member: issue.path?.map(({ key }) => String(key)).join('.') ?? '',
			message: issue.message,
		})),
	);
}

/** An encoded question gets an encoded answer. */
export function encodedLike(request: FastifyRequest, reply: FastifyReply, answer: object): object {
	if (request.headers['x-enc'] !== '1') return answer;
	reply.header('X-Enc', '1');
	return { d: encodePayload(answer) };
}
