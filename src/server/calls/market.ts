import { type HandlersOf, poolOf, type Shown, showsSport } from '#server/calls/handler.ts';
import { marketView } from '#server/exchange/views/wire-views.ts';
import { eventSummary } from '#server/world/fixtures/event-row.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf } from '#values/pools.ts';

export const marketHandlers = ({ fixtures, exchange }: Shown): HandlersOf<'getMarketsByEventId'> => ({
	getMarketsByEventId: ({ eventId }, caller) => {
		const fixture = fixtures.fixture(Number(eventId));
		if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
		if (!showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
		return {
			event: eventSummary(fixture, fixtures),
			markets: fixtures
				.markets(fixture.id)
				.map((listing) =>
					marketView(
						listing,
						exchange.market(listing.id),
						exchange.book(listing.id, poolOf(caller)),
						currencyOf(poolOf(caller)),
					),
				),
		};
	},
});
