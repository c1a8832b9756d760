/** Fixtures: the tree, the lists, one event with its markets, and its score. */
import { beforeAll, describe, expect, it } from 'vitest';
import { betOn, endMatches, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { scoreCard } from '../support/score-card.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	await endMatches(server);
	match = await openTestMatch(server);
});

describe('the sport tree', () => {
	it('treeSportWithEvent: success, all sports of the brand with the match under cricket', async () => {
		const tree = await server.result('treeSportWithEvent', {});
		expect(tree.map(({ id }) => id)).toEqual([1, 2, 3, 25, 26, 40]);
		const cricket = tree.find(({ id }) => id === 3);
		// The newest that ended are listed, too.
		const events = cricket?.events.filter(({ status }) => status === 'UPCOMING');
		expect(events).toMatchObject([{ id: match.eventId, title: 'India v Nepal', status: 'UPCOMING' }]);
	});

	it('treeSportWithEvent: refusal of the wrong method', async () => {
		const refused = await server.send('/Event/TreeSportWithEvent', { method: 'POST' });
		expect(refused.status).toBe(404);
	});
});

describe('lists', () => {
	it('getBySportName: success, by name or key in any case, with best prices of the caller’s pool', async () => {
		const { token } = await server.demoPlayer();
		await server.result('placeBetV2', betOn(match, { price: 5, stake: 70 }), token);
		for (const sportName of ['Cricket', 'CRICKET']) {
			const [event] = await server.result('getBySportName', { sportName }, token);
			expect(event?.mainMarket?.type).toBe('MATCH_ODDS');
			expect(event?.mainMarket?.runners).toMatchObject([
				{ runnerId: 'IND', back: null, lay: { price: 5, size: 70 } },
				{ runnerId: 'NEP', back: null, lay: null },
			]);
		}
		// A visitor looks at the brand's own pool, where no player has bet.
		const [event] = await server.result('getBySportName', { sportName: 'cricket' });
		expect(event?.mainMarket?.runners[0]?.lay).toBeNull();
	});

	it.each(['/Event/TreeSportWithEvent', '/event/GetBySportName?sportName=cricket', '/Event/Closest'])(
		'%s: success, not sent again to who names its tag, until a fixture changes',
		async (path) => {
			const ask = (tag: string) => fetch(`${server.url}${path}`, { headers: { 'If-None-Match': tag } });
			const first = await ask('');
			const tag = first.headers.get('ETag') ?? '';
			const again = await ask(tag);
			expect([first.status, again.status, await again.text()]).toEqual([200, 304, '']);
			const { version } = server.running.fixtures;
			expect(tag).toContain(`W/"${version}.`);
			await server.running.fixtures.setStart(Number(match.eventId), Date.now() + 3_600_000);
			const changed = await ask(tag);
			expect([changed.status, changed.headers.get('ETag')]).toEqual([200, tag.replace(`${version}`, `${version + 1}`)]);
		},
	);

	it('getBySportName: refusal of an unknown sport', async () => {
		expect((await server.call('getBySportName', { sportName: 'chess' })).status).toBe(404);
	});

	it('closest: success, in play before upcoming', async () => {
		const later = await openTestMatch(server);
		await later.market.turnInPlay();
		const events = await server.result('closest', { take: '2' });
		expect(events.map(({ id }) => id)).toEqual([later.eventId, match.eventId]);
	});

	it('closest: success, by page and by a limit for each sport, without gaps', async () => {
		for (let count = 0; count < 3; count++) await openTestMatch(server);
		const ids = (events: { id: string }[]) => events.map(({ id }) => id);
		const all = ids(await server.result('closest', { take: '100' }));
		const pages = await Promise.all(['0', '2', '4'].map((skip) => server.result('closest', { take: '2', skip })));
		expect(pages.flatMap(ids)).toEqual(all.slice(0, 6));
		// All of them are cricket.
		expect(ids(await server.result('closest', { perSport: '2' }))).toEqual(all.slice(0, 2));
	});

	it('getSportsFeed: success, every sport with what is in play in it, priced, and its counts', async () => {
		const before = await server.result('getSportsFeed', { sportId: '3' });
		const playing = await openTestMatch(server);
		await playing.market.turnInPlay();
		const feed = await server.result('getSportsFeed', {});
		expect(feed.map(({ sportId }) => sportId)).toEqual([1, 2, 3, 25, 26, 40]);
		const cricket = feed.find(({ sportId }) => sportId === 3);
		expect(cricket).toMatchObject({
			inPlayCount: (before[0]?.inPlayCount ?? 0) + 1,
			upcomingCount: before[0]?.upcomingCount,
		});
		expect(cricket?.events.length).toBe(cricket?.inPlayCount);
		const { id, mainMarket } = cricket?.events.find((event) => event.id === playing.eventId) ?? {};
		expect([id, mainMarket?.marketId]).toEqual([playing.eventId, playing.marketId]);
		expect(await server.raw('getSportsFeed', { sportId: '' })).toMatchObject({ body: { result: feed } });
	});

	it('getSportsFeed: refusal of an unknown sport', async () => {
		expect((await server.call('getSportsFeed', { sportId: '999' })).code).toBe('NOT_FOUND');
	});

	it('closest: refusal of an invalid number', async () => {
		expect((await server.call('closest', { take: 'many' })).code).toBe('VALIDATION_FAILED');
	});
});

const fixtureScore = (eventId: string) => ({ ...scoreCard(eventId), note: 'India won the toss and bat' });

describe('one event', () => {
	it('getMarketsByEventId: success', async () => {
		const { event, markets } = await server.result('getMarketsByEventId', { eventId: match.eventId });
		expect(event).toMatchObject({ id: match.eventId, competition: 'Test Cup', marketCount: 1 });
		expect(markets).toMatchObject([
			{
				id: match.marketId,
				name: 'Match Odds',
				bettingModel: 'EXCHANGE',
				status: 'OPEN',
				minStake: 10,
				maxStake: 500_000,
				commissionRate: 0.02,
				runners: [
					{ id: 'IND', name: 'India', status: 'ACTIVE' },
					{ id: 'NEP', name: 'Nepal', status: 'ACTIVE' },
				],
			},
		]);
	});

	it('getMarketsByEventId: refusal of an unknown event', async () => {
		const refused = await server.call('getMarketsByEventId', { eventId: '424242' });
		expect([refused.status, refused.code]).toEqual([404, 'UNKNOWN_FIXTURE']);
	});

	it('getScoreCard: success, null before there is one and then the score', async () => {
		expect(await server.result('getScoreCard', { eventId: match.eventId })).toBeNull();
		const score = fixtureScore(match.eventId);
		await server.running.fixtures.setScore(Number(match.eventId), score, 'IND 7/1 (0.4)');
		expect(await server.result('getScoreCard', { eventId: match.eventId })).toEqual(score);
	});

	it('getVideoLink: success, none before play, a tracker in play, and the stream where one is configured', async () => {
		const watched = await openTestMatch(server);
		const { eventId } = watched;
		const link = () => server.result('getVideoLink', { eventId });
		const { fixtures } = server.running;
		expect(await link()).toEqual({ kind: 'NONE' });
		const score = fixtures.score(Number(match.eventId));
		if (score) await fixtures.setScore(Number(eventId), { ...score, eventId }, 'IND 7/1 (0.4)');
		expect(await link()).toEqual({ kind: 'NONE' });
		await watched.market.turnInPlay();
		expect(await link()).toEqual({ kind: 'TRACKER' });
		const url = 'https://streams.example/match.m3u8';
		await fixtures.setStream(Number(eventId), url);
		expect(await link()).toEqual({ kind: 'HLS', url });
		await fixtures.setStream(Number(eventId), null);
		await watched.settle(0);
		expect(await link()).toEqual({ kind: 'NONE' });
	});

	it('getTvStream: success, the stream where one is configured', async () => {
		const { eventId } = await openTestMatch(server);
		expect(await server.result('getTvStream', { eventId })).toEqual({ url: null });
		const url = 'https://streams.example/match.m3u8';
		await server.running.fixtures.setStream(Number(eventId), url);
		expect(await server.result('getTvStream', { eventId })).toEqual({ url });
	});

	it('getScoreSession: success, the score and the fancies alone', async () => {
		const played = await openTestMatch(server);
		const { eventId } = played;
		expect(await server.result('getScoreSession', { eventId })).toEqual({ score: null, sessions: [] });
		const lines = [40, 41, 42];
		const session = await openMarketOf(server, played, {
			name: '6 over runs',
			type: 'SESSION_RUNS',
			runners: lines.map((line) => ({ id: String(line), name: String(line) })),
			lines,
			betDelaySeconds: 0,
			rules: 'Runs after six overs.',
		});
		const score = fixtureScore(eventId);
		await server.running.fixtures.setScore(Number(eventId), score, 'IND 7/1 (0.4)');
		const about = { marketId: String(session.listing.id), name: '6 over runs', lines };
		expect(await server.result('getScoreSession', { eventId })).toEqual({
			score,
			sessions: [{ ...about, status: 'OPEN' }],
		});
		await session.suspend();
		expect((await server.result('getScoreSession', { eventId })).sessions).toEqual([{ ...about, status: 'SUSPENDED' }]);
	});

	it('getTvStream: refusal of an unknown event', async () => {
		expect((await server.call('getTvStream', { eventId: '424242' })).code).toBe('UNKNOWN_FIXTURE');
	});

	it('getScoreSession: refusal of an unknown event', async () => {
		expect((await server.call('getScoreSession', { eventId: '424242' })).code).toBe('UNKNOWN_FIXTURE');
	});

	it('getVideoLink: refusal of an unknown event', async () => {
		expect((await server.call('getVideoLink', { eventId: '424242' })).code).toBe('UNKNOWN_FIXTURE');
	});

	it('getScoreCard: refusal of an unknown event', async () => {
		expect((await server.call('getScoreCard', { eventId: '424242' })).status).toBe(404);
	});
});
