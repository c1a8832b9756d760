/** Panic keys: one press stops the bets of a market, an event, a sport, a feed or the platform, and is undone exactly. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { FEED_LEASE_MS } from '#server/world/markets/fixture-market.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ConsoleClient } from './console-client.ts';

type Press = ResultOf<'panic'>;
type Resumed = ResultOf<'resume-all'>;
type Presses = ResultOf<'presses'>;

const PASSWORD = 'Correct-horse-9';
const FOOTBALL = 1;

let server: TestServer;
let asha: ConsoleClient;
let player: Player;
beforeAll(async () => {
	server = await sharedServer();
	const about = { name: 'asha of panic', passwordHash: await hashPassword(PASSWORD), roles: ['trader'], brands: null };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	asha = new ConsoleClient(server.url);
	await asha.result('log-in', { name: 'asha of panic', password: PASSWORD });
	player = await server.demoPlayer();
	await openMarketMakers(server.running.exchange);
});

const statusOf = ({ marketId }: { marketId: string }) => server.running.exchange.market(Number(marketId))?.status;
const press = (scope: object) => asha.result<Press>('panic', scope);
const resumeAll = (pressId: string | null) => asha.result<Resumed>('resume-all', { pressId });
const placed = async (match: TestMatch) => (await server.call('placeBetV2', betOn(match), player.token)).code;

describe('a press', () => {
	it.each([
		['a market', ({ marketId }: TestMatch) => ({ marketId }), ['own']],
		['an event', ({ eventId }: TestMatch) => ({ eventId }), ['own']],
		['a sport', () => ({ sport: 'cricket' }), ['own', 'sport']],
		['a feed', () => ({ source: 'a feed' }), ['own', 'source']],
		['the platform', () => ({ isAll: true }), ['own', 'sport', 'source', 'other']],
	])('of %s stops its bets alone, and resuming undoes it', async (_, scopeOf, stopped) => {
		const matches = {
			own: await openTestMatch(server, { source: 'a feed' }),
			sport: await openTestMatch(server),
			source: await openTestMatch(server, { source: 'a feed', sportId: FOOTBALL }),
			other: await openTestMatch(server, { sportId: FOOTBALL }),
		};
		const { pressId, suspended } = await press(scopeOf(matches.own));
		for (const [name, match] of Object.entries(matches))
			expect([name, await placed(match)]).toEqual([name, stopped.includes(name) ? 'MARKET_SUSPENDED' : null]);
		const { resumed, released, left } = await resumeAll(pressId);
		expect([resumed + released, left]).toEqual([suspended, []]);
		for (const match of Object.values(matches)) expect(await placed(match)).toBeNull();
	});

	it('is not undone for what was suspended before it, again since, or has ended', async () => {
		const [free, before, again, ended] = await Promise.all([1, 2, 3, 4].map(() => openTestMatch(server)));
		if (!free || !before || !again || !ended) throw new Error('a match is missing');
		await asha.result('suspend', { marketId: before.marketId });
		const { pressId } = await press({ sport: 'cricket' });
		await asha.result('suspend', { marketId: again.marketId });
		await asha.result('close', { marketId: ended.marketId });
		const { left } = await resumeAll(pressId);
		expect(left.map(({ marketId }) => marketId).sort()).toEqual([again.marketId, ended.marketId].sort());
		expect([free, before, again, ended].map(statusOf)).toEqual(['OPEN', 'SUSPENDED', 'SUSPENDED', 'CLOSED']);
		// What is left is not resumed by asking once more.
		expect(await resumeAll(pressId)).toMatchObject({ resumed: 0, released: 0 });
		expect(statusOf(again)).toBe('SUSPENDED');
	});

	it('cannot be undone for a market by a trader who has not seen it', async () => {
		const match = await openTestMatch(server);
		const { version: seenVersion } = await asha.result<ResultOf<'suspend'>>('suspend', { marketId: match.marketId });
		await press({ eventId: match.eventId });
		expect(await asha.code('resume', { marketId: match.marketId, seenVersion })).toBe('WRONG_MARKET_STATE');
	});

	it('gives markets of a feed back to it, which opens them with its own prices', async () => {
		const { market: first, eventId } = await openTestMatch(server);
		const { exchange, fixtures } = server.running;
		const parts = { exchange, fixtures, leaseMs: FEED_LEASE_MS };
		const about = { ...first.listing, name: 'Of the feed' };
		const market = await openMarket(parts, first.fixture, about);
		const offer = (price: number) => market.offer([quotesAround(price), quotesAround(price)]);
		await offer(200);
		const { pressId } = await press({ eventId });
		await offer(300);
		const marketId = String(market.listing.id);
		expect(statusOf({ marketId })).toBe('SUSPENDED');
		expect(await resumeAll(pressId)).toMatchObject({ resumed: 1, released: 1 });
		expect(statusOf({ marketId })).toBe('SUSPENDED');
		await offer(300);
		expect(statusOf({ marketId })).toBe('OPEN');
		const { runners } = await server.result('getUserOdds', { marketId }, player.token);
		expect(runners[0]?.back[0]?.price).toBe(3);
	});

	it.each([
		['nothing', {}],
		['two things', { sport: 'cricket', isAll: true }],
	])('of %s is refused', async (_, scope) => {
		expect(await asha.code('panic', scope)).toBe('VALIDATION_FAILED');
	});

	it('is listed with what it still suspends', async () => {
		const match = await openTestMatch(server);
		const { pressId } = await press({ eventId: match.eventId });
		const find = async () => (await asha.result<Presses>('presses', {})).find((listed) => listed.pressId === pressId);
		expect(await find()).toMatchObject({
			actor: 'asha of panic',
			scope: `event ${match.eventId}`,
			suspended: 1,
			standing: 1,
		});
		await resumeAll(pressId);
		expect(await find()).toMatchObject({ suspended: 1, standing: 0 });
	});
});

describe('presses, suspensions and resumptions in any order', () => {
	onSeeds([1, 2, 3], 'never open what another deed has suspended since (seed %i)', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const matches = await Promise.all([1, 2, 3].map(() => openTestMatch(server, { source: `lane ${seed}` })));
		/** By market: the deed that holds it, as the rule says it in the simplest words. */
		const holder = new Map<string, string | null>(matches.map(({ marketId }) => [marketId, null]));
		const pressed: string[] = [];
		for (let turn = 0; turn < 40; turn++) {
			const { marketId, eventId } = numbers.from(matches);
			const kind = numbers.below(4);
			if (kind === 0) {
				await asha.result('suspend', { marketId });
				holder.set(marketId, 'a trader');
			} else if (kind === 1) {
				await asha.result('resume', { marketId });
				holder.set(marketId, null);
			} else if (kind === 2) {
				const isWide = numbers.chance(50);
				const { pressId } = await press(isWide ? { source: `lane ${seed}` } : { eventId });
				const reached = isWide ? matches.map((match) => match.marketId) : [marketId];
				// What a deed holds already is suspended again, and no press resumes it.
				for (const one of reached) holder.set(one, holder.get(one) === null ? pressId : 'more than one');
				if (pressId) pressed.push(pressId);
			} else if (pressed.length > 0) {
				const pressId = numbers.from(pressed);
				await resumeAll(pressId);
				for (const [one, by] of holder) if (by === pressId) holder.set(one, null);
			}
			const expected = matches.map((match) => (holder.get(match.marketId) === null ? 'OPEN' : 'SUSPENDED'));
			expect([turn, ...matches.map(statusOf)]).toEqual([turn, ...expected]);
		}
	});
});
