/** A door for players' calls alone, which a standby has ready before it takes over. It listens on no port of its own. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import { callRoutes } from '#server/doors/http/call-routes.ts';
import { plainServer } from '#server/doors/http/plain-server.ts';
import { requestBrand } from '#server/doors/http/request-brand.ts';
import type { Logins } from '#server/people/players/logins.ts';
import type { Config } from '#server/process/config.ts';
import type { Brands } from '#server/world/brands/brands.ts';

/** What it needs of the server, which is there when the standby has taken over. */
export interface BehindCalls {
	answer: AnswerCall;
	brands: Pick<Brands, 'byHost'>;
	tokens: Pick<Logins, 'claimOf'>;
}

/** @param behind no request comes before it is there */
export async function openCallDoor(config: Config, log: Logger, behind: () => BehindCalls): Promise<FastifyInstance> {
	const { trustedProxies, clientTimeoutMs, production, callDeadlineMs, consoleHost } = config;
	const door = plainServer({ trustedProxies, log, clientTimeoutMs, isReady: async () => false });
	requestBrand(door, { byHost: (host) => behind().brands.byHost(host) }, consoleHost);
	callRoutes(door, {
		answer: (call) => behind().answer(call),
		tokens: { claimOf: (token) => behind().tokens.claimOf(token) },
		production,
		callDeadlineMs,
		traces: null,
		log,
	});
	await door.ready();
	return door;
}
