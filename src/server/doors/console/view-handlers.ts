/** The calls of a member's saved views. */
import type { FastifyRequest } from 'fastify';
import type { ConsoleCookies } from '#server/doors/console/console-cookies.ts';
import type { SessionHandlers } from '#server/doors/console/session-handler.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';

export function viewHandlers(
	{ access, savedViews }: Staff,
	cookies: ConsoleCookies,
): Pick<SessionHandlers, 'views' | 'save-view' | 'remove-view'> {
	const staffIdOf = (request: FastifyRequest) => access.require(cookies.session(request)).member.staffId;
	return {
		views: (_, request) => savedViews.of(staffIdOf(request)),
		'save-view': async (view, request) => {
			await savedViews.save(staffIdOf(request), view);
			return { saved: true };
		},
		'remove-view': async ({ name }, request) => {
			await savedViews.remove(staffIdOf(request), name);
			return { removed: true };
		},
	};
}
