/** Lists of fixtures that the hub's updates keep as the server would answer them, and that are asked for once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HubMessages } from '#contract/hub-messages.ts';
import { isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { type Draw, pick, randomFrom } from '#sports/random.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { receiveFixtureUpdate, watchLists } from '#web/live/fixture-updates.ts';
import { closestOfEachSportQuery, closestQuery, sportEventsQuery, sportTreeQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { HubClient } from '../hub/hub-client.ts';
import { messageInside } from '../support/inside.ts';
import { endMatches, openTestMatch, type TestMatch } from '../support/match.ts';
import { scoreCard } from '../support/score-card.ts';
import { onSeeds } from '../support/seeds.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const PER_SPORT = 2;
const QUERIES = [sportTreeQuery(), closestQuery(), closestOfEachSportQuery(PER_SPORT), sportEventsQuery('Cricket')];

let server: TestServer;
let client: HubClient;
let matches: TestMatch[];
/** The version of which the hub has told nothing more. */
let listenedFrom: number;
let leaveLists: () => void;
beforeAll(async () => {
	leaveLists = watchLists();
	server = await sharedServer();
	await endMatches(server);
	writeStored('baseUrl', server.url);
	matches = [];
	for (const sportId of [3, 3, 1]) matches.push(await openTestMatch(server, { sportId }));
	client = await HubClient.connect(server.url);
	await client.subscribe('sports');
	listenedFrom = server.running.fixtures.version;
});
afterAll(async () => {
	leaveLists?.();
	queryClient.clear();
	clearStored();
	await client?.stop();
});

const fetchAll = () => Promise.all(QUERIES.map((query) => queryClient.fetchQuery({ ...query, staleTime: 0 } as never)));

/** Prices, states and totals of markets, which their channels bring. */
const OF_THE_CHANNEL: ReadonlySet<string> = new Set(['back', 'lay', 'inPlay', 'totalMatched']);

/** The lists as they are held, without what the markets' channels bring. */
const held = () =>
	QUERIES.map(({ queryKey }) => {
		const text = JSON.stringify(queryClient.getQueryData(queryKey), (name, value) => {
			if (name === 'mainMarket' && value) return { ...value, status: undefined };
			return OF_THE_CHANNEL.has(name) ? undefined : value;
		});
		return JSON.parse(text) as unknown;
	});

const received = () =>
	client.received.flatMap(({ code, data }) => (code === 'EventUpdate' ? [data as HubMessages['EventUpdate']] : []));

/** Gives the site what the hub sent so far, once. */
let given = 0;
async function deliver(): Promise<void> {
	const { version } = server.running.fixtures;
	if (version > listenedFrom) await client.message('EventUpdate', (update) => update.version === version);
	const updates = received();
	for (const update of updates.slice(given)) receiveFixtureUpdate(messageInside('EventUpdate', update));
	given = updates.length;
}

async function act(draw: Draw): Promise<void> {
	const { fixtures } = server.running;
	const unfinished = matches
		.flatMap(({ market: { fixture } }) => fixtures.fixture(fixture.id) ?? [])
		.filter(isUnfinished);
	const what = Math.floor(draw() * 7);
	if (what === 0 || unfinished.length === 0) {
		const startsAtMs = Date.now() + Math.floor(draw() * 1e8);
		matches.push(await openTestMatch(server, { sportId: pick([1, 3], draw), startsAtMs }));
		return;
	}
	const { id } = pick(unfinished, draw);
	switch (what) {
		case 1:
			return await fixtures.setStatus(id, pick(['IN_PLAY', 'IN_PLAY', 'FINISHED', 'ABANDONED'], draw));
		case 2:
			return await fixtures.setStart(id, Date.now() + Math.floor(draw() * 1e8));
		case 3:
			return await fixtures.setStream(id, draw() < 0.5 ? 'https://a.test/b.m3u8' : null);
		default:
			return await fixtures.setScore(
				id,
				scoreCard(String(id)),
				draw() < 0.2 ? '' : `IND ${Math.floor(draw() * 300)}/3`,
			);
	}
}

onSeeds(
	[1, 2, 3, 4],
	'equal what the server would answer, after any changes, seed %i',
	async (seed) => {
		const draw = randomFrom(seed);
		await fetchAll();
		await deliver();
		for (let round = 0; round < 10; round++) {
			for (let acts = 0; acts < 8; acts++) await act(draw);
			await deliver();
			const isInvalid = QUERIES.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated);
			// Only a list of a few of each sport cannot know which takes the place of one that left.
			expect(isInvalid.filter((_, query) => query !== 2)).toEqual([false, false, false]);
			const patched = held();
			await fetchAll();
			const asked = held();
			expect(patched.filter((_, query) => !isInvalid[query])).toEqual(asked.filter((_, query) => !isInvalid[query]));
		}
	},
	'thorough',
);

it('that miss a version are asked for again, and take what came while they were asked for', async () => {
	await fetchAll();
	const { fixtures } = server.running;
	const [match] = matches as [TestMatch];
	const update = async (scoreLine: string) => {
		await fixtures.setScore(match.market.fixture.id, scoreCard(match.eventId), scoreLine);
		await client.message('EventUpdate', ({ version }) => version === fixtures.version);
		given = client.received.filter(({ code }) => code === 'EventUpdate').length;
		return messageInside('EventUpdate', received().at(-1) as HubMessages['EventUpdate']);
	};
	await update('IND 1/0');
	receiveFixtureUpdate(await update('IND 2/0'));
	expect(QUERIES.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated)).toEqual(
		QUERIES.map(() => true),
	);
});
