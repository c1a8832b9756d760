/** A fixture of several markets shown state by state, in the real exchange: each state written by hand. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Receipt } from '#server/exchange/exchange.ts';
import { LiveFixture } from '#server/world/feeds/simulated/live-fixture.ts';
import type { SimulationParts } from '#server/world/feeds/simulated/played-fixture.ts';
import { abandonFixture } from '#server/world/markets/abandon-fixture.ts';
import { MARKET_MAKER_WALLETS } from '#server/world/markets/market-maker.ts';
import type { MarketState, PlayState } from '#sports/play.ts';
import { BACK, type SideCode } from '#values/sides.ts';
import { CRICKET } from '#values/sports.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

const LINES = [40, 41, 42, 43, 44];
const TEAMS = [
	{ id: '1', name: 'Kites' },
	{ id: '2', name: 'Bulls' },
];

const odds: MarketState = {
	name: 'Match Odds',
	type: 'MATCH_ODDS',
	runners: TEAMS,
	betDelaySeconds: 0,
	rules: 'Who wins.',
	chances: [0.5, 0.5],
	result: null,
};
const bookmaker: MarketState = { ...odds, name: 'Bookmaker', type: 'BOOKMAKER' };
const session: MarketState = {
	...odds,
	name: '6 over runs',
	type: 'SESSION_RUNS',
	lines: LINES,
	runners: LINES.map((line) => ({ id: String(line), name: String(line) })),
	chances: [0.9, 0.7, 0.5, 0.3, 0.1],
};
const win: MarketState = {
	...odds,
	name: 'Win',
	type: 'WIN',
	runners: ['1', '2', '3'].map((id) => ({ id, name: `Horse ${id}` })),
	chances: [0.25, 0.25, 0.5],
};

const openLive = (of: SimulationParts): Promise<LiveFixture> =>
	LiveFixture.open(of, {
		sportId: CRICKET,
		title: 'Kites v Bulls',
		competition: 'Test Cup',
		startsAtMs: Date.now(),
		status: 'UPCOMING',
		source: 'test',
		sourceRef: freshRequestId(),
		hasTv: false,
		scoreLine: null,
	});

let server: TestServer;
let parts: SimulationParts;
let player: Player;
let live: LiveFixture;
let version = 0;
beforeAll(async () => {
	server = await TestServer.start();
	parts = await feedParts(server);
});
afterAll(() => server.dispose());
beforeEach(async () => {
	player = await server.demoPlayer();
	live = await openLive(parts);
});

const eventId = () => String(live.fixture.id);
const state = (markets: MarketState[], changes: Partial<PlayState> = {}): PlayState => ({
	inPlay: true,
	isEnded: false,
	markets,
	scoreLine: '1/0',
	score: {
		sport: 'trade',
		version: ++version,
		state: 'IN_PLAY',
		note: '',
		instrument: '',
		unit: '',
		openLevel: 1,
		level: 1,
		ticksLeft: 1,
		history: [],
	},
	...changes,
});

async function marketNamed(name: string) {
	const { markets } = await server.result('getMarketsByEventId', { eventId: eventId() }, player.token);
	const market = markets.find((candidate) => candidate.name === name);
	if (!market) throw new Error(`No market ${name}.`);
	return market;
}
const bookOf = async (name: string) =>
	await server.result('getUserOdds', { marketId: (await marketNamed(name)).id }, player.token);

async function bet(name: string, changes: { runnerId: string; side: 'BACK' | 'LAY' | 'YES' | 'NO'; price: number }) {
	const marketId = (await marketNamed(name)).id;
	const asked = { marketId, stake: 100, ...changes, clientRequestId: freshRequestId() };
	return await server.call('placeBetV2', asked, player.token);
}
/** Quotes that wait, by their ids; the same ids are quotes that were left alone. */
const quotes = (): number[] =>
	Object.values(MARKET_MAKER_WALLETS).flatMap((walletId) =>
		parts.exchange.openBets(walletId).map(({ betId }) => betId),
	);

describe('quotes', () => {
	it('are around the fair price, and the house earns on both sides', async () => {
		await live.show(state([odds]));
		const [first] = (await bookOf('Match Odds')).runners;
		expect(first?.back[0]?.price).toBeLessThan(2);
		expect(first?.lay[0]?.price).toBeGreaterThan(2);
		expect(parts.exchange.book(Number((await marketNamed('Match Odds')).id), 'DEMO')?.runners[0]?.back).toHaveLength(
			10,
		);
	});

	it('that did not move stay in the book', async () => {
		await live.show(state([odds, bookmaker, session]));
		const placed = quotes();
		expect(placed.length).toBeGreaterThan(0);
		await live.show(state([odds, bookmaker, session]));
		expect(quotes()).toEqual(placed);
	});

	it('are found again by a restarted feed', async () => {
		const shown = state([odds]);
		await live.show(shown);
		const placed = quotes();
		const again = await LiveFixture.open(parts, live.fixture);
		await again.show(shown);
		expect(quotes()).toEqual(placed);
	});

	it('of the house leave out a decided side, which takes no bets', async () => {
		await live.show(state([{ ...bookmaker, chances: [0.95, 0.05] }]));
		expect((await marketNamed('Bookmaker')).runners.map(({ status }) => status)).toEqual(['SUSPENDED', 'SUSPENDED']);
		expect((await bet('Bookmaker', { runnerId: '1', side: 'BACK', price: 1.02 })).code).toBe('RUNNER_SUSPENDED');
		await live.show(state([{ ...bookmaker, chances: [0.6, 0.4] }]));
		expect((await marketNamed('Bookmaker')).runners.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
	});
});

describe('a fancy', () => {
	it('shows offered lines, and takes YES and NO at the house’s rates', async () => {
		await live.show(state([session]));
		const market = await marketNamed('6 over runs');
		expect(market).toMatchObject({ bettingModel: 'FANCY', ladder: 'RATES', numberOfWinners: 1, lines: LINES });
		expect(market.runners.map(({ line }) => line)).toEqual([41, 42, 43]);
		const book = await bookOf('6 over runs');
		expect(book.runners.map(({ runnerId }) => runnerId)).toEqual(['41', '42', '43']);
		const even = book.runners[1];
		const yes = await bet('6 over runs', { runnerId: '42', side: 'YES', price: even?.back[0]?.price ?? 0 });
		const no = await bet('6 over runs', { runnerId: '42', side: 'NO', price: even?.lay[0]?.price ?? 0 });
		expect([yes, no].map(({ body }) => body.result?.status)).toEqual(['MATCHED', 'MATCHED']);
	});

	it('also shows lines that were bet on', async () => {
		await live.show(state([session]));
		const price = (await bookOf('6 over runs')).runners[0]?.back[0]?.price ?? 0;
		await bet('6 over runs', { runnerId: '41', side: 'YES', price });
		await live.show(state([{ ...session, chances: [1, 0.95, 0.9, 0.5, 0.3] }]));
		expect((await marketNamed('6 over runs')).runners.map(({ line }) => line)).toEqual([41, 43, 44]);
	});

	it('refuses an invalid rate and names the nearest', async () => {
		await live.show(state([session]));
		const refused = await bet('6 over runs', { runnerId: '42', side: 'YES', price: 11 });
		expect([refused.code, refused.body.error?.details]).toEqual(['PRICE_NOT_ON_LADDER', { nearest: [10.99] }]);
	});
});

describe('play', () => {
	it('turns markets in-play, and closes those that end at the start', async () => {
		const early = { ...odds, name: 'Toss', type: 'TO_WIN_THE_TOSS', closesAtStart: true };
		await live.show(state([odds, early], { inPlay: false }));
		expect(live.fixture.status).toBe('UPCOMING');
		expect((await marketNamed('Toss')).status).toBe('OPEN');
		await live.show(state([odds, early]));
		expect(await marketNamed('Match Odds')).toMatchObject({ status: 'OPEN', inPlay: true });
		expect((await marketNamed('Toss')).status).toBe('CLOSED');
		expect(live.fixture.status).toBe('IN_PLAY');
	});

	it('is suspended at an incident: unmatched bets lapse, and the next state resumes', async () => {
		await live.show(state([odds, bookmaker]));
		const waiting = await bet('Match Odds', { runnerId: '1', side: 'BACK', price: 9 });
		expect(waiting.body.result?.status).toBe('UNMATCHED');
		await live.show(state([odds, bookmaker]), { incident: true });
		expect((await marketNamed('Match Odds')).status).toBe('SUSPENDED');
		expect((await marketNamed('Bookmaker')).status).toBe('SUSPENDED');
		expect((await server.result('getUserOpenBets', {}, player.token)).openBets).toEqual([]);
		await live.show(state([odds, bookmaker]));
		expect((await marketNamed('Match Odds')).status).toBe('OPEN');
		expect((await bookOf('Match Odds')).runners[0]?.back).toHaveLength(3);
	});

	it('holds the house’s market while the ball is running, and the exchange continues', async () => {
		await live.show(state([odds, bookmaker]));
		const before = (await marketNamed('Bookmaker')).version;
		await live.show(state([odds, bookmaker], { ballRunning: true }));
		expect(await marketNamed('Bookmaker')).toMatchObject({ status: 'BALL_RUNNING', version: before });
		expect((await marketNamed('Match Odds')).status).toBe('OPEN');
		await live.show(state([odds, bookmaker]));
		expect((await marketNamed('Bookmaker')).status).toBe('OPEN');
	});

	it('suspends markets without a price', async () => {
		await live.show(state([odds, session]));
		await live.show(state([odds, { ...session, chances: null }]));
		expect((await marketNamed('6 over runs')).status).toBe('SUSPENDED');
		await live.show(state([odds, session]));
		expect((await marketNamed('6 over runs')).status).toBe('OPEN');
	});

	it('cancels stale quotes before a market resumes', async () => {
		await live.show(state([odds]));
		const { id } = await marketNamed('Match Odds');
		const marketId = Number(id);
		const stale = (await bookOf('Match Odds')).runners[0]?.back[0]?.price ?? 0;
		await live.show(state([{ ...odds, chances: null }]));
		// The bet reaches the exchange right behind the resumption.
		const submitTogether = parts.exchange.submitTogether.bind(parts.exchange);
		const answers: Promise<Receipt>[] = [];
		const { userId: walletId } = player;
		const late = { walletId, marketId, runner: 0, side: BACK as SideCode, price: Math.round(stale * 100) };
		parts.exchange.submitTogether = (requests) => {
			const done = submitTogether(requests);
			if (requests.some(({ kind }) => kind === 'resume-market')) {
				const bet = { kind: 'place-bet', ...late, stake: 1_000, persist: false, fillOrKill: true } as const;
				answers.push(parts.exchange.submit(bet));
			}
			return done;
		};
		try {
			await live.show(state([{ ...odds, chances: [0.8, 0.2] }]));
		} finally {
			parts.exchange.submitTogether = submitTogether;
		}
		expect((await Promise.all(answers)).map(({ matched }) => matched)).toEqual([0]);
		expect((await marketNamed('Match Odds')).status).toBe('OPEN');
		expect((await bookOf('Match Odds')).runners[0]?.back[0]?.price).toBeLessThan(stale);
	});

	describe('a trigger takes no bet behind missing quotes for the best price', () => {
		let marketId: string;
		/** A layer's bet at 1.20 stands far behind the quotes, and a back waits until the best price falls to 1.50. */
		beforeEach(async () => {
			await live.show(state([odds]));
			marketId = (await marketNamed('Match Odds')).id;
			await bet('Match Odds', { runnerId: '1', side: 'LAY', price: 1.2 });
			const back = { marketId, runnerId: '1', side: 'BACK', price: 1.1, stake: 100, clientRequestId: freshRequestId() };
			await server.result('placeTrigger', { ...back, watches: 'BEST', moves: 'FALLS', at: 1.5 } as never, player.token);
		});
		const waiting = async () => (await server.result('getTriggers', {}, player.token)).triggers.length;
		const bestPrice = async () => (await bookOf('Match Odds')).runners[0]?.back[0]?.price;

		it('when its feed resumes the market at other quotes', async () => {
			await live.show(state([{ ...odds, chances: null }]));
			await live.show(state([{ ...odds, chances: [0.2, 0.8] }]));
			expect(await bestPrice()).toBeGreaterThan(4);
			expect(await waiting()).toBe(1);
		});

		it('when an operator resumes the market before its feed quotes again; then the quotes count', async () => {
			await parts.exchange.submit({ kind: 'suspend-market', marketId: Number(marketId), lapseUnmatched: false });
			await live.show(state([{ ...odds, chances: [0.2, 0.8] }]));
			await parts.exchange.submit({ kind: 'resume-market', marketId: Number(marketId) });
			expect([await bestPrice(), await waiting()]).toEqual([1.2, 1]);
			await live.show(state([{ ...odds, chances: [0.75, 0.25] }]));
			expect(await bestPrice()).toBeLessThan(1.4);
			await parts.exchange.submit({ kind: 'open-wallet', walletId: 9_999, pool: 'PLAY' });
			await expect.poll(waiting).toBe(0);
		});
	});

	it('leaves a market that an operator suspended', async () => {
		await live.show(state([odds]));
		const marketId = Number((await marketNamed('Match Odds')).id);
		await parts.exchange.submit({ kind: 'suspend-market', marketId, lapseUnmatched: false });
		await live.show(state([odds]));
		expect((await marketNamed('Match Odds')).status).toBe('SUSPENDED');
	});

	it('removes a non-runner: its bets are void and the others’ prices are reduced', async () => {
		await live.show(state([win], { inPlay: false }));
		const book = await bookOf('Win');
		const price = (runner: number) => book.runners[runner]?.back[0]?.price ?? 0;
		await bet('Win', { runnerId: '1', side: 'BACK', price: price(0) });
		await bet('Win', { runnerId: '3', side: 'BACK', price: price(2) });
		const gone = { ...win, chances: [0, 1 / 3, 2 / 3], removed: [{ runner: 0, reductionBp: 2500 }] };
		await live.show(state([gone], { inPlay: false }));
		const { runners } = await marketNamed('Win');
		expect(runners[0]).toMatchObject({ status: 'REMOVED', adjustmentFactor: 25 });
		const { openBets } = await server.result('getUserOpenBets', {}, player.token);
		// By hand: 1.98 × 0.75 is 1.485, to the nearest hundredth 1.49.
		expect(openBets.map(({ runnerId, averagePrice }) => [runnerId, averagePrice])).toEqual([
			['3', Math.round(price(2) * 75) / 100],
		]);
	});
});

describe('the end', () => {
	it('of one market settles it while the others continue; undecided ones are void', async () => {
		await live.show(state([odds, session]));
		const no = (await bookOf('6 over runs')).runners[1]?.lay[0]?.price ?? 0;
		await bet('6 over runs', { runnerId: '42', side: 'NO', price: no });
		const { back } = (await bookOf('Match Odds')).runners[0] ?? { back: [] };
		await bet('Match Odds', { runnerId: '1', side: 'BACK', price: back[0]?.price ?? 0 });
		await live.show(state([odds, { ...session, result: { value: 41 } }]));
		expect((await marketNamed('6 over runs')).status).toBe('SETTLED');
		expect((await marketNamed('Match Odds')).status).toBe('OPEN');
		// 41 runs do not reach 42: NO wins the stake of 100, without commission.
		const afterSession = 20_000 + 100 - 100;
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(afterSession);
		await live.show(state([{ ...odds, result: { unfinished: true } }], { isEnded: true }));
		expect((await marketNamed('Match Odds')).status).toBe('VOIDED');
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(20_100);
		expect(live.fixture.status).toBe('FINISHED');
	});

	it('of a race shares a place that horses tie for, also for bets placed in running', async () => {
		const runners = ['1', '2', '3', '4'].map((id) => ({ id, name: `Horse ${id}` }));
		const place: MarketState = {
			...win,
			name: 'Place',
			type: 'PLACE',
			places: 2,
			runners,
			chances: [0.8, 0.5, 0.4, 0.3],
		};
		await live.show(state([place]));
		const market = await marketNamed('Place');
		expect(market).toMatchObject({ status: 'OPEN', inPlay: true, numberOfWinners: 2 });
		const price = (await bookOf('Place')).runners[1]?.back[0]?.price ?? 0;
		await bet('Place', { runnerId: '2', side: 'BACK', price });
		await live.show(state([place]), { incident: true });
		expect((await marketNamed('Place')).status).toBe('SUSPENDED');
		await live.show(state([{ ...place, result: { winners: [0], tied: [1, 2] } }], { isEnded: true }));
		expect((await marketNamed('Place')).status).toBe('SETTLED');
		// One place for two horses: half of the stake of 100 wins at the full price, the other half loses.
		const net = 50 * price - 100;
		const commission = Math.max(0, net) * 0.02;
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBeCloseTo(20_000 + net - commission, 1);
	});

	it('is not accepted while a market is open', async () => {
		await expect(live.show(state([odds], { isEnded: true }))).rejects.toThrow('Match Odds');
	});

	it('of a fixture that is not continued returns every stake', async () => {
		await live.show(state([odds, session]));
		const { back } = (await bookOf('Match Odds')).runners[0] ?? { back: [] };
		await bet('Match Odds', { runnerId: '1', side: 'BACK', price: back[0]?.price ?? 0 });
		await abandonFixture(parts, live.fixture);
		expect((await marketNamed('Match Odds')).status).toBe('VOIDED');
		expect(live.fixture.status).toBe('ABANDONED');
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(20_000);
	});
});

it('in an engine of real money has the markets that players bet on among themselves, and no quote of the house', async () => {
	const real = await TestServer.start(undefined, { pools: ['REAL'] });
	onTestFinished(() => real.dispose());
	const ofReal = { ...(await feedParts(real)), leaseMs: 60_000 };
	const shown = await openLive(ofReal);
	await shown.show(state([odds, bookmaker, session]));
	const { exchange, fixtures } = real.running;
	const listed = fixtures.markets(shown.fixture.id);
	expect(listed.map(({ name }) => name)).toEqual(['Match Odds']);
	const id = listed[0]?.id ?? 0;
	// Without quotes, its feed vouches for it nevertheless.
	expect(exchange.market(id)).toMatchObject({ status: 'OPEN', pools: ['REAL'] });
	expect(exchange.book(id, 'REAL')).toBeNull();
	expect(Object.values(MARKET_MAKER_WALLETS).filter((wallet) => exchange.wallet(wallet) !== null)).toEqual([]);
	await shown.show(
		state(
			[odds, bookmaker, session].map((market) => ({ ...market, result: { winners: [0] } })),
			{ isEnded: true },
		),
	);
	expect(exchange.market(id)?.status).toBe('SETTLED');
	expect(shown.fixture.status).toBe('FINISHED');
});
