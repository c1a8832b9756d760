import { type HandlersOf, type Parts, showsSport } from '#server/calls/handler.ts';
import { Refused } from '#values/error-catalogue.ts';

export const scoreHandlers = ({ fixtures }: Parts): HandlersOf<'getScoreCard' | 'getVideoLink'> => ({
	getScoreCard: ({ eventId }, caller) => {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		if (!showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
		return fixtures.score(fixture.id);
	},
	getVideoLink: ({ eventId }, caller) => {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		if (!showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
		if (fixture.streamUrl) return { kind: 'HLS', url: fixture.streamUrl };
		// The tracker is drawn from the score alone.
		const drawn = fixture.status === 'IN_PLAY' && fixtures.score(fixture.id) !== null;
		return { kind: drawn ? 'TRACKER' : 'NONE' };
	},
});
