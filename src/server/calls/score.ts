import { type HandlersOf, type Parts, showsSport } from '#server/calls/handler.ts';
import { Refused } from '#values/error-catalogue.ts';

export const scoreHandlers = ({ fixtures }: Parts): HandlersOf<'getScoreCard'> => ({
	getScoreCard: ({ eventId }, caller) => {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		if (!showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
		return fixtures.score(fixture.id);
	},
});
