/**
 * The simulated sports as a server runs them: there is always something to bet on, and a restart goes on.
 *
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { startSimulatedSports } from '#server/world/feeds/simulated/simulated-sports.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { football } from '#sports/football/football-play.ts';
import type { SimulatedSport } from '#sports/play.ts';
import { horseRacing } from '#sports/racing/racing-play.ts';
import { SPORTS } from '#values/sports.ts';
import { feedParts } from '../support/feed-parts.ts';
import { TestServer } from '../support/server.ts';

/** A race is over in some ten seconds. */
const SPEED = 60;
const SEED = 4;

const simulate = async (server: TestServer) =>
	await startSimulatedSports({
		...(await feedParts(server, SPEED)),
		leaseMs: FEED_LEASE_MS,
		seed: SEED,
		mostAnnounced: 2,
	});

async function statusesOf(server: TestServer) {
	const tree = await server.result('treeSportWithEvent', {});
	return new Map(tree.map(({ id, events }) => [id, events.map(({ status }) => status)]));
}

it('every sport has a fixture in play, an announced one and an ended one, also after a restart; those of a retired model are void', async () => {
	let server = await TestServer.start();
	const old = await server.running.fixtures.add({
		sportId: 3,
		title: 'Kites v Bulls',
		competition: 'Test Cup',
		startsAtMs: Date.now(),
		status: 'IN_PLAY',
		source: 'simulated',
		sourceRef: 'cricket-0.1.7',
		hasTv: false,
		scoreLine: null,
	});
	const expectAll = async () => {
		for (const [id, statuses] of await statusesOf(server)) {
			for (const status of ['IN_PLAY', 'UPCOMING', 'FINISHED']) expect([id, ...statuses]).toContain(status);
		}
	};
	const starts = async () =>
		(await server.result('treeSportWithEvent', {})).map(({ events }) => events.map(({ matchDate }) => matchDate));
	let feed = await simulate(server);
	try {
		await expectAll();
		expect(server.running.fixtures.fixture(old.id)?.status).toBe('ABANDONED');
		expect((await statusesOf(server)).size).toBe(SPORTS.length);
		await feed.stop();
		await server.stop();
		server = await TestServer.start(server.database);
		feed = await simulate(server);
		await expectAll();
		// Play continues: no fixture was announced twice.
		for (const ofSport of await starts()) expect(new Set(ofSport).size).toBe(ofSport.length);
	} finally {
		await feed.stop();
		await server.dispose();
	}
});

it('when a race ends the next one is run, and another is announced', { tags: 'thorough' }, async () => {
	const server = await TestServer.start();
	const feed = await simulate(server);
	try {
		const races = async () =>
			(await server.result('getBySportName', { sportName: 'horseRacing' })).map(({ id, status }) => ({ id, status }));
		const [first] = await races();
		expect(first?.status).toBe('IN_PLAY');
		await expect
			.poll(async () => (await races()).find(({ id }) => id === first?.id)?.status, { timeout: 40_000 })
			.toBe('FINISHED');
		await expect.poll(async () => (await races())[0]?.status, { timeout: 20_000 }).toBe('IN_PLAY');
		expect((await races())[0]?.id).not.toBe(first?.id);
		await expect
			.poll(async () => (await races()).filter(({ status }) => status === 'UPCOMING').length)
			.toBeGreaterThanOrEqual(2);
	} finally {
		await feed.stop();
		await server.dispose();
	}
});

it('abandoned fixtures do not move announcements further ahead', { tags: 'thorough' }, async () => {
	const server = await TestServer.start();
	const feed = await simulate(server);
	try {
		const races = async () => await server.result('getBySportName', { sportName: 'horseRacing' });
		const spacingMs = horseRacing.spacingMs / SPEED;
		for (let abandoned = 0; abandoned < 4; abandoned++) {
			await expect.poll(async () => (await races())[0]?.status, { timeout: 20_000 }).toBe('IN_PLAY');
			expect(await feed.abandon(Number((await races())[0]?.id))).toBe(true);
		}
		await expect.poll(async () => (await races())[0]?.status, { timeout: 20_000 }).toBe('IN_PLAY');
		const starts = (await races()).map(({ matchDate }) => Date.parse(matchDate));
		expect(Math.max(...starts)).toBeLessThanOrEqual(Date.now() + 2 * spacingMs);
	} finally {
		await feed.stop();
		await server.dispose();
	}
});

it('announces a calendar of three days, at round times and with the main market alone while the start is far', {
	tags: 'thorough',
}, async () => {
	const server = await TestServer.start();
	const feed = await startSimulatedSports({ ...(await feedParts(server)), leaseMs: FEED_LEASE_MS, seed: SEED });
	const announced = (sport: SimulatedSport) =>
		server.running.fixtures.all().filter(({ sportId, status }) => sportId === sport.sportId && status === 'UPCOMING');
	try {
		await expect.poll(() => announced(football).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(20);
		for (const sport of SIMULATED_SPORTS) {
			const fixtures = announced(sport);
			expect(new Set(fixtures.map(({ startsAtMs }) => startsAtMs)).size).toBe(fixtures.length);
			for (const { startsAtMs } of fixtures) expect(startsAtMs % sport.spacingMs).toBe(0);
		}
		const [furthest] = announced(football).sort((one, other) => other.startsAtMs - one.startsAtMs);
		await expect.poll(() => server.running.fixtures.markets(furthest?.id ?? 0).length).toBe(1);
		// Each is of other sides: a calendar is no list of one match.
		const titles = announced(football).map(({ title }) => title);
		expect(new Set(titles).size).toBe(titles.length);
	} finally {
		await feed.stop();
		await server.dispose();
	}
});
