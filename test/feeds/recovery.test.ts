/**
 * Feeds that cannot reach the exchange for a while: their leases suspend the markets, and they continue by themselves.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRecordedEvents } from '#server/world/feeds/recorded/recorded-events.ts';
import { PlayedFixture, type SimulationParts } from '#server/world/feeds/simulated/played-fixture.ts';
import { trade } from '#sports/trade/trade-play.ts';
import { feedParts } from '../support/feed-parts.ts';
import { Outage } from '../support/outage.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const LEASE_MS = 1_000;
const SEED = 3;

let server: TestServer;
let outage: Outage;
let logged: string[];
beforeAll(async () => {
	server = await sharedServer();
});
beforeEach(() => {
	outage = new Outage();
	logged = [];
});

async function partsWithLease(speed: number): Promise<SimulationParts> {
	const parts = await feedParts(server, speed);
	const log = pino({}, { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) });
	return { ...parts, exchange: outage.around(parts.exchange), log, leaseMs: LEASE_MS };
}

const marketsOf = (fixtureId: number) =>
	server.running.fixtures.markets(fixtureId).flatMap(({ id }) => server.running.exchange.market(id) ?? []);
const statusesOf = (fixtureId: number) => [...new Set(marketsOf(fixtureId).map(({ status }) => status))];

describe('a simulated fixture', () => {
	let number = 0;

	/** Begun, with ten seconds to its next step at speed 1. */
	async function beginTrade(speed: number) {
		const played = new PlayedFixture(await partsWithLease(speed), trade, SEED, number++, Date.now());
		await played.open({ steps: 1 });
		const stopping = new AbortController();
		const started = Promise.withResolvers<void>();
		const running = played.run(stopping.signal, started.resolve);
		await started.promise;
		return {
			played,
			stop: async () => {
				stopping.abort();
				await running;
			},
		};
	}

	it('that stands still keeps its markets open; one that is not watched does not', async () => {
		const { played, stop } = await beginTrade(1);
		const versions = () => marketsOf(played.fixtureId).map(({ version }) => version);
		const before = versions();
		const later = await beginTrade(1);
		await later.stop();
		// Without a renewal the earlier one’s lease would have run out before.
		await expect.poll(() => statusesOf(later.played.fixtureId)).toEqual(['SUSPENDED']);
		expect(statusesOf(played.fixtureId)).toEqual(['OPEN']);
		expect(versions()).toEqual(before);
		await stop();
		await expect.poll(() => statusesOf(played.fixtureId)).toEqual(['SUSPENDED']);
	});

	it('that cannot reach the exchange is suspended by its lease, and continues without a restart', {
		tags: 'thorough',
	}, async () => {
		const { played, stop } = await beginTrade(5);
		const steps = played.play.steps;
		outage.begin();
		await expect.poll(() => outage.refused).toBeGreaterThan(10);
		await expect.poll(() => statusesOf(played.fixtureId)).toEqual(['SUSPENDED']);
		outage.end();
		await expect.poll(() => statusesOf(played.fixtureId)).toEqual(['OPEN']);
		// Play waited for the exchange: no step was lost.
		expect(played.play.steps).toBe(steps + 1);
		await stop();
		// The exchange logs why it is unavailable.
		expect(logged).toEqual([]);
	});
});

describe('a recorded event', () => {
	it('that cannot reach the exchange is suspended by its lease, and plays on to its result', {
		tags: 'thorough',
	}, async () => {
		const folder = mkdtempSync(join(tmpdir(), 'backlay-recovery-'));
		const file = join(folder, '1.77');
		writeFileSync(file, recording().join('\n'));
		const feed = await startRecordedEvents({ ...(await partsWithLease(60)), recordings: [file] });
		try {
			const id = server.running.fixtures.all().find(({ title }) => title === 'Kites v Bulls')?.id ?? 0;
			await expect.poll(() => marketsOf(id)[0]).toMatchObject({ status: 'OPEN', inPlay: true });
			outage.begin();
			await expect.poll(() => statusesOf(id)).toEqual(['SUSPENDED']);
			expect(outage.refused).toBeGreaterThan(0);
			outage.end();
			await expect.poll(() => server.running.fixtures.fixture(id)?.status).toBe('FINISHED');
			expect(statusesOf(id)).toEqual(['SETTLED']);
			expect(logged.filter((line) => line.includes('retried'))).toEqual([]);
		} finally {
			await feed.stop();
			rmSync(folder, { recursive: true });
		}
	});
});

/** Two minutes of a match whose prices move every half minute of recorded time. */
function recording(): string[] {
	const start = Date.parse('2024-05-01T12:00:00.000Z');
	const message = (seconds: number, change: object) =>
		JSON.stringify({ op: 'mcm', pt: start + seconds * 1000, mc: [{ id: '1.77', ...change }] });
	const definition = (status: string, results: readonly [string, string]) => ({
		status,
		inPlay: true,
		betDelay: 0,
		numberOfWinners: 1,
		marketTime: new Date(start).toISOString(),
		marketType: 'MATCH_ODDS',
		eventTypeId: '4',
		eventId: '77',
		runners: results.map((result, at) => ({
			id: at + 1,
			name: at === 0 ? 'Kites' : 'Bulls',
			status: result,
			sortPriority: at + 1,
		})),
	});
	const prices = [2, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3];
	return [
		message(0, { img: true, marketDefinition: definition('OPEN', ['ACTIVE', 'ACTIVE']) }),
		...prices.map((price, at) => message(at * 30, { rc: [{ id: 1, atb: [[price, 50]] }] })),
		message(prices.length * 30, { marketDefinition: definition('CLOSED', ['WINNER', 'LOSER']) }),
	];
}
