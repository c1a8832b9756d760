/** The calls of logging in: they set the session's cookie and need no permission. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeQR } from 'qr';
import type * as v from 'valibot';
import type { SESSION_CALLS, SessionCallName } from '#contract/operators/session.ts';
import type { ConsoleCookies } from '#server/console/console-cookies.ts';
import type { Staff } from '#server/staff/open-staff.ts';

type Session = typeof SESSION_CALLS;

type SessionHandlers = {
	[Name in SessionCallName]: (
		input: v.InferOutput<Session[Name]['input']>,
		request: FastifyRequest,
		reply: FastifyReply,
	) => Promise<v.InferInput<Session[Name]['response']>> | v.InferInput<Session[Name]['response']>;
};

const NO_MEMBER = { stage: null, name: '', permissions: [], brands: [], hasFactor: false };

export function sessionHandlers({ access, directory }: Staff, cookies: ConsoleCookies): SessionHandlers {
	return {
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
			if (stage !== 'IN') return { ...NO_MEMBER, stage };
			const permissions = [...directory.permissionsOf(member)];
			return { stage, name: member.name, permissions, brands: member.brands, hasFactor: member.totp !== null };
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
