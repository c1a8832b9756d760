/**
 * The interface that programs for Betfair's API-NG speak, over the handlers of the site's calls: it translates fields and
 * errors and has no rule of its own. Its answers have the service's shapes, its errors too.
 */
import type { FastifyInstance } from 'fastify';
import { identityRoutes } from '#server/bots-api/identity.ts';
import type { Players } from '#server/players/players.ts';

/** Bytes of a call with 200 instructions, several times over. */
const LARGEST_BODY = 512 * 1024;

export interface BotsOptions {
	players: Players;
}

// biome-ignore lint/suspicious/useAwait: Fastify awaits plugins.
export async function botsRoutes(scope: FastifyInstance, options: BotsOptions): Promise<void> {
	scope.removeAllContentTypeParsers();
	// Each route reads its body itself: bots send forms and JSON under many types.
	scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BODY }, (_, body, done) => done(null, body));
	identityRoutes(scope, options.players);
}
