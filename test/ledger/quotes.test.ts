/** The house's quotes cost the ledger nothing until they are matched, and their matched parts stay for ever. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { MARKET_MAKER_WALLETS, openMarketMakers } from '#server/world/markets/market-maker.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { feedParts } from '../support/feed-parts.ts';
import { betOn, openMarketOf, openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { LEDGER_KEY, type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	await feedParts(server);
});
afterAll(() => server.dispose());
beforeEach(async () => {
	match = await openTestMatch(server);
	player = await server.demoPlayer();
});

const quote = (price: number) => match.market.quote([quotesAround(price), quotesAround(price)]);
const book = () => server.running.exchange.book(Number(match.marketId), 'DEMO');
const offered = () => book()?.runners[0]?.back[0]?.price;
const take = (changes: object) => server.result('placeBetV2', betOn(match, { ...changes }), player.token);

/** Every row of the ledger with its version; a written or replaced row has another. */
async function ledgerRows(): Promise<string[]> {
	const tables = ['wallet', 'house_account', 'posting', 'market_state', 'bet', 'bet_match', 'player_settlement'];
	const { rows } = await server.database.db.query<{ row: string }>(
		tables.map((table) => `select '${table} ' || ctid || ' ' || xmin as row from ${table}`).join(' union all '),
	);
	return rows.map(({ row }) => row).sort();
}
async function houseRows(): Promise<unknown[]> {
	const { rows } = await server.database.db.query(
		`select stake::int, matched::int, remaining::int, voided::int, result from bet
		 where wallet_id = $1 and market_id = $2 order by bet_id`,
		[MARKET_MAKER_WALLETS.DEMO, match.marketId],
	);
	return rows;
}
const houseMoney = () => server.running.exchange.wallet(MARKET_MAKER_WALLETS.DEMO);

describe('without bets of players', () => {
	it('quotes are shown, each book with a higher version, and the ledger writes nothing', async () => {
		await quote(200);
		const before = await ledgerRows();
		let version = book()?.version ?? 0;
		for (let price = 202; price < 260; price += 2) {
			await quote(price);
			expect(offered()).toBe(price);
			expect(book()?.version).toBeGreaterThan(version);
			version = book()?.version ?? 0;
		}
		expect(await ledgerRows()).toEqual(before);
	});

	it('no money is held for quotes', async () => {
		const before = houseMoney();
		await quote(200);
		expect(houseMoney()).toEqual(before);
	});
});

describe('a quote that is matched', () => {
	it('has a row for its matched part only', async () => {
		await quote(200);
		await take({ price: 2, stake: 100 });
		expect(await houseRows()).toMatchObject([{ stake: 10_000, matched: 10_000, remaining: 0 }]);
		await take({ price: 2, stake: 50 });
		expect(await houseRows()).toMatchObject([{ stake: 15_000, matched: 15_000, remaining: 0 }]);
		const before = await ledgerRows();
		await quote(220);
		expect(await ledgerRows()).toEqual(before);
		expect(offered()).toBe(220);
	});

	it('holds the liability of its matched part', async () => {
		const before = houseMoney()?.exposure ?? 0;
		await quote(300);
		await take({ price: 3, stake: 100 });
		expect(houseMoney()?.exposure).toBe(before + 20_000);
		await match.settle(1);
		expect(houseMoney()?.exposure).toBe(before);
	});

	it('has an open row again when its only match is void and another follows', async () => {
		await quote(200);
		const { betId } = await take({ price: 2, stake: 100 });
		await server.act('void-bets', { marketId: match.marketId, betId });
		expect(await houseRows()).toMatchObject([{ stake: 10_000, matched: 0, voided: 10_000, result: 'VOID' }]);
		await take({ price: 2, stake: 30 });
		expect(await houseRows()).toMatchObject([{ stake: 13_000, matched: 3_000, voided: 10_000, result: null }]);
		await expectSound(server.database.db);
		await match.settle(0);
		await expectSound(server.database.db);
	});

	it('is settled, reopened and settled otherwise like any bet', async () => {
		await quote(220);
		await take({ price: 2.2, stake: 100 });
		await match.settle(0);
		// 120 less 2 %.
		expect(server.money(player)[0]).toBe(20_000 + 120 - 2.4);
		await server.act('reopen', { marketId: match.marketId });
		await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
		expect(server.money(player)[0]).toBe(20_000 - 100);
		await expectSound(server.database.db);
	});

	it('has its price reduced by a non-runner like any bet', async () => {
		const race = await openMarketOf(server, match, {
			name: 'Win',
			type: 'WIN',
			runners: ['A', 'B', 'C'].map((id) => ({ id, name: `Horse ${id}` })),
			betDelaySeconds: 0,
			rules: '',
		});
		await race.quote([quotesAround(300), quotesAround(300), quotesAround(400)]);
		const bet = { marketId: String(race.listing.id), runnerId: 'A', price: 3, stake: 100 };
		await take(bet);
		await race.removeRunner(2, 1000);
		expect(houseMoney()?.exposure).toBeGreaterThan(0);
		await take({ ...bet, stake: 10 });
		await expectSound(server.database.db);
		const marketId = race.listing.id;
		await server.running.exchange.submit({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE', 'LOSE'] });
		await expectSound(server.database.db);
	});
});

describe('after a restart', () => {
	it('matched parts are there once, unmatched ones are not, and versions keep rising', async () => {
		await quote(200);
		await take({ price: 2, stake: 100 });
		for (let price = 210; price < 250; price += 2) await quote(price);
		const version = book()?.version ?? 0;
		const rows = await houseRows();
		await server.stop();
		server = await TestServer.start(server.database);
		expect(await houseRows()).toEqual(rows);
		expect(book()?.version).toBeGreaterThan(version);
		expect(offered()).toBeUndefined();
		const parts = await feedParts(server);
		match = await openTestMatch(server, { sourceRef: match.market.fixture.sourceRef });
		expect(parts.exchange.market(Number(match.marketId))?.status).toBe('OPEN');
		await quote(200);
		expect(offered()).toBe(200);
		await expectSound(server.database.db);
	});
});

describe('a server that was deposed', () => {
	it('notices while it quotes', async () => {
		const newer = await TestServer.start(server.database);
		let failure: Error | null = null;
		for (let turn = 0; failure === null; turn++) {
			const quoted = quote(turn % 2 === 0 ? 200 : 210).then(() => null);
			failure = await Promise.race([quoted, server.failed]);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(failure.message).toContain('took over');
		await server.stop();
		server = newer;
		await feedParts(server);
	});
});

describe('after the database refused a batch', () => {
	it('the market maker quotes again by itself', async () => {
		await quote(200);
		const version = book()?.version ?? 0;
		await server.database.db.query('alter table bet add constraint refused check (stake <> 4700)');
		const refused = await server.call('placeBetV2', betOn(match, { price: 4, stake: 47 }), player.token);
		expect(refused.status).toBe(503);
		await server.database.db.query('alter table bet drop constraint refused');
		await expect.poll(() => [offered(), (book()?.version ?? 0) > version], { timeout: 20_000 }).toEqual([200, true]);
		await take({ price: 2, stake: 100 });
		expect(await houseRows()).toMatchObject([{ matched: 10_000 }]);
	});
});

describe('a ledger of a version that stored quotes', () => {
	it('is recovered, and its house cancels them and quotes again', async () => {
		const database = await freshDatabase();
		const options = {
			db: database.db,
			log: pino({ level: 'silent' }),
			onCommitted: () => {},
			ledgerKey: LEDGER_KEY,
		};
		const before = await openExchange(options);
		const walletId = MARKET_MAKER_WALLETS.PLAY;
		await before.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', commissionBp: 0 });
		const key = { walletId, clientRequestId: 'maker-grant', body: 'maker-grant' };
		await before.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 }, key);
		const terms = { runners: 2, numberOfWinners: 1, commissionBp: 0, minStake: 1, maxStake: 1_000_000 };
		const rules = { profitRatioRule: false, selfMatch: 'REFUSE', suspended: false } as const;
		await before.submit({ kind: 'open-market', marketId: 1, pools: ['PLAY'], ...terms, ...rules });
		const bet = { kind: 'place-bet', walletId, marketId: 1, runner: 0, side: 1, price: 200, persist: false } as const;
		await before.submit({ ...bet, stake: 1000 });
		await before.submit({ ...bet, stake: 500 });
		await before.submit({ kind: 'open-wallet', walletId: 1001, pool: 'PLAY' });
		await before.submit({ kind: 'grant-coins', grantId: 1001, walletId: 1001, amount: 1_000_000 });
		await before.submit({ ...bet, walletId: 1001, side: 0, stake: 1200 });
		await before.drain();

		const after = await openExchange(options);
		expect(after.wallet(walletId)?.exposure).toBe(1500);
		await openMarketMakers(after);
		expect(after.wallet(walletId)?.exposure).toBe(1200);
		expect(after.book(1, 'PLAY')?.runners[0]?.back).toEqual([]);
		await after.submit({ ...bet, stake: 700 });
		expect(after.wallet(walletId)?.exposure).toBe(1200);
		await after.drain();
		await expectSound(database.db);
		const again = await openExchange(options);
		expect(again.openBets(walletId).map(({ matched, remaining }) => [matched, remaining])).toEqual([
			[200, 0],
			[1000, 0],
		]);
		await again.drain();
		await database.drop();
	});
});
