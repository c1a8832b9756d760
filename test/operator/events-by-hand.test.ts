/** Matches that a trader plays by hand, from their creation to the payment of players, with no feed at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { OwnFixtures } from '#server/world/feeds/by-hand/own-fixtures.ts';
import { findFixture } from '#server/world/fixtures/find-fixture.ts';
import { Markets } from '#server/world/markets/markets.ts';
import { expectSound } from '../support/audit.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type Event = ResultOf<'event-show'>;
type Standing = ResultOf<'resume'>;
type Ended = ResultOf<'event-end'>;
type Proposals = ResultOf<'proposals'>;

const PASSWORD = 'Correct-horse-9';
const STARTS_AT = '2031-03-01T14:00:00.000Z';

let server: TestServer;
let asha: ConsoleClient;
let bela: ConsoleClient;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	asha = await trader('asha');
	bela = await trader('bela');
	player = await server.demoPlayer();
});
afterAll(() => server.dispose());

async function trader(name: string, on = server): Promise<ConsoleClient> {
	const { directory } = on.running.staff;
	if (!directory.byName(name)) {
		const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['trader'], brands: null };
		await directory.add(about, { actor: 'test', address: null });
	}
	const client = new ConsoleClient(on.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

let matches = 0;
const ABOUT = { sport: 'football', competition: 'City League', firstSide: 'Reds', startsAt: STARTS_AT };

async function newMatch(changes: object = {}): Promise<Event> {
	return await asha.result<Event>('event-add', { ...ABOUT, secondSide: `Blues ${++matches}`, ...changes });
}

const open = (eventId: string, template = 'Match Odds') =>
	asha.result<Standing>('event-open-market', { eventId, template });

/** Evens, 4 and 4 for backers, a little more for layers. */
const PRICES = [
	{ back: 2, lay: 2.1 },
	{ back: 3.8, lay: 4.2 },
	{ back: 3.8, lay: 4.2 },
];
const price = ({ marketId, version: seenVersion }: Standing, prices: object = { prices: PRICES }) =>
	asha.result<Standing>('price-market', { marketId, seenVersion, ...prices });

const bet = async (marketId: string, runnerId: string, changes: object = {}) => {
	const body = { marketId, runnerId, side: 'BACK' as const, price: 2, stake: 100, clientRequestId: freshRequestId() };
	return await server.call('placeBetV2', { ...body, ...changes }, player.token);
};

async function score({ eventId, version }: Event, act: string, side: 0 | 1 | null = null): Promise<Event> {
	return await asha.result<Event>('event-score', { eventId, act, side, seenVersion: version });
}

/** Minor units. */
const balance = (): number => server.running.exchange.wallet(player.userId)?.cash ?? 0;

describe('a match by hand', () => {
	it('is listed, bet on, scored and settled like any other, and its result needs a second member', async () => {
		const before = balance();
		const match = await newMatch();
		const { eventId } = match;
		expect(match).toMatchObject({ event: match.sides.join(' v '), status: 'UPCOMING' });
		const odds = await open(eventId);
		await price(odds);
		const listed = await server.result('getMarketsByEventId', { eventId }, player.token);
		expect(listed.markets.map(({ name }) => name)).toEqual(['Match Odds']);
		expect((await bet(odds.marketId, '1')).body.result).toMatchObject({ matchedStake: 100, averagePrice: 2 });

		const begun = await asha.result<Event>('event-start', { eventId });
		const goal = await score(begun, 'GOAL', 0);
		expect(goal.score).toMatch(/^1 – 0 /);
		expect(await server.result('getScoreCard', { eventId }, player.token)).toMatchObject({
			teams: [{ goals: 1 }, { goals: 0 }],
		});
		expect((await bet(odds.marketId, '1')).code).toBe('MARKET_SUSPENDED');

		const ended = await asha.result<Ended>('event-end', { eventId });
		expect(ended).toMatchObject({ status: 'FINISHED', proposed: 1, undecided: [] });
		const [proposal] = await asha.result<Proposals>('proposals', { open: true, marketId: odds.marketId });
		expect(proposal).toMatchObject({ act: 'settle', proposedBy: 'asha', mayConfirm: false });
		expect(await asha.code('confirm', { proposalId: proposal?.proposalId })).toBe('SAME_PERSON');
		await bela.result('confirm', { proposalId: proposal?.proposalId });
		// 100 at evens, less 2 % commission.
		expect(balance()).toBe(before + 9_800);
		await expectSound(server.database.db);
	});

	it('is quoted from chances, with the margin on both sides of the fair price', async () => {
		const { eventId } = await newMatch();
		const odds = await open(eventId);
		await price(odds, { chances: [50, 25, 25], margin: 5 });
		const { runners } = await server.result('getUserOdds', { marketId: odds.marketId }, player.token);
		const best = runners.map(({ back, lay }) => [back[0]?.price, lay[0]?.price]);
		// Fair are 2 and 4; the ladder has steps of 0.01 below 2, 0.02 up to 3, 0.05 up to 4 and 0.1 beyond.
		expect(best).toEqual([
			[1.9, 2.1],
			[3.8, 4.2],
			[3.8, 4.2],
		]);
	});

	it.each([
		[
			'prices that lose on every outcome',
			{ prices: [5, 5, 5].map((back) => ({ back, lay: null })) },
			'VALIDATION_FAILED',
		],
		['layers below backers', { prices: PRICES.with(0, { back: 2, lay: 1.9 }) }, 'VALIDATION_FAILED'],
		['too few prices', { prices: PRICES.slice(1) }, 'VALIDATION_FAILED'],
		['a price between two steps', { prices: PRICES.with(0, { back: 2.01, lay: 2.1 }) }, 'PRICE_NOT_ON_LADDER'],
		['chances that do not sum up', { chances: [50, 25, 20] }, 'VALIDATION_FAILED'],
		['prices and chances at once', { prices: PRICES, chances: [50, 25, 25] }, 'VALIDATION_FAILED'],
	])('is refused %s', async (_, prices, code) => {
		const { eventId } = await newMatch();
		const { marketId, version: seenVersion } = await open(eventId);
		expect(await asha.code('price-market', { marketId, seenVersion, ...prices })).toBe(code);
	});

	it('has its score taken back, which suspends the markets again', async () => {
		const { eventId } = await newMatch();
		const odds = await open(eventId);
		const begun = await asha.result<Event>('event-start', { eventId });
		const goal = await score(begun, 'GOAL', 1);
		const { version } = await asha.result<Standing>('resume', { marketId: odds.marketId });
		const undone = await score(goal, 'UNDO');
		expect(undone).toMatchObject({ score: expect.stringMatching(/^0 – 0 /), canUndo: false });
		expect(server.running.exchange.market(Number(odds.marketId))).toMatchObject({ status: 'SUSPENDED' });
		expect(await asha.code('price-market', { marketId: odds.marketId, seenVersion: version, prices: PRICES })).toBe(
			'WRONG_MARKET_STATE',
		);
	});

	it('counts a goal once, however many traders press at once', async () => {
		const { eventId } = await newMatch();
		const { version: seenVersion } = await asha.result<Event>('event-start', { eventId });
		const press = (client: ConsoleClient) => client.code('event-score', { eventId, act: 'GOAL', side: 0, seenVersion });
		expect((await Promise.all([asha, bela, asha].map(press))).sort()).toEqual(['', 'WRONG_STATE', 'WRONG_STATE']);
		expect((await asha.result<Event>('event-show', { eventId })).score).toMatch(/^1 – 0 /);
	});

	it('is created once by two traders, and is not one that a feed has under the same name', async () => {
		const about = { ...ABOUT, secondSide: 'Greens' };
		const codes = await Promise.all([asha, bela].map((client) => client.code('event-add', about)));
		expect(codes.sort()).toEqual(['', 'VALIDATION_FAILED']);
		const { fixtures } = server.running;
		const own = fixtures.all().filter(({ title }) => title === 'Reds v Greens');
		const [first] = own;
		if (!first) throw new Error('no match was created');
		const { id, ...known } = first;
		const ofFeed = await findFixture(fixtures, { ...known, source: 'recording' });
		expect([own.length, ofFeed.id === id]).toEqual([1, false]);
		expect(await asha.code('event-show', { eventId: String(ofFeed.id) })).toBe('UNKNOWN_FIXTURE');
	});

	it('ends early by the rule of each market, and each of them waits for another member', async () => {
		const { eventId } = await newMatch();
		const odds = await open(eventId);
		const goals = await open(eventId, 'Over/Under 1.5 Goals');
		await price(odds);
		await bet(odds.marketId, '1');
		let event = await asha.result<Event>('event-start', { eventId });
		for (const side of [0, 1] as const) event = await score(event, 'GOAL', side);
		const ended = await asha.result<Ended>('event-end', { eventId, isAbandoned: true });
		expect(ended).toMatchObject({ status: 'ABANDONED', proposed: 2 });
		const acts = await Promise.all(
			[odds, goals].map(async ({ marketId }) => {
				const [proposal] = await bela.result<Proposals>('proposals', { open: true, marketId });
				return [proposal?.act, proposal?.input['results']];
			}),
		);
		expect(acts).toEqual([
			['void', undefined],
			['settle', ['WIN', 'LOSE']],
		]);
	});

	it('is not ended before play has begun, and abandoned by then leaves every market void', async () => {
		const { eventId } = await newMatch();
		const odds = await open(eventId);
		expect(await asha.code('event-end', { eventId })).toBe('WRONG_STATE');
		expect(server.running.exchange.market(Number(odds.marketId))?.status).toBe('OPEN');
		const ended = await asha.result<Ended>('event-end', { eventId, isAbandoned: true });
		expect(ended).toMatchObject({ status: 'ABANDONED', proposed: 1, undecided: [] });
		const [proposal] = await bela.result<Proposals>('proposals', { open: true, marketId: odds.marketId });
		expect(proposal?.act).toBe('void');
	});

	it.each([
		['ended within the second innings', false, ['Match Odds', 'To Win the Toss', 'Tied Match', 'Bookmaker']],
		// Play began, so the coin was tossed: a trader names the side.
		['abandoned there', true, ['To Win the Toss']],
	])('of cricket that is %s leaves open what its score does not decide', async (_, isAbandoned, undecided) => {
		const { eventId, templates } = await newMatch({ sport: 'cricket', overs: 1 });
		for (const { name } of templates) await open(eventId, name);
		let event = await asha.result<Event>('event-start', { eventId });
		event = await score(event, 'BATS', 0);
		for (let ball = 0; ball < 6; ball++) event = await score(event, 'RUNS_1');
		event = await score(event, 'BATS', 1);
		event = await score(event, 'RUNS_4');
		const ended = await asha.result<Ended>('event-end', { eventId, isAbandoned });
		expect(ended).toMatchObject({ undecided, proposed: templates.length - undecided.length });
	});

	it('of cricket is decided by a chase that is over, won or not', async () => {
		const { eventId } = await newMatch({ sport: 'cricket', overs: 1 });
		const odds = await open(eventId);
		const tied = await open(eventId, 'Tied Match');
		let event = await asha.result<Event>('event-start', { eventId });
		event = await score(event, 'BATS', 0);
		for (let ball = 0; ball < 6; ball++) event = await score(event, 'RUNS_1');
		event = await score(event, 'BATS', 1);
		for (let ball = 0; ball < 6; ball++) event = await score(event, ball === 0 ? 'RUNS_6' : 'RUNS_0');
		expect(await asha.result<Ended>('event-end', { eventId })).toMatchObject({ proposed: 2, undecided: [] });
		const proposed = await Promise.all(
			[odds, tied].map(
				async ({ marketId }) => (await bela.result<Proposals>('proposals', { open: true, marketId }))[0],
			),
		);
		expect(proposed.map((one) => one?.input['results'])).toEqual([
			['TIE', 'TIE'],
			['WIN', 'LOSE'],
		]);
	});

	it('is corrected in its names, and starts at another time only before play', async () => {
		const { eventId } = await newMatch();
		const startsAt = '2031-03-02T14:00:00.000Z';
		const edited = { eventId, title: 'Reds against Blues', competition: 'The Cup', startsAt };
		expect(await asha.result<Event>('event-edit', edited)).toMatchObject({ event: 'Reds against Blues', startsAt });
		await asha.result('event-start', { eventId });
		expect(await asha.code('event-edit', { eventId, startsAt: STARTS_AT })).toBe('WRONG_STATE');
		expect(await asha.code('event-edit', { eventId, title: 'Reds v Blues' })).toBe('');
	});

	it('stands after a restart with its bets and its newest score, also one that players were not shown', async () => {
		const database = server.database;
		const { eventId } = await newMatch();
		const odds = await open(eventId);
		await price(odds);
		await bet(odds.marketId, '1');
		const begun = await asha.result<Event>('event-start', { eventId });
		const goal = await score(begun, 'GOAL', 0);
		// As a kill leaves it between the row of a score and its copy.
		await database.db.query('update fixture set score = $2 where id = $1', [
			Number(eventId),
			JSON.stringify(begun.card),
		]);
		await server.running.stop();
		server = await TestServer.start(database);
		asha = await trader('asha');
		bela = await trader('bela');
		expect(await server.result('getScoreCard', { eventId }, player.token)).toMatchObject({ version: goal.version });
		const next = await score(await asha.result<Event>('event-show', { eventId }), 'GOAL', 0);
		expect(next.score).toMatch(/^2 – 0 /);
		await asha.result('event-end', { eventId });
		const [proposal] = await bela.result<Proposals>('proposals', { open: true, marketId: odds.marketId });
		await bela.result('confirm', { proposalId: proposal?.proposalId });
		await expectSound(database.db);
	});

	it('completes a start that was interrupted after any of its steps, when it is repeated or the server is started again', async () => {
		const { running, database } = server;
		/** Starts a match, as far as a process comes that dies at its step of that number. */
		const startUpTo = async (dies: number): Promise<Event> => {
			const { eventId } = await newMatch({ sport: 'cricket' });
			for (const template of ['Match Odds', 'To Win the Toss', 'Tied Match']) await open(eventId, template);
			let steps = 0;
			/** The same parts, of which each change is a step. */
			const dying = <Parts extends object>(parts: Parts, changes: readonly string[]): Parts =>
				new Proxy(parts, {
					get: (target, name) => {
						const member = Reflect.get(target, name) as unknown;
						if (typeof member !== 'function') return member;
						return (...values: unknown[]) => {
							if (changes.includes(String(name)) && steps++ >= dies) throw new Error('the process died');
							return Reflect.apply(member, target, values) as unknown;
						};
					},
				});
			const dead = new OwnFixtures({
				db: database.db,
				exchange: dying(running.exchange, ['submit']),
				fixtures: dying(running.fixtures, ['setStatus', 'setScore']),
				markets: new Markets(running),
			});
			await expect(dead.start(Number(eventId), 'asha')).rejects.toThrow('the process died');
			return await asha.result<Event>('event-show', { eventId });
		};
		// The status, three markets, and the score that players read.
		const halfStarted: Event[] = [];
		for (let dies = 1; dies <= 4; dies++) halfStarted.push(await startUpTo(dies));
		const repeated = await startUpTo(2);
		const begun = await asha.result<Event>('event-start', { eventId: repeated.eventId });
		await server.running.stop();
		server = await TestServer.start(database);
		asha = await trader('asha');
		bela = await trader('bela');
		for (const { eventId, version } of [...halfStarted, begun]) {
			const event = await asha.result<Event>('event-show', { eventId });
			expect(event).toMatchObject({ status: 'IN_PLAY', card: { state: 'IN_PLAY' } });
			expect(event.version).toBeLessThanOrEqual(version + 1);
			const states = server.running.fixtures
				.markets(Number(eventId))
				.map(({ id }) => server.running.exchange.market(id))
				.map((market) => [market?.status === 'CLOSED', market?.inPlay]);
			expect(states).toEqual([
				[false, true],
				[true, false],
				[false, true],
			]);
		}
	});
});
