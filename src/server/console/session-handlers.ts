/** The calls of logging in: they set the session's cookie and need no permission. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeQR } from 'qr';
import type * as v from 'valibot';
import type { SESSION_CALLS, SessionCallName } from '#contract/operators/session.ts';
import type { ConsoleCookies } from '#server/console/console-cookies.ts';
import { isoTime } from '#server/exchange/wire-views.ts';
import type { Staff } from '#server/staff/open-staff.ts';
import type { Site } from '#server/staff/security-keys.ts';

type Session = typeof SESSION_CALLS;

type SessionHandlers = {
	[Name in SessionCallName]: (
		input: v.InferOutput<Session[Name]['input']>,
		request: FastifyRequest,
		reply: FastifyReply,
	) => Promise<v.InferInput<Session[Name]['response']>> | v.InferInput<Session[Name]['response']>;
};

const NO_MEMBER = { stage: null, name: '', permissions: [], brands: [], hasFactor: false, hasKeys: false };

/** The console as browsers name it: routes match its own host alone, so the request's host is trusted. */
const siteOf = (request: FastifyRequest, production: boolean): Site => ({
	host: request.hostname,
	origin: `${production ? 'https' : request.protocol}://${request.host}`,
});

export function sessionHandlers(
	{ access, directory, securityKeys }: Staff,
	cookies: ConsoleCookies,
	production: boolean,
): SessionHandlers {
	const presentOf = (request: FastifyRequest) => access.require(cookies.session(request));
	return {
		'begin-key': async (_, request) => ({
			...(await access.beginKey(cookies.session(request), siteOf(request, production))),
		}),
		'show-key': async ({ response, remember }, request, reply) => {
			const shown = { response: response as unknown as AuthenticationResponseJSON, remember };
			const site = siteOf(request, production);
			const { token, device } = await access.showKey(cookies.session(request), shown, site, request.ip);
			cookies.keepSession(request, reply, token);
			if (device) cookies.keepDevice(request, reply, device);
			return { stage: 'IN' };
		},
		keys: (_, request) =>
			securityKeys.of(presentOf(request).member.staffId).map(({ keyId, name, createdAtMs, lastUsedAtMs }) => ({
				keyId,
				name,
				createdAt: isoTime(createdAtMs),
				lastUsedAt: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
			})),
		'begin-adding-key': async (_, request) => ({
			...(await access.beginAddingKey(presentOf(request), siteOf(request, production))),
		}),
		'finish-adding-key': async ({ name, response }, request) => {
			const added = { name, response: response as unknown as RegistrationResponseJSON };
			const site = siteOf(request, production);
			await access.finishAddingKey(presentOf(request), { ...added, site }, request.ip);
			return { added: true };
		},
		'remove-key': async (removed, request) => {
			await access.removeKey(presentOf(request), removed, request.ip);
			return { removed: true };
		},
		'log-in': async ({ name, password }, request, reply) => {
			// A session from before ends, so that one browser holds one.
			await access.logOut(cookies.session(request));
			const userAgent = request.headers['user-agent'] ?? '';
			const visit = { address: request.ip, userAgent, device: cookies.device(request) };
			const { token, stage } = await access.logIn(name, password, visit);
			cookies.keepSession(request, reply, token);
			return { stage };
		},
		'show-code': async ({ code, remember }, request, reply) => {
			const { token, device } = await access.showCode(cookies.session(request), code, remember, request.ip);
			cookies.keepSession(request, reply, token);
			if (device) cookies.keepDevice(request, reply, device);
			return { stage: 'IN' };
		},
		'begin-enrolment': (_, request) => {
			const { secret, uri } = access.beginEnrolment(cookies.session(request));
			return { secret, uri, qr: encodeQR(uri, 'svg', { ecc: 'medium' }) };
		},
		'finish-enrolment': async ({ code }, request, reply) => {
			const { token, codes } = await access.finishEnrolment(cookies.session(request), code, request.ip);
			cookies.keepSession(request, reply, token);
			return { recoveryCodes: codes };
		},
		me: (_, request) => {
			const found = access.standing(cookies.session(request));
			if (!found) return NO_MEMBER;
			const { member, stage } = found;
			const hasKeys = securityKeys.of(member.staffId).length > 0;
			if (stage !== 'IN') return { ...NO_MEMBER, stage, hasKeys };
			const permissions = [...directory.permissionsOf(member)];
			return { stage, name: member.name, permissions, brands: member.brands, hasFactor: member.totp !== null, hasKeys };
		},
		'change-password': async ({ current, next }, request) => {
			await access.changePassword(access.require(cookies.session(request)), current, next, request.ip);
			return { changed: true };
		},
		'log-out': async (_, request, reply) => {
			await access.logOut(cookies.session(request));
			cookies.dropSession(request, reply);
			return { ended: true };
		},
	};
}
