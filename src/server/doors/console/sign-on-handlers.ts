/** The calls of the company's log-in. The issuer sends the browser to a page of the console, whose script ends it. */
import type { ConsoleCookies } from '#server/doors/console/console-cookies.ts';
import { siteOf } from '#server/doors/console/key-handlers.ts';
import type { SessionHandlers } from '#server/doors/console/session-handler.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';
import { Refused } from '#values/error-catalogue.ts';
import { SIGN_ON_PATH } from '#values/sign-on-path.ts';

export function signOnHandlers(
	{ access, signOn }: Staff,
	cookies: ConsoleCookies,
	production: boolean,
): Pick<SessionHandlers, 'begin-sign-on' | 'finish-sign-on'> {
	return {
		'begin-sign-on': async (_, request, reply) => {
			if (!signOn) throw new Refused('NOT_FOUND');
			const { origin } = siteOf(request, production);
			const { url, browser } = await signOn.begin(`${origin}${SIGN_ON_PATH}`, request.ip);
			cookies.keepSignOn(request, reply, browser);
			return { url };
		},
		'finish-sign-on': async (answer, request, reply) => {
			if (!signOn) throw new Refused('NOT_FOUND');
			const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined);
			const signedOn = await signOn.finish(Object.fromEntries(given), cookies.signOn(request));
			cookies.dropSignOn(request, reply);
			// An earlier session ends, so that one browser holds one.
			await access.logOut(cookies.session(request));
			const jar = cookies.jar(request, reply);
			const userAgent = request.headers['user-agent'] ?? '';
			const visit = { address: request.ip, userAgent, device: cookies.device(request), cookies: jar };
			const { token, stage } = await access.signOn(signedOn, visit);
			cookies.keepSession(request, reply, token);
			access.welcome(token, jar);
			return { stage };
		},
	};
}
