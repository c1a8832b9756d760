/**
 * The simulated sports while their database has no space, is killed, or hangs: open markets, play, and the log.
 *
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { closest, treeSportWithEvent } from '#contract/calls/event.ts';
import type { ScoreCard } from '#contract/calls/score.ts';
import { ANNOUNCED_MS } from '#server/world/feeds/simulated/simulated-sports.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { TRADE } from '#values/sports.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { ask, demoPlayer, placeBet, RefusedCall } from './support/player-client.ts';
import { SmallDisk } from './support/small-disk.ts';

const DISK_MEGABYTES = 256;
/** A race is over in some ten seconds, a break between two halves too. */
const SPEED = 60;
const FAULT_MS = byForm(8_000, 40_000);
const KILLED_EVERY_MS = 200;
const RECOVERED_WITHIN_MS = 30_000;
/** The market's refusals, and the exchange's while it can write nothing. */
const REFUSED_FOR_CERTAIN = ['MARKET_SUSPENDED', 'MARKET_CLOSED', 'STARTING', 'DEADLINE_PASSED'];
/** The lateness of a busy machine. */
const LATE_MS = 5_000;
/** Each of some twenty fixtures says that it failed and that it goes on, and so does the suspension of its markets. */
const MOST_LINES = 150;

let disk: SmallDisk | null = null;
let server: FaultyServer;
beforeAll(async () => {
	disk = SmallDisk.mount(DISK_MEGABYTES);
	server = await FaultyServer.start({ args: ['--sim-speed', String(SPEED)], ...(disk ? { disk } : {}) });
});
afterAll(async () => {
	await server?.dispose();
	disk?.dispose();
});

type Tree = v.InferOutput<typeof treeSportWithEvent.response>;
type Listed = Tree[number]['events'][number];
type Priced = v.InferOutput<typeof closest.response>;

async function listed(status: Listed['status']): Promise<Listed[]> {
	const tree = await ask<Tree>(server, '/Event/TreeSportWithEvent');
	return tree.flatMap(({ events }) => events).filter((event) => event.status === status);
}

const priced = async (): Promise<Priced> => await ask<Priced>(server, '/Event/Closest?take=100');

/** How far play of each fixture has come. */
async function versions(fixtures: readonly Listed[]): Promise<Map<string, number>> {
	const cards = fixtures.map(async ({ id }): Promise<[string, number]> => {
		const card = await ask<v.InferOutput<typeof ScoreCard> | null>(
			server,
			`/api/services/app/Sport/GetScoreCard?eventId=${id}`,
		);
		return [id, card?.version ?? 0];
	});
	return new Map(await Promise.all(cards));
}

/** Fixtures that were in play and have neither gone on since nor come to their end. */
async function stuck(since: ReadonlyMap<string, number>): Promise<string[]> {
	const inPlay = (await listed('IN_PLAY')).filter(({ id }) => since.has(id));
	const now = await versions(inPlay);
	return inPlay.filter(({ id }) => now.get(id) === since.get(id)).map(({ title }) => title);
}

/** Everything that was in play goes on, and in each sport something can be bet on again. */
async function expectRecovery(inPlay: readonly Listed[]): Promise<void> {
	const since = await versions(inPlay);
	const recovered = { timeout: RECOVERED_WITHIN_MS, interval: 200 };
	const openSports = new Set<number>();
	await expect
		.poll(async () => {
			for (const { sportId, status, mainMarket } of await priced()) {
				if (status === 'IN_PLAY' && mainMarket?.status === 'OPEN') openSports.add(sportId);
			}
			return { stuck: await stuck(since), open: [...openSports].sort() };
		}, recovered)
		.toEqual({ stuck: [], open: SIMULATED_SPORTS.map(({ sportId }) => sportId).sort() });
}

/** No more is announced than the calendar has times for, and nothing further ahead than it reaches. */
async function expectNothingRanAhead(): Promise<void> {
	const upcoming = await listed('UPCOMING');
	for (const { sportId, key, spacingMs } of SIMULATED_SPORTS) {
		const ofSport = upcoming.filter((event) => event.sportId === sportId);
		expect([key, ofSport.length <= ANNOUNCED_MS / spacingMs + 1]).toEqual([key, true]);
		const latest = Math.max(...ofSport.map(({ matchDate }) => Date.parse(matchDate)), 0);
		expect([key, latest <= Date.now() + ANNOUNCED_MS / SPEED + LATE_MS]).toEqual([key, true]);
	}
}

describe('the simulated sports', () => {
	it('continue after a full disk, with no fixture announced too early and few log lines', async ({ skip }) => {
		if (!disk) skip();
		const inPlay = await listed('IN_PLAY');
		const logged = server.log.lines;
		disk?.fill();
		await delay(FAULT_MS);
		disk?.free();
		await expectRecovery(inPlay);
		await expectNothingRanAhead();
		expect(server.log.lines - logged).toBeLessThan(MOST_LINES);
	});

	it('continue after their database was killed', async () => {
		const inPlay = await listed('IN_PLAY');
		const logged = server.log.lines;
		// The server starts it again each time, and says so.
		let kills = 0;
		for (const until = Date.now() + FAULT_MS / 2; Date.now() < until; await delay(KILLED_EVERY_MS)) {
			server.postgres.kill();
			kills += 1;
		}
		await expectRecovery(inPlay);
		await expectNothingRanAhead();
		expect(server.log.lines - logged).toBeLessThan(MOST_LINES + kills);
	});

	it('take no bet at prices older than the lease, and continue when the database is back', async () => {
		const token = await demoPlayer(server);
		// A trade moves every second; the others may be between two halves, where their prices stand. One follows the other,
		// with a moment between them.
		const tradesInPlay = async () =>
			(await priced()).filter(({ sportId, status }) => sportId === TRADE && status === 'IN_PLAY');
		const inPlay = await listed('IN_PLAY');
		let trades: Awaited<ReturnType<typeof tradesInPlay>> = [];
		await expect
			.poll(async () => {
				trades = await tradesInPlay();
				return trades;
			})
			.not.toEqual([]);
		server.postgres.freeze();
		try {
			await delay(FEED_LEASE_MS + LATE_MS);
			for (const { mainMarket } of trades) {
				for (const { runnerId, back } of mainMarket?.runners ?? []) {
					const bet = { marketId: mainMarket?.marketId ?? '', runnerId, side: 'BACK' as const, stake: 100 };
					const asked = { ...bet, price: back?.price ?? 2, persistence: 'LAPSE' as const };
					const answer = await placeBet(server, token, { ...asked, clientRequestId: randomUUID() }).catch(
						(error: unknown) => error,
					);
					expect(answer).toBeInstanceOf(RefusedCall);
					expect(REFUSED_FOR_CERTAIN).toContain((answer as RefusedCall).code);
				}
			}
		} finally {
			server.postgres.thaw();
		}
		await expectRecovery(inPlay);
		expect(await server.failedAuditChecks()).toEqual([]);
	});
});
