/**
 * Brands of five currencies beside each other on one server: each has books, money and limits of its own, and every
 * posting is of whole coins. A yen has no parts, so what divides money is rounded to a yen where rupees keep paise.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { withdrawable } from '#server/money/funds/withdrawals/withdrawable.ts';
import { makeTrees } from '#server/money/liabilities/make-trees.ts';
import { CURRENCIES, type Currency } from '#values/currency-codes.ts';
import { POOLS, poolOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';
import { expectSound } from '../support/audit.ts';
import { BrandDoor } from '../support/brand-door.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

/** What a player of each brand pays in, and bets; major units. */
const AMOUNTS: Record<Currency, { deposit: number; stake: number; chip: number; payOut: number }> = {
	INR: { deposit: 20_000, stake: 1_000, chip: 10, payOut: 500 },
	EUR: { deposit: 400, stake: 12.34, chip: 1, payOut: 15.5 },
	GBP: { deposit: 300, stake: 10.01, chip: 1, payOut: 15.5 },
	BRL: { deposit: 1_000, stake: 50.05, chip: 1, payOut: 50.25 },
	JPY: { deposit: 40_000, stake: 700, chip: 100, payOut: 1_500 },
};
const BANK = { method: 'BANK', accountNumber: '123456786789', ifsc: 'HDFC0001234', holder: 'Asha Rao' } as const;
const hostOf = (currency: Currency): string => (currency === 'INR' ? 'localhost' : `${currency.toLowerCase()}.test`);

let server: TestServer;
const doors = new Map<Currency, BrandDoor>();
const players = new Map<Currency, readonly [Player, Player]>();
const doorOf = (currency: Currency): BrandDoor => doors.get(currency) as BrandDoor;
const pairOf = (currency: Currency): readonly [Player, Player] => players.get(currency) as readonly [Player, Player];
const cash = (player: Player): number => server.money(player)[0];
const held = (player: Player): number => server.money(player)[1];

async function openBrand(currency: Currency): Promise<void> {
	const host = hostOf(currency);
	if (currency !== 'INR') await server.act('brand-add', { host, currency });
	const { funds } = server.running.brands.byHost(host)?.setting ?? {};
	await server.act('brand-set', { host, field: 'funds', value: JSON.stringify({ ...funds, turnover: 0 }) });
	doors.set(currency, new BrandDoor(server, host));
}

async function payIn(currency: Currency, player: Player): Promise<void> {
	const { deposit } = AMOUNTS[currency];
	const order = { amount: deposit, clientRequestId: freshRequestId() };
	await doorOf(currency).result('generatePayment', order, player.token);
	await expect.poll(() => cash(player)).toBe(deposit);
}

const place = (currency: Currency, match: TestMatch, player: Player, changes: Record<string, unknown>) =>
	doorOf(currency).raw('placeBetV2', betOn(match, changes), player.token);
const placed = async (...asked: Parameters<typeof place>) => {
	const { body } = await place(...asked);
	if (!body.result) throw new Error(JSON.stringify(body.error));
	return body.result;
};

beforeAll(async () => {
	const payments = { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} };
	server = await TestServer.start(undefined, { payments, pools: POOLS });
	for (const currency of CURRENCIES) {
		await openBrand(currency);
		const pair = [await doorOf(currency).player(), await doorOf(currency).player()] as const;
		players.set(currency, pair);
	}
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	const { rows } = await server.database.db.query<{ pool: string; sum: number; parts: number }>(
		`select pool, sum(amount * ((credit = 'cash')::int - (debit = 'cash')::int))::float8 as sum,
		   count(*) filter (where pool like '%-JPY' and amount % 100 <> 0)::int as parts
		 from posting group by pool order by pool`,
	);
	expect(rows.map(({ pool }) => pool)).toEqual(expect.arrayContaining(CURRENCIES.map((one) => poolOf('PLAY', one))));
	expect(rows.filter(({ parts }) => parts > 0)).toEqual([]);
	await server.database.drop();
});

it('says the currency in the site’s setting, the login and the wallet', async () => {
	for (const currency of CURRENCIES) {
		const [player] = pairOf(currency);
		const { user } = await doorOf(currency).result('loginAsDemoUser', {});
		expect([user.pool, user.currency]).toEqual([poolOf('DEMO', currency), currency]);
		expect(server.running.exchange.wallet(player.userId)).toMatchObject({ pool: poolOf('PLAY', currency), currency });
		expect(server.running.brands.byHost(hostOf(currency))?.setting.currency).toBe(currency);
	}
});

it('takes deposits in each currency', async () => {
	for (const currency of CURRENCIES) await Promise.all(pairOf(currency).map((player) => payIn(currency, player)));
});

it('crosses no books, settles each in its own, and takes commission in whole coins', async () => {
	const match = await openTestMatch(server);
	const before = new Map(CURRENCIES.map((currency) => [currency, pairOf(currency).map(cash)]));
	for (const currency of CURRENCIES) {
		const { stake } = AMOUNTS[currency];
		expect(await placed(currency, match, pairOf(currency)[0], { price: 2.5, stake })).toMatchObject({
			status: 'UNMATCHED',
			matchedStake: 0,
		});
	}
	for (const [at, currency] of CURRENCIES.entries()) {
		const { stake } = AMOUNTS[currency];
		const lay = await placed(currency, match, pairOf(currency)[1], { side: 'LAY', price: 2.5, stake });
		expect(lay).toMatchObject({ status: 'MATCHED', matchedStake: stake });
		// The bets of the currencies that come later still wait.
		for (const later of CURRENCIES.slice(at + 1)) {
			const { openBets } = await doorOf(later).result('getUserOpenBets', {}, pairOf(later)[0].token);
			expect(openBets[0]).toMatchObject({ matchedStake: 0 });
		}
	}
	await match.settle(0);
	// Of the net, 2 % to the nearest coin, half up: of ¥1,050 it is ¥21.
	const gains: Record<Currency, readonly [backer: number, layer: number]> = {
		INR: [1_470, -1_500],
		EUR: [18.14, -18.51],
		GBP: [14.71, -15.02],
		BRL: [73.57, -75.08],
		JPY: [1_029, -1_050],
	};
	for (const currency of CURRENCIES) {
		const gained = pairOf(currency).map((player, at) => cash(player) - (before.get(currency)?.[at] ?? 0));
		expect([currency, ...gained.map((gain) => Math.round(gain * 100) / 100)]).toEqual([currency, ...gains[currency]]);
	}
});

describe('a yen', () => {
	it('has no parts: deposits, withdrawals and stakes with some are refused in words', async () => {
		const door = doorOf('JPY');
		const [{ token }] = pairOf('JPY');
		const id = () => ({ clientRequestId: freshRequestId() });
		const match = await openTestMatch(server);
		const refused = [
			await door.raw('generatePayment', { amount: 1_000.5, ...id() }, token),
			await door.raw('createWithdrawal', { amount: 1_000.01, details: BANK, ...id() }, token),
			await place('JPY', match, pairOf('JPY')[0], { stake: 150 }),
			await door.raw('playRound', { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10.5 }], ...id() }, token),
		];
		expect(refused.map(({ code, body }) => [code, body.error?.message])).toEqual([
			['INVALID_AMOUNT', 'The amount must be a multiple of ¥1.'],
			['INVALID_AMOUNT', 'The amount must be a multiple of ¥1.'],
			['INVALID_STAKE', 'The stake must be a multiple of ¥100.'],
			['INVALID_STAKE', 'Stakes are multiples of ¥100.'],
		]);
	});

	it('is the least that a dead heat, commission and an exposure come to', async () => {
		const match = await openTestMatch(server);
		const [backer, layer] = pairOf('JPY');
		const before = [cash(backer), cash(layer)];
		await placed('JPY', match, layer, { side: 'LAY', price: 1.33, stake: 100 });
		await placed('JPY', match, backer, { price: 1.33, stake: 100 });
		expect([held(backer), held(layer)]).toEqual([100, 33]);
		// Each of two winners is half of one: 66.5 comes back of 100, a half in favour of the house.
		await match.market.settle({ winners: [0, 1] });
		const gained = [cash(backer) - (before[0] ?? 0), cash(layer) - (before[1] ?? 0)];
		expect(gained.every((gain) => Number.isInteger(gain))).toBe(true);
	});

	it('is the least that waits for a bet: what may be withdrawn is whole yen, however little was at risk', () => {
		const wallet = { cash: 10_000, exposure: 0, hold: 0, pool: 'PLAY-JPY' as const, lacked: 0 };
		const turnover = { deposited: 5_000, withdrawn: 0, wagered: 3_350, inRounds: 0, countToday: 0, sumToday: 0 };
		const setting = server.running.brands.byHost(hostOf('JPY'))?.setting as DomainSetting;
		const wagerOnce = { ...setting, funds: { ...setting.funds, turnover: 1 } };
		const { max, heldBack } = withdrawable(wallet, turnover, wagerOnce);
		expect([max, heldBack]).toEqual([8_300, [{ reason: 'TURNOVER', amount: 1_700 }]]);
	});

	it('is the least that a transfer moves, whatever the caller asks', async () => {
		const { exchange } = server.running;
		const [{ userId: walletId }] = pairOf('JPY');
		const moves = [{ debit: 'cash', credit: 'hold', amount: 150 }] as const;
		const step = { workflow: 'BONUS', from: null, to: 'ACTIVE', isOpen: true, actor: 'server', moves } as const;
		const request = { kind: 'transfer', walletId, pool: 'PLAY-JPY', steps: [step] } as const;
		await expect(exchange.submit(request)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
	});
});

it('cashes out to whole coins, by the quote', async () => {
	for (const currency of CURRENCIES) {
		const match = await openTestMatch(server);
		const [player, rival] = pairOf(currency);
		const { stake } = AMOUNTS[currency];
		await placed(currency, match, rival, { side: 'LAY', price: 3.7, stake });
		await placed(currency, match, player, { price: 3.7, stake });
		await placed(currency, match, rival, { price: 3.1, stake: stake * 4 });
		const { marketId } = match;
		const quote = await doorOf(currency).result('cashOutQuote', { marketId }, player.token);
		const { quoteVersion } = quote;
		const asked = { marketId, fraction: 1, quoteVersion, clientRequestId: freshRequestId() };
		const done = await doorOf(currency).result('cashOut', asked, player.token);
		expect(Math.min(...done.runners.map(({ profitLoss }) => profitLoss))).toBe(quote.amount);
		expect(held(player)).toBe(0);
		if (currency === 'JPY') expect(done.bets.every(({ matchedStake }) => Number.isInteger(matchedStake))).toBe(true);
		await match.settle(1);
	}
});

it('plays rounds of the casino within the currency’s limits', async () => {
	for (const currency of CURRENCIES) {
		const [{ token }] = pairOf(currency);
		const { chip } = AMOUNTS[currency];
		const door = doorOf(currency);
		const { next } = await door.result('getSeeds', {}, token);
		await door.result('rotateSeeds', { clientSeed: 'a-seed-of-five', commitment: next.commitment }, token);
		for (let round = 0; round < 5; round++) {
			const bets = [{ bet: 'under-4850', stake: chip }];
			const played = await door.raw('playRound', { game: 'dice', bets, clientRequestId: freshRequestId() }, token);
			expect(played.code).toBeNull();
		}
		const { games } = await door.result('getCasinoGames', {}, token);
		const { minStake, maxStake = 0 } = games.find(({ code }) => code === 'dice') ?? {};
		expect(minStake).toBe(chip);
		const above = { game: 'dice', bets: [{ bet: 'under-4850', stake: maxStake + chip }] };
		const refused = await door.raw('playRound', { ...above, clientRequestId: freshRequestId() }, token);
		expect(refused.code).toBe('STAKE_TOO_LARGE');
	}
});

it('pays out, and lists each movement in the player’s own currency', async () => {
	for (const currency of CURRENCIES) {
		const [player] = pairOf(currency);
		const { payOut } = AMOUNTS[currency];
		const before = cash(player);
		const asked = { amount: payOut, details: BANK, clientRequestId: freshRequestId() };
		const withdrawal = await doorOf(currency).raw('createWithdrawal', asked, player.token);
		expect([currency, withdrawal.code]).toEqual([currency, null]);
		const id = Number((withdrawal.body.result?.id ?? '').replace(/\D/g, ''));
		// The details are new, so an operator looks at it.
		const decision = { kind: 'WITHDRAWAL', id: String(id), event: 'approve', reason: 'known' };
		const approved = await server.send('/operator/api/payment-decide', {
			method: 'POST',
			body: JSON.stringify(decision),
			headers: { ...server.operatorHeaders, 'X-Operator': 'asha' },
		});
		expect(approved.status).toBe(200);
		await expect.poll(async () => (await server.running.funds.ledger.find('WITHDRAWAL', id)).state).toBe('PAID');
		expect(cash(player)).toBe(Math.round((before - payOut) * 100) / 100);
	}
});

it('answers a player in words, mails and statements in the player’s own currency', async () => {
	const SIGNS: Record<Currency, string> = { INR: '₹', EUR: '€', GBP: '£', BRL: 'R$', JPY: '¥' };
	for (const currency of CURRENCIES) {
		const [player] = pairOf(currency);
		const { rows } = await server.database.db.query<{ kind: string; id: number }>(
			`select kind, id from workflow where wallet_id = $1 and kind in ('PAYMENT', 'WITHDRAWAL') order by id`,
			[player.userId],
		);
		const references = [...rows.map(({ kind, id }) => `${kind.toLowerCase()} ${id}`), `player ${player.userId}`];
		expect(references.length).toBeGreaterThan(2);
		for (const reference of references) {
			const { answer } = await server.act<ResultOf<'reference-find'>>('reference-find', { reference });
			const said = JSON.stringify(answer?.sentences);
			expect([reference, said.includes(SIGNS[currency])]).toEqual([reference, true]);
			const others = CURRENCIES.filter((other) => other !== currency && said.includes(SIGNS[other]));
			expect([reference, others]).toEqual([reference, []]);
		}
	}
});

it('owes each pool’s players what its tree of liabilities says', async () => {
	const { db } = server.database;
	const nowMs = Date.now() + 2 * DAY_MS;
	const made = await Array.fromAsync(makeTrees(db, { pools: POOLS, zone: HOME_ZONE, nowMs }));
	expect(made.map(({ pool }) => pool)).toEqual(expect.arrayContaining(CURRENCIES.map((one) => poolOf('PLAY', one))));
});
