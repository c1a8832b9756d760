import { type Caller, type HandlersOf, poolOf, type Shown, showsSport } from '#server/calls/handler.ts';
import { marketView } from '#server/exchange/views/wire-views.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';

export const scoreHandlers = ({
	fixtures,
	exchange,
}: Shown): HandlersOf<'getScoreCard' | 'getVideoLink' | 'getTvStream' | 'getScoreSession'> => {
	/** @throws Refused UNKNOWN_FIXTURE, SPORT_NOT_ALLOWED */
	function shown(eventId: string, caller: Caller): Fixture {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		if (!showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
		return fixture;
	}
	return {
		getScoreCard: ({ eventId }, caller) => fixtures.score(shown(eventId, caller).id),
		getVideoLink: ({ eventId }, caller) => {
			const { id, status, streamUrl } = shown(eventId, caller);
			if (streamUrl) return { kind: 'HLS', url: streamUrl };
			// The tracker is drawn from the score alone.
			const drawn = status === 'IN_PLAY' && fixtures.score(id) !== null;
			return { kind: drawn ? 'TRACKER' : 'NONE' };
		},
		getTvStream: ({ eventId }, caller) => ({ url: shown(eventId, caller).streamUrl || null }),
		getScoreSession: ({ eventId }, caller) => {
			const { id } = shown(eventId, caller);
			const sessions = fixtures.markets(id).filter(({ bettingModel }) => bettingModel === 'FANCY');
			return {
				score: fixtures.score(id),
				sessions: sessions.map((listing) => {
					const book = exchange.book(listing.id, poolOf(caller));
					const { name, status, lines = [] } = marketView(listing, exchange.market(listing.id), book);
					return { marketId: String(listing.id), name, status, lines };
				}),
			};
		},
	};
};
