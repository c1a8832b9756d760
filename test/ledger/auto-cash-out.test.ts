/** How many cash-out targets a turn of the event loop looks at, and that every change is followed by a whole look. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { AutoCashOut, TARGETS_A_TURN } from '#server/money/cash-out/auto-cash-out.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const [MARKET, OTHER_MARKET] = [1, 2];
const MAKER = 1001;
const PLAYERS = Array.from({ length: Math.ceil(TARGETS_A_TURN * 2.5) }, (_, at) => 2001 + at);
const OTHER_PLAYER = 3001;
const STAKE = 1_000;

let database: FreshDatabase;
let exchange: Exchange;
let auto: AutoCashOut;
/** The last batch that changed the book of a market. */
let changed: Map<number, Committed>;
/** The players whose targets were looked at, in their order, and how many since the turn began. */
let looked: number[];
let inTurn: number;
let mostInTurn: number;
let turn: NodeJS.Immediate;

const bet = (walletId: number, marketId: number, side: 0 | 1, stake: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side,
	price: 200,
	stake,
	persist: true,
});

/** Each player has backed, and has a target that no price reaches. */
beforeEach(async () => {
	database = await freshDatabase();
	changed = new Map();
	exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		log: pino({ level: 'silent' }),
		onCommitted: (committed) => {
			for (const { marketId } of committed.books) changed.set(marketId, committed);
		},
	});
	for (const marketId of [MARKET, OTHER_MARKET]) await exchange.submit(plainMarket(marketId));
	await Promise.all(
		[MAKER, ...PLAYERS, OTHER_PLAYER].flatMap((walletId) => [
			exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' }),
			exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 }),
		]),
	);
	for (const [marketId, players] of [
		[MARKET, PLAYERS],
		[OTHER_MARKET, [OTHER_PLAYER]],
	] as const) {
		await exchange.submit(bet(MAKER, marketId, 1, STAKE * players.length));
		await Promise.all(players.map((walletId) => exchange.submit(bet(walletId, marketId, 0, STAKE))));
		const target = { kind: 'set-cash-out-target', marketId, target: 1_000_000 } as const;
		await Promise.all(players.map((walletId) => exchange.submit({ ...target, walletId })));
	}
	auto = new AutoCashOut({ exchange, log: pino({ level: 'silent' }) });
	[looked, inTurn, mostInTurn] = [[], 0, 0];
	const walletOf = exchange.wallet.bind(exchange);
	vi.spyOn(exchange, 'wallet').mockImplementation((walletId) => {
		looked.push(walletId);
		mostInTurn = Math.max(mostInTurn, ++inTurn);
		return walletOf(walletId);
	});
	const count = (): void => {
		inTurn = 0;
		turn = setImmediate(count);
	};
	count();
});
afterEach(async () => {
	clearImmediate(turn);
	await exchange.drain();
	await database.drop();
});

const change = (marketId: number) => auto.onCommitted(changed.get(marketId) ?? expect.unreachable());
const turns = async (count: number): Promise<void> => {
	for (let turnNumber = 0; turnNumber < count; turnNumber++) await new Promise((resume) => setImmediate(resume));
};

it('looks at a bounded number of targets a turn, of each once for many changes before it', async () => {
	for (let changes = 0; changes < 5; changes++) change(MARKET);
	await turns(20);
	expect(mostInTurn).toBe(TARGETS_A_TURN);
	expect(looked).toEqual(PLAYERS);
});

it('looks at all targets once more when the market changes during a look', async () => {
	change(MARKET);
	await turns(2);
	const before = looked.length;
	expect(before).toBeLessThan(PLAYERS.length);
	for (let changes = 0; changes < 5; changes++) change(MARKET);
	await turns(20);
	expect(looked.slice(PLAYERS.length)).toEqual(PLAYERS);
	expect(mostInTurn).toBe(TARGETS_A_TURN);
});

it('looks at the targets of another market in between', async () => {
	change(MARKET);
	change(OTHER_MARKET);
	await turns(20);
	expect(looked.indexOf(OTHER_PLAYER)).toBe(TARGETS_A_TURN);
	expect(looked.toSorted()).toEqual([...PLAYERS, OTHER_PLAYER]);
});
