/**
 * A fixture of each sport in the real exchange on a real database: players take the offers, and at the end every market is
 * settled or void and the ledger holds. Of the two longest sports the quick form plays the end of a fixture, and
 * `npm run test:all` every step.
 */

import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScoreCard } from '#contract/calls/score.ts';
import { PlayedFixture, type SimulationParts } from '#server/world/feeds/simulated/played-fixture.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { type Draw, pick, randomFrom } from '#sports/random.ts';
import { expectSound } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

const SEED = 5;
/** Of the thorough form: the catalogue would find the quick form's fixture, which has ended, by the same seed. */
const OTHER_SEED = 6;
/** The events of the markets of fixture 0 of these seeds; the race has a non-runner. */
const STATUSES: Record<string, string[]> = {
	football: ['OPEN', 'SUSPENDED'],
	tennis: ['OPEN', 'SUSPENDED'],
	cricket: ['OPEN', 'SUSPENDED', 'BALL_RUNNING'],
	kabaddi: ['OPEN', 'SUSPENDED'],
	racing: ['OPEN', 'SUSPENDED'],
	trade: ['OPEN'],
};

let server: TestServer;
let parts: SimulationParts;
beforeAll(async () => {
	server = await TestServer.start();
	parts = await feedParts(server);
});
afterAll(() => server.dispose());

function fixtureOf(key: string, number: number, seed = SEED): PlayedFixture {
	const sport = SIMULATED_SPORTS.find((candidate) => candidate.key === key);
	if (!sport) throw new Error(`There is no ${key}.`);
	return new PlayedFixture(parts, sport, seed, number, Date.now());
}

/** The first fixture of a sport; of races the first from which a horse is withdrawn. */
function numberOf(key: string): number {
	if (key !== 'racing') return 0;
	for (let number = 0; ; number++) {
		const { play } = fixtureOf(key, number);
		while (play.state().markets.every(({ removed }) => !removed?.length) && !play.isEnded) play.step();
		if (!play.isEnded) return number;
	}
}

/** Takes the best price of a side of a runner of a market, whichever the draw says; true when something was there. */
async function betSomewhere(eventId: string, player: Player, draw: Draw): Promise<boolean> {
	const { markets } = await server.result('getMarketsByEventId', { eventId }, player.token);
	const market = pick(
		markets.filter(({ status }) => status === 'OPEN'),
		draw,
	);
	if (!market) return false;
	const book = await server.result('getUserOdds', { marketId: market.id }, player.token);
	const side = draw() < 0.5 ? ('BACK' as const) : ('LAY' as const);
	const runner = pick(book.runners, draw);
	const best = runner?.[side === 'BACK' ? 'back' : 'lay'][0];
	if (!runner || !best) return false;
	const bet = { marketId: market.id, runnerId: runner.runnerId, side, price: best.price, stake: 10 };
	const { body } = await server.call('placeBetV2', { ...bet, clientRequestId: freshRequestId() }, player.token);
	return body.success;
}

/** Steps that a fixture has behind it when its markets open: those of a whole one would be most of this file's time. */
const LATE: Record<string, number> = { football: 200, cricket: 380 };

/** It has fancies and a ball that runs; sport-models.test.ts ends the matches of all. */
const MAIN = new Set(['cricket']);

describe.each(SIMULATED_SPORTS.map(({ key }) => key))('%s', (key) => {
	const late = LATE[key];
	const tags = MAIN.has(key) ? [] : ['thorough'];
	it(
		`is ${late ? 'played from late on' : 'played'}, bet on and settled to the last market`,
		{ timeout: 180_000, tags },
		() => playToTheEnd(key, late ?? 0, SEED),
	);
	if (late)
		it('is played, bet on and settled to the last market', { timeout: 180_000, tags: 'thorough' }, () =>
			playToTheEnd(key, 0, OTHER_SEED),
		);
});

async function playToTheEnd(key: string, steps: number, seed: number): Promise<void> {
	const { exchange, fixtures } = server.running;
	const fixture = fixtureOf(key, numberOf(key), seed);
	const draw = randomFrom(9);
	const player = await server.demoPlayer();
	await fixture.open({ steps });
	const eventId = String(fixture.fixtureId);
	expect(fixtures.fixture(fixture.fixtureId)?.status).toBe(steps > 0 ? 'IN_PLAY' : 'UPCOMING');
	const seen = new Set<string>();
	let [bets, version] = [0, 0];
	while (!fixture.play.isEnded) {
		if (fixture.play.steps % 4 === 0 && (await betSomewhere(eventId, player, draw))) bets++;
		await fixture.step();
		const card = v.parse(ScoreCard, fixtures.score(fixture.fixtureId));
		expect(card.version).toBeGreaterThanOrEqual(version);
		version = card.version;
		for (const { id } of fixtures.markets(fixture.fixtureId)) {
			const { status, inPlay } = exchange.market(id) ?? {};
			seen.add(`${status}${inPlay ? ' in play' : ''}`);
		}
	}
	expect(bets).toBeGreaterThan(5);
	for (const status of STATUSES[key] ?? []) expect([...seen]).toContain(`${status} in play`);
	expect(fixtures.fixture(fixture.fixtureId)?.status).toBe('FINISHED');
	const ends = fixtures.markets(fixture.fixtureId).map(({ id }) => exchange.market(id)?.status);
	expect(ends.filter((status) => status !== 'SETTLED' && status !== 'VOIDED')).toEqual([]);
	expect(ends).toContain('SETTLED');
	const removed = fixtures.markets(fixture.fixtureId).map(({ id }) => exchange.market(id)?.removed.length);
	expect(new Set(removed)).toEqual(new Set([key === 'racing' ? 1 : 0]));
	expect(exchange.openBets(player.userId)).toEqual([]);
	expect(exchange.wallet(player.userId)?.exposure).toBe(0);
}

it('leaves a sound ledger', async () => {
	await expectSound(server.database.db);
});
