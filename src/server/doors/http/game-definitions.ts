/** `GET /games/{name}.json`: the definition of a game, for the game's page, under the casino's host. */
import type { FastifyInstance } from 'fastify';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { send } from '#server/doors/http/plain-server.ts';

/** Definitions change with a release, or with a provider's catalogue. */
const HELD_SECONDS = 60;

export function gameDefinitions(server: FastifyInstance, find: FindDefinition): void {
	server.get<{ Params: { name: string } }>('/games/:name.json', async (request, reply) => {
		const definition = await find(request.params.name);
		if (!definition) return send(request, reply, answerOf('UNKNOWN_GAME'));
		return reply.header('Cache-Control', `public, max-age=${HELD_SECONDS}`).send(definition);
	});
}
