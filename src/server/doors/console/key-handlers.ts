/** The calls of security keys: showing one in place of a code, and the member's own. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { ConsoleCookies } from '#server/doors/console/console-cookies.ts';
import type { SessionHandlers } from '#server/doors/console/session-handler.ts';
import type { Site } from '#server/people/factors/web-authn.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';

type KeyCalls = 'begin-key' | 'show-key' | 'keys' | 'begin-adding-key' | 'finish-adding-key' | 'remove-key';

/** The console as browsers name it: routes match its own host alone, so the request's host is trusted. */
export const siteOf = (request: FastifyRequest, production: boolean): Site => ({
	host: request.hostname,
	origin: `${production ? 'https' : request.protocol}://${request.host}`,
});

export function keyHandlers(
	{ access, securityKeys }: Staff,
	cookies: ConsoleCookies,
	production: boolean,
): Pick<SessionHandlers, KeyCalls> {
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
			access.welcome(token, cookies.jar(request, reply));
			return { stage: 'IN' };
		},
		keys: (_, request) =>
			securityKeys.of(presentOf(request).member.staffId).map(({ keyId, name, createdAtMs, lastUsedAtMs }) => ({
				keyId,
				name,
				createdAt: new Date(createdAtMs).toISOString(),
				lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
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
	};
}
