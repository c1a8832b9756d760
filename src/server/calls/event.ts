import type * as v from 'valibot';
import type { PricedEvent } from '#contract/calls/event.ts';
import { type Caller, type HandlersOf, poolOf, type Shown, seesSport, showsSport } from '#server/calls/handler.ts';
import { bookView } from '#server/exchange/views/wire-views.ts';
import { eventSummary, mainMarketOf } from '#server/world/fixtures/event-row.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import { SPORTS } from '#values/sports.ts';

/** The specification's id for all sports together. */
const ALL_SPORTS = 0;

/** How long ended fixtures stay in lists, and how many of each sport. */
const KEPT_MS = 6 * 3600 * 1000;
const KEPT_FINISHED = 3;

const RANK: Record<Fixture['status'], number> = { IN_PLAY: 0, UPCOMING: 1, FINISHED: 2, ABANDONED: 3 };

/**
 * In play first, then by start; ended fixtures come last, newest first. Fixtures with equal starts are ordered by id.
 */
function inListOrder(one: Fixture, other: Fixture): number {
	const rank = RANK[one.status] - RANK[other.status];
	if (rank !== 0) return rank;
	const ended = RANK[one.status] >= 2;
	const later = ended ? other.startsAtMs - one.startsAtMs : one.startsAtMs - other.startsAtMs;
	return later || one.id - other.id;
}

/** A filter that passes the first fixtures of each sport, up to that number. */
function atMostOfEachSport(most: number): (fixture: Fixture) => boolean {
	const passed = new Map<number, number>();
	return ({ sportId }) => {
		const before = passed.get(sportId) ?? 0;
		passed.set(sportId, before + 1);
		return before < most;
	};
}

/** A filter that passes fixtures that have not ended, and the newest ended ones of each sport. Expects list order. */
function lastFinished(): (fixture: Fixture) => boolean {
	const isAmongLast = atMostOfEachSport(KEPT_FINISHED);
	return (fixture) => RANK[fixture.status] < 2 || isAmongLast(fixture);
}

/** A fixture with the best prices of its main market, in the caller's pool. */
function priced({ fixtures, exchange }: Shown, fixture: Fixture, caller: Caller): v.InferOutput<typeof PricedEvent> {
	const listing = fixtures.markets(fixture.id)[0];
	const summary = eventSummary(fixture, fixtures);
	if (!listing) return { ...summary, mainMarket: null };
	const book = bookView(exchange, listing, poolOf(caller), 1);
	return {
		...summary,
		mainMarket: {
			...mainMarketOf(listing),
			status: book.status,
			inPlay: book.inPlay,
			totalMatched: book.totalMatched,
			runners: book.runners.map(({ runnerId, back, lay }, runner) => ({
				runnerId,
				name: listing.runners[runner]?.name ?? '',
				back: back[0] ?? null,
				lay: lay[0] ?? null,
			})),
		},
	};
}

const byStatus = (fixtures: readonly Fixture[]) => ({
	IN_PLAY: fixtures.filter(({ status }) => status === 'IN_PLAY'),
	UPCOMING: fixtures.filter(({ status }) => status === 'UPCOMING'),
});

export const eventHandlers = (
	shown: Shown,
): HandlersOf<'treeSportWithEvent' | 'getBySportName' | 'closest' | 'getSportsFeed'> => {
	const { fixtures } = shown;
	function listed(caller: Caller): Fixture[] {
		const oldest = Date.now() - KEPT_MS;
		return fixtures
			.all()
			.filter((fixture) => showsSport(caller, fixture))
			.filter(({ status, startsAtMs }) => RANK[status] < 2 || startsAtMs > oldest)
			.sort(inListOrder)
			.filter(lastFinished());
	}

	return {
		treeSportWithEvent: (_, caller) => {
			const all = listed(caller);
			return SPORTS.filter(({ id }) => seesSport(caller, id)).map(({ id, name }) => ({
				id,
				name,
				order: id,
				events: all.filter(({ sportId }) => sportId === id).map((fixture) => eventSummary(fixture, fixtures)),
			}));
		},
		getBySportName: ({ sportName }, caller) => {
			const wanted = sportName.toLowerCase();
			const sport = SPORTS.find(({ key, name }) => [key.toLowerCase(), name.toLowerCase()].includes(wanted));
			if (!sport) throw new Refused('NOT_FOUND');
			return listed(caller)
				.filter(({ sportId }) => sportId === sport.id)
				.map((fixture) => priced(shown, fixture, caller));
		},
		getSportsFeed: ({ sportId = ALL_SPORTS }, caller) => {
			const sports = SPORTS.filter(({ id }) => sportId === ALL_SPORTS || id === sportId);
			if (sports.length === 0) throw new Refused('NOT_FOUND');
			const all = listed(caller);
			return sports
				.filter(({ id }) => seesSport(caller, id))
				.map(({ id, name }) => {
					const { IN_PLAY, UPCOMING } = byStatus(all.filter((fixture) => fixture.sportId === id));
					return {
						sportId: id,
						sportName: name,
						inPlayCount: IN_PLAY.length,
						upcomingCount: UPCOMING.length,
						events: IN_PLAY.map((fixture) => priced(shown, fixture, caller)),
					};
				});
		},
		closest: ({ take, skip, perSport = Number.POSITIVE_INFINITY }, caller) =>
			listed(caller)
				.filter(({ status }) => RANK[status] < 2)
				.filter(atMostOfEachSport(perSport))
				.slice(skip, skip + take)
				.map((fixture) => priced(shown, fixture, caller)),
	};
};
