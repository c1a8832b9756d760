import type { HandlersOf, Parts } from '#server/calls/handler.ts';
import { Refused } from '#values/error-catalogue.ts';

export const scoreHandlers = ({ fixtures }: Parts): HandlersOf<'getScoreCard'> => ({
	getScoreCard: ({ eventId }) => {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		return fixtures.score(fixture.id);
	},
});
