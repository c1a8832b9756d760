/**
 * The service's scores, races and in-play data, of which there are none here: lists are empty. Scores of fixtures are in the
 * site's own calls.
 */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { operation } from '#server/doors/bots-api/operation.ts';

const none = operation({ request: v.looseObject({}), run: () => [] });

export const SCORE_OPERATIONS = {
	listRaceDetails: none,
	listAvailableEvents: none,
	listScores: none,
	listIncidents: none,
};

/** Paths of the in-play and race-card services. */
const PATHS = [
	'/inplayservice/v1/eventTimeline',
	'/inplayservice/v1/eventTimelines',
	'/inplayservice/v1/scores',
	'/rest/v2/raceCard',
	'/rest/v2/raceResults',
];

export function scoreRoutes(scope: FastifyInstance): void {
	for (const path of PATHS) scope.get(path, () => []);
	// Clients of race cards look for a key in the service's page before they ask.
	scope.get('/exchange/plus/', () => ({ default: { EDSKey: 'none' } }));
}
