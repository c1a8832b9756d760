/**
 * Log-in, keep-alive and log-out of bots, in the shapes of Betfair's identity service. A bot sends its player's name and
 * password as a form, with an app key in `X-Application`, and gets a session token for `X-Authentication`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countryOf } from '#server/doors/http/call-routes.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';
import type { CookieJar } from '#server/people/players/known-devices.ts';
import type { Players, Visitor } from '#server/people/players/players.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { isStorable } from '#values/storable.ts';

/** Bots keep no cookies. */
const NO_COOKIES: CookieJar = { names: () => [], find: () => null, keep: () => {}, drop: () => {} };

/** The identity service's code for each reason to refuse a log-in. */
const LOGIN_ERRORS: Partial<Record<ErrorCode, string>> = {
	WRONG_CREDENTIALS: 'INVALID_USERNAME_OR_PASSWORD',
	THROTTLED: 'TEMPORARY_BAN_TOO_MANY_REQUESTS',
	FORBIDDEN: 'ACTIONS_REQUIRED',
	EXCLUDED: 'SELF_EXCLUDED',
	TIMED_OUT: 'SELF_EXCLUDED',
	ACCOUNT_CLOSED: 'CLOSED',
	ACCOUNT_FROZEN: 'SUSPENDED',
	ACCOUNT_LOCKED: 'ACCOUNT_NOW_LOCKED',
	UNKNOWN_DOMAIN: 'INPUT_VALIDATION_ERROR',
	VALIDATION_FAILED: 'INPUT_VALIDATION_ERROR',
};

const LONGEST_FIELD = 256;
/** A form has a name and a password; the sender is not known yet. */
const FORM = { bodyLimit: 16 * 1024 } as const;

export const visitorOf = (request: FastifyRequest): Visitor => ({
	brand: brandOf(request),
	address: request.ip,
	country: countryOf(request),
	cookies: NO_COOKIES,
});

/** The first value of a header; empty without one. */
export function headerOf({ headers }: FastifyRequest, name: string): string {
	const value = headers[name];
	return (Array.isArray(value) ? value[0] : value) ?? '';
}

interface Given {
	userName: string;
	password: string;
	appKey: string;
}

/** @throws Refused VALIDATION_FAILED */
function givenIn(request: FastifyRequest): Given {
	const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
	const given = {
		userName: form.get('username') ?? '',
		password: form.get('password') ?? '',
		appKey: headerOf(request, 'x-application'),
	};
	const isValid = (text: string) => text !== '' && text.length <= LONGEST_FIELD && isStorable(text);
	if (!Object.values(given).every(isValid)) throw new Refused('VALIDATION_FAILED');
	return given;
}

/** The session's token, or the identity service's error. */
async function logIn(request: FastifyRequest, players: Players): Promise<{ token: string } | { error: string }> {
	try {
		return { token: await players.authenticateBot(givenIn(request), visitorOf(request)) };
	} catch (error) {
		const known = error instanceof Refused ? LOGIN_ERRORS[error.code] : undefined;
		if (known === undefined) throw error;
		return { error: known };
	}
}

async function interactive(request: FastifyRequest, players: Players) {
	const product = headerOf(request, 'x-application');
	const answer = await logIn(request, players);
	if ('error' in answer) return { token: '', product, status: 'FAIL', error: answer.error };
	return { token: answer.token, product, status: 'SUCCESS', error: '' };
}

/** The log-in of bots with a client certificate, which a proxy in front may require. */
async function byCertificate(request: FastifyRequest, players: Players) {
	const answer = await logIn(request, players);
	return 'error' in answer ? { loginStatus: answer.error } : { sessionToken: answer.token, loginStatus: 'SUCCESS' };
}

export function identityRoutes(scope: FastifyInstance, players: Players): void {
	scope.post('/api/login', FORM, (request) => interactive(request, players));
	scope.post('/api/certlogin', FORM, (request) => byCertificate(request, players));
	const { apiSessions } = players;
	onToken(scope, '/api/keepAlive', apiSessions, (token) => apiSessions.keepAlive(token));
	onToken(scope, '/api/logout', apiSessions, (token) => apiSessions.end(token));
}

/**
 * A route that acts on a session, and reports whether the session was open. Its GET changes state, as the service's
 * does: the token is in a header that no browser sends on its own.
 */
function onToken(
	scope: FastifyInstance,
	url: string,
	sessions: Players['apiSessions'],
	act: (token: string) => Promise<boolean>,
): void {
	scope.route({
		...FORM,
		method: ['GET', 'POST'],
		url,
		exposeHeadRoute: false,
		handler: async (request) => {
			const token = headerOf(request, 'x-authentication');
			const product = headerOf(request, 'x-application');
			if (token === '') return { token, product, status: 'FAIL', error: 'INPUT_VALIDATION_ERROR' };
			const isOpen = sessions.find(token, brandOf(request)) !== null;
			const done = isOpen && (await act(token));
			return { token, product, status: done ? 'SUCCESS' : 'FAIL', error: done ? '' : 'NO_SESSION' };
		},
	});
}
