/** Lists of more events than one answer holds: the site's requests against a server that lists 130 events of a sport. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#values/time.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { pinnedEvents } from '#web/features/match-list/pinned-events.ts';
import { closestOfEachSportQuery, closestQuery, sportEventsQuery, sportTreeQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const EVENTS = 130;

let server: TestServer;
let eventIds: string[];
beforeAll(async () => {
	server = await TestServer.start();
	const matches = await Promise.all(Array.from({ length: EVENTS }, () => openTestMatch(server)));
	eventIds = matches.map(({ eventId }) => eventId).sort();
	writeStored('baseUrl', server.url);
});
afterAll(async () => {
	clearStored();
	queryClient.clear();
	await server?.dispose();
});

const sorted = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id).sort();

describe('more events than one answer holds', () => {
	it('are all on /inplay, on /matchlist/0 and in the search, each once', async () => {
		expect(sorted(await queryClient.fetchQuery(closestQuery()))).toEqual(eventIds);
	});

	it('are all in the list of their sport', async () => {
		expect(sorted(await queryClient.fetchQuery(sportEventsQuery('cricket')))).toEqual(eventIds);
	});

	it('leave room for the other sports on /index', async () => {
		const football = await openTestMatch(server, { sportId: 1, startsAtMs: Date.now() + DAY_MS });
		const events = await queryClient.fetchQuery(closestOfEachSportQuery(2));
		expect(events.map(({ sportId }) => sportId).sort()).toEqual([1, 3, 3]);
		expect(sorted(events)).toContain(football.eventId);
		await football.settle(0);
	});

	it('have their prices among the favourites, wherever they stand in the list', async () => {
		const [tree, priced] = [
			await queryClient.fetchQuery(sportTreeQuery()),
			await queryClient.fetchQuery(closestQuery()),
		];
		const { events, gone } = pinnedEvents(eventIds, tree, priced);
		expect(gone).toEqual([]);
		expect(events.filter(({ mainMarket }) => mainMarket === null)).toEqual([]);
	});
});
