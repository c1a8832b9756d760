/** The log-in calls: they set the session's cookie and need no permission. */

import { encodeQR } from 'qr';
import type { ConsoleCookies } from '#server/doors/console/console-cookies.ts';
import { keyHandlers } from '#server/doors/console/key-handlers.ts';
import type { SessionHandlers } from '#server/doors/console/session-handler.ts';
import { signOnHandlers } from '#server/doors/console/sign-on-handlers.ts';
import { viewHandlers } from '#server/doors/console/view-handlers.ts';
import type { OperatorOptions } from '#server/operators/act.ts';

const NO_MEMBER = {
	stage: null,
	name: '',
	permissions: [],
	brands: [],
	hasFactor: false,
	hasKeys: false,
	signOn: null,
	booksZone: '',
};

export function sessionHandlers(
	{ staff, booksZone }: Pick<OperatorOptions, 'staff' | 'booksZone'>,
	cookies: ConsoleCookies,
	production: boolean,
): SessionHandlers {
	const { access, directory, securityKeys, signOn } = staff;
	const nobody = { ...NO_MEMBER, signOn: signOn?.name ?? null };
	return {
		...keyHandlers(staff, cookies, production),
		...viewHandlers(staff, cookies),
		...signOnHandlers(staff, cookies, production),
		'log-in': async ({ name, password }, request, reply) => {
			// An earlier session ends, so that one browser holds one.
			await access.logOut(cookies.session(request));
			const userAgent = request.headers['user-agent'] ?? '';
			const jar = cookies.jar(request, reply);
			const visit = { address: request.ip, userAgent, device: cookies.device(request), cookies: jar };
			const { token, stage } = await access.logIn(name, password, visit);
			cookies.keepSession(request, reply, token);
			access.welcome(token, jar);
			return { stage };
		},
		'show-code': async ({ code, remember }, request, reply) => {
			const { token, device } = await access.showCode(cookies.session(request), code, remember, request.ip);
			cookies.keepSession(request, reply, token);
			if (device) cookies.keepDevice(request, reply, device);
			access.welcome(token, cookies.jar(request, reply));
			return { stage: 'IN' };
		},
		'begin-enrolment': (_, request) => {
			const { secret, uri } = access.beginEnrolment(cookies.session(request));
			return { secret, uri, qr: encodeQR(uri, 'svg', { ecc: 'medium' }) };
		},
		'finish-enrolment': async ({ code }, request, reply) => {
			const { token, codes } = await access.finishEnrolment(cookies.session(request), code, request.ip);
			cookies.keepSession(request, reply, token);
			access.welcome(token, cookies.jar(request, reply));
			return { recoveryCodes: codes };
		},
		me: (_, request) => {
			const found = access.standing(cookies.session(request));
			if (!found) return nobody;
			const { member, stage } = found;
			const hasKeys = securityKeys.of(member.staffId).length > 0;
			if (stage !== 'IN') return { ...nobody, stage, hasKeys };
			const permissions = [...directory.permissionsOf(member)];
			const { name, brands, totp } = member;
			return { stage, name, permissions, brands, hasFactor: totp !== null, hasKeys, signOn: nobody.signOn, booksZone };
		},
		'change-password': async ({ current, next }, request, reply) => {
			const token = cookies.session(request);
			await access.changePassword(access.require(token), current, next, request.ip);
			access.welcome(token, cookies.jar(request, reply));
			return { changed: true };
		},
		'log-out': async (_, request, reply) => {
			await access.logOut(cookies.session(request));
			cookies.dropSession(request, reply);
			return { ended: true };
		},
	};
}
