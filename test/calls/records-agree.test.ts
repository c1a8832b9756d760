/**
 * Statement, profit and loss, bet history, open bets and balance tell one story, to the minor unit: random players bet in every
 * kind of market, which is settled, void, reopened and settled again, and after each act all five are compared.
 */
import { beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import type { NewMarket } from '#server/world/markets/open-market.ts';
import type { PlayResult } from '#values/play-result.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { feedParts } from '../support/feed-parts.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
	await feedParts(server);
});

const minor = (major: number): number => Math.round(major * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

interface Kind {
	market: Omit<NewMarket, 'name' | 'betDelaySeconds' | 'rules' | 'runners'> & { runners: number };
	/** Decimal prices that players ask for. */
	prices: readonly number[];
	/** The house quotes these rates, and players bet against it alone. */
	house?: boolean;
	result: (random: SeededNumbers) => PlayResult;
}

const winner =
	(runners: number) =>
	(random: SeededNumbers): PlayResult => ({ winners: [random.below(runners)] });
const value = (from: number, to: number) => (random: SeededNumbers) => ({ value: from + random.below(to - from + 1) });
const ODDS = [1.37, 1.5, 1.92, 2, 2.36, 3.05];

const KINDS: Record<string, Kind> = {
	'match odds': { market: { type: 'MATCH_ODDS', runners: 3 }, prices: ODDS, result: winner(3) },
	places: { market: { type: 'PLACE', runners: 4, places: 2 }, prices: ODDS, result: () => ({ winners: [0, 2] }) },
	'each way': {
		market: { type: 'EACH_WAY', runners: 5, places: 3, eachWayDivisor: 5 },
		prices: ODDS,
		result: (random) => (random.chance(50) ? { winners: [1], placed: [0, 4] } : { winners: [0], placed: [2, 3] }),
	},
	'over and under': {
		market: { type: 'OVER_UNDER', runners: 2, handicapQuarters: 8 },
		prices: ODDS,
		result: value(0, 4),
	},
	handicap: {
		market: { type: 'ASIAN_HANDICAP', runners: 2, handicapQuarters: -3 },
		prices: ODDS,
		result: (random) => ({ margin: random.below(5) - 2 }),
	},
	'a line': {
		market: { type: 'LINE', runners: 1, lineRange: { min: 150, max: 650, interval: 100 } },
		prices: [1.5, 2.5, 3.5, 4.5, 5.5],
		result: value(0, 8),
	},
	bookmaker: { market: { type: 'BOOKMAKER', runners: 2 }, prices: [1.87, 2.13], house: true, result: winner(2) },
	'a fancy': {
		market: { type: 'POINTS', runners: 4, lines: [10, 11, 12, 13] },
		prices: [1.87, 1.97],
		house: true,
		result: value(8, 15),
	},
	'odd and even': { market: { type: 'ODD_EVEN', runners: 2 }, prices: [1.93], house: true, result: value(3, 9) },
};

const PLAYERS = IS_WHOLE ? 3 : 2;
/** Markets of a kind, one after the other. */
const ROUNDS = IS_WHOLE ? 2 : 1;

let count = 0;
async function open({ market, prices, house }: Kind, name: string): Promise<FixtureMarket> {
	count += 1;
	const runners = Array.from({ length: market.runners }, (_, at) => ({ id: `r${at}`, name: `Runner ${at}` }));
	const listing = { ...market, runners, name: `${name} ${count}`, betDelaySeconds: 0, rules: 'By the result.' };
	const opened = await openMarketOf(server, await openTestMatch(server), listing);
	if (house) {
		const quoted = (price: number) => [{ price: minor(price), size: 50_000_000 }];
		const rates = { back: quoted(prices[0] ?? 2), lay: prices[1] === undefined ? [] : quoted(prices[1]) };
		await opened.quote(runners.map(() => rates));
	}
	return opened;
}

/** Bets of every player; some meet, some rest, some are refused. */
async function bet(players: readonly Player[], { prices, house }: Kind, market: FixtureMarket, random: SeededNumbers) {
	const { listing } = market;
	for (let at = 0; at < 12; at++) {
		const side = random.chance(50) && (!house || prices.length > 1) ? 'LAY' : 'BACK';
		const asked = {
			marketId: String(listing.id),
			runnerId: random.from(listing.runners).id,
			side: listing.lines ? (side === 'BACK' ? 'YES' : 'NO') : side,
			price: house ? (prices[side === 'BACK' ? 0 : 1] ?? 2) : random.from(prices),
			stake: (1000 + random.below(20_000)) / 100,
			clientRequestId: freshRequestId(),
		};
		await server.raw('placeBetV2', asked, random.from(players).token);
	}
}

async function allOf<Item>(page: (skip: number) => Promise<{ totalCount: number; items: Item[] }>): Promise<Item[]> {
	const items: Item[] = [];
	for (;;) {
		const answer = await page(items.length);
		items.push(...answer.items);
		if (answer.items.length === 0 || items.length >= answer.totalCount) return items;
	}
}

type StatementItem = ResultOf<Calls['getTransactionHistory']>['items'][number];

/** What each settled market came to by the statement: its settlements and their reversals, if a settlement is the last. */
function settledBy(statement: readonly StatementItem[]): Map<string, number> {
	const rows = statement.filter(({ kind }) => kind === 'MARKET_SETTLED' || kind === 'MARKET_REOPENED');
	const markets = new Map<string, number>();
	for (const { reference } of rows) {
		const ofMarket = rows.filter((row) => row.reference === reference);
		const came = sum(ofMarket.map(({ amount }) => minor(amount)));
		if (ofMarket[0]?.kind === 'MARKET_SETTLED') markets.set(reference, came);
		else expect([reference, came]).toEqual([reference, 0]);
	}
	return markets;
}

const sorted = (entries: Iterable<readonly [string, number]>) =>
	[...entries].sort(([one], [two]) => (one < two ? -1 : 1));

/** Each of the five against the others. */
async function expectAgreement({ token }: Player): Promise<void> {
	const statement = await allOf((skip) =>
		server.result('getTransactionHistory', { maxResultCount: '200', skipCount: String(skip) }, token),
	);
	const profitLoss = await server.result('getUserProfitLoss', { maxResultCount: 200 }, token);
	const history = await allOf((skip) =>
		server.result('getUserBetHistory', { maxResultCount: 200, skipCount: skip }, token),
	);
	const { openBets, balance, exposure } = await server.result('getUserOpenBets', {}, token);
	const expected = await server.result('getUserExpectedProfitLoss', {}, token);

	// The statement's rows follow one another and sum to the balance.
	for (const [at, row] of statement.entries()) {
		const before = statement[at + 1]?.balanceAfter ?? 0;
		expect([row, minor(row.balanceAfter) - minor(row.amount)]).toEqual([row, minor(before)]);
	}
	expect(sum(statement.map(({ amount }) => minor(amount)))).toBe(minor(balance));

	// Every settled market is one row of profit and loss, and comes to the same in the statement.
	const nameOf = (item: { eventTitle: string; marketName: string }) => `${item.eventTitle} · ${item.marketName}`;
	const made = profitLoss.items.map((item) => [nameOf(item), minor(item.profit)] as const);
	expect(sorted(settledBy(statement))).toEqual(sorted(made));
	const filtered = await server.result('getTransactionHistory', { kind: 'MARKET_SETTLED' }, token);
	expect(minor(filtered.credited) - minor(filtered.debited)).toBe(minor(profitLoss.profit));

	// So do the bets of its history, before the commission.
	const settled = history.filter(({ result }) => result === 'WON' || result === 'LOST');
	const nets = new Map<string, number>();
	for (const item of settled) nets.set(nameOf(item), (nets.get(nameOf(item)) ?? 0) + minor(item.profit));
	expect(sorted(nets)).toEqual(sorted(profitLoss.items.map((item) => [nameOf(item), minor(item.net)])));
	for (const item of settled) {
		const market = profitLoss.items.find(({ marketId }) => marketId === item.marketId);
		expect([item.betId, item.commission]).toEqual([item.betId, market?.commission]);
	}

	// Held money is held for open bets, and the rest is the grant plus the markets' results.
	const over = new Set(history.map(({ betId }) => betId));
	expect(openBets.filter(({ betId }) => over.has(betId))).toEqual([]);
	expect(minor(exposure) + sum(expected.map(({ worst }) => minor(worst)))).toBe(0);
	const granted = sum(statement.flatMap(({ kind, amount }) => (kind === 'GRANT' ? [minor(amount)] : [])));
	expect(minor(balance) + minor(exposure)).toBe(granted + minor(profitLoss.profit));
}

async function settleSomehow(kind: Kind, market: FixtureMarket, random: SeededNumbers): Promise<void> {
	if (random.chance(25)) await market.void();
	else await market.settle(kind.result(random));
}

/** Each kind of market is settled by test/engine; the records differ most in these. */
const MAIN = new Set(['match odds', 'each way', 'a line', 'a fancy']);

mainlyEach(Object.entries(KINDS), ([name]) => MAIN.has(name))(
	'statement, profit and loss, history, open bets and balance agree: %s',
	async (name, kind) => {
		const random = new SeededNumbers(name.length);
		const players = await Promise.all(Array.from({ length: PLAYERS }, () => server.demoPlayer()));
		const compare = async () => {
			for (const player of players) await expectAgreement(player);
		};
		for (let round = 0; round < ROUNDS; round++) {
			const market = await open(kind, name);
			await bet(players, kind, market, random);
			if (round === 0) await compare();
			await settleSomehow(kind, market, random);
			await compare();
			if (random.chance(50)) {
				await server.act('reopen', { marketId: String(market.listing.id) });
				await compare();
				await settleSomehow(kind, market, random);
				await compare();
			}
		}
	},
);

it('a lost fancy is a row of the statement although it moves no cash, and so is a market with a net of zero', async () => {
	const player = await server.demoPlayer();
	const fancy = await open(KINDS['a fancy'] as Kind, 'lost');
	const yes = { marketId: String(fancy.listing.id), runnerId: 'r3', side: 'YES', price: 1.87, stake: 530 };
	await server.result('placeBetV2', { ...yes, clientRequestId: freshRequestId() } as never, player.token);
	await fancy.settle({ value: 9 });
	const odds = KINDS['match odds'] as Kind;
	const even = await open(odds, 'even');
	const other = await server.demoPlayer();
	for (const [who, side] of [
		[player, 'BACK'],
		[other, 'LAY'],
		[player, 'LAY'],
		[other, 'BACK'],
	] as const) {
		const asked = { marketId: String(even.listing.id), runnerId: 'r0', side, price: 2, stake: 100 };
		await server.raw('placeBetV2', { ...asked, clientRequestId: freshRequestId() }, who.token);
	}
	await even.settle({ winners: [0] });
	const { items, credited, debited } = await server.result(
		'getTransactionHistory',
		{ kind: 'MARKET_SETTLED' },
		player.token,
	);
	expect(items.map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter])).toEqual([
		['MARKET_SETTLED', 0, 19_470],
		['MARKET_SETTLED', -530, 19_470],
	]);
	expect([credited, debited]).toEqual([0, 530]);
	const details = items.map(({ id }) => server.result('getTransactionDetail', { id }, player.token));
	const bets = (await Promise.all(details)).map((detail) =>
		detail.bets.map(({ side, stake, result }) => `${side} ${stake} ${result}`).sort(),
	);
	expect(bets).toEqual([['BACK 100 WON', 'LAY 100 LOST'], ['BACK 530 LOST']]);
	await expectAgreement(player);
});
