/** Attacks of players, operators or providers against the house or against protection, and their outcome. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TransferKind } from '#engine/effect.ts';
import { WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';
import { orderOf } from '#server/money/funds/payments/payment-data.ts';
import type { ProviderWord } from '#server/money/funds/payments/provider.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { Losses } from '#server/money/funds/protection/losses.ts';
import { UNPROTECTED } from '#server/money/funds/protection/protection-record.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { DAY_MS } from '#values/time.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { cookiesAfterLogin, PASSWORD, signUp } from '../support/sign-up.ts';
import { PaymentDesk } from './payment-desk.ts';

/** Nothing happens by polling while a test looks: orders stay PENDING until a webhook speaks. */
const PAYMENTS = { orderMs: 200, simulatedDelayMs: 3_600_000, pollMs: 600_000, webhookKeys: {} };
const WELCOME = { id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 100, wagering: 10 };
let server: TestServer;
let someone: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: PAYMENTS });
	const rules = { 'funds.secondApprovalAbove': 500, 'funds.autoApproveUpTo': 0, campaigns: JSON.stringify([WELCOME]) };
	for (const [field, value] of Object.entries(rules))
		await server.act('brand-set', { host: 'localhost', field, value: String(value) });
	someone = await signUp(server);
});
afterAll(() => server.dispose());

const desk = new PaymentDesk(() => server);
const by = { actor: 'test', address: null };
const funds = () => server.running.funds;
const keyOf = ({ userId: walletId }: Player) => ({ walletId, clientRequestId: freshRequestId(), body: '' });
const asPlayer = ({ userId: playerId }: Player) => ({ playerId, setting: server.brand.setting });
const decide = async (kind: TransferKind, id: number, event: string, operator: string) => {
	const decided = funds().decisions.decide({ kind, id, event, operator, reason: 'looked at' });
	return await decided.then(
		({ state, isProposed }) => (isProposed ? 'proposed' : state),
		({ code }: { code: string }) => code,
	);
};
const withdraw = async (player: Player, rupees: number) =>
	(
		await funds().withdrawals.request(
			asPlayer(player),
			rupees * 100,
			{ method: 'UPI', upiId: `p${player.userId}@bank` },
			keyOf(player),
		)
	).id;
let utrs = 300_000_000_000;
const deposit = async (player: Player, rupees: number) => {
	const { imageRef } = await funds().images.store(player.userId, await desk.picture(), Number.POSITIVE_INFINITY);
	const asked = { amount: rupees * 100, utr: String(++utrs), imageRef };
	return (await funds().deposits.submit(asPlayer(player), asked, keyOf(player))).id;
};
const bet = async (match: TestMatch, player: Player, changes: Record<string, unknown>) =>
	(await server.call('placeBetV2', betOn(match, changes), player.token)).code;

describe('operators', () => {
	it('approve a large withdrawal by two however long it has waited', async () => {
		const player = await signUp(server);
		const id = await withdraw(player, 5_000);
		await server.database.db.query(
			`update workflow set opened_at = opened_at - $2::bigint where kind = 'WITHDRAWAL' and id = $1`,
			[id, 2 * DAY_MS],
		);
		expect(await decide('WITHDRAWAL', id, 'approve', 'asha')).toBe('proposed');
		expect(await decide('WITHDRAWAL', id, 'approve', 'bala')).toBe('APPROVED');
	});

	it('approve split deposits of a day together', async () => {
		const player = await signUp(server);
		const ids = [await deposit(player, 300), await deposit(player, 300)];
		expect(await decide('DEPOSIT', ids[0] as number, 'approve', 'asha')).toBe('proposed');
	});

	it('are one person under names that look alike', async () => {
		const id = await withdraw(await signUp(server), 5_000);
		expect(await decide('WITHDRAWAL', id, 'approve', 'asha')).toBe('proposed');
		for (const name of ['Asha', ' asha ', 'ＡＳＨＡ']) {
			expect(await decide('WITHDRAWAL', id, 'approve', name)).toBe('SAME_PERSON');
		}
	});
});

describe('a withdrawal', () => {
	const doubtsOf = async (id: number) => (await funds().ledger.find('WITHDRAWAL', id)).data['doubts'];

	it('of a frozen account is frozen, also where nothing is approved by itself', async () => {
		const player = await signUp(server);
		await funds().protection.freeze(player.userId, 'asked', by);
		const id = await withdraw(player, 500);
		expect((await funds().ledger.find('WITHDRAWAL', id)).state).toBe('FROZEN');
	});

	it('is frozen instead of approved when the account was frozen, or a deposit disputed, after it was asked for', async () => {
		const [frozen, disputed] = [await signUp(server), await signUp(server)];
		const ids = [await withdraw(frozen, 5_000), await withdraw(disputed, 5_000)] as const;
		for (const id of ids) expect(await decide('WITHDRAWAL', id, 'approve', 'asha')).toBe('proposed');
		await funds().protection.freeze(frozen.userId, 'asked', by);
		const { id: payment, reference } = await order(disputed, 500);
		await hear({ reference, status: 'DISPUTED', amount: 500_00 });
		await expect.poll(() => stateOf(payment)).toBe('DISPUTED');
		for (const [at, doubt] of ['FROZEN', 'DISPUTE'].entries()) {
			const id = ids[at] as number;
			expect(await decide('WITHDRAWAL', id, 'approve', 'bala')).toBe('WRONG_STATE');
			expect((await funds().ledger.find('WITHDRAWAL', id)).state).toBe('FROZEN');
			expect(await doubtsOf(id)).toContain(doubt);
			expect(await decide('WITHDRAWAL', id, 'release', 'bala')).toBe('REQUESTED');
			// Both look at it again.
			expect(await decide('WITHDRAWAL', id, 'approve', 'bala')).toBe('proposed');
			expect(await decide('WITHDRAWAL', id, 'approve', 'asha')).toBe('APPROVED');
		}
	});

	/** What a killed server leaves: the request is durable, and no rule has judged it. */
	const unjudged = async (player: Player, data: object = {}) => {
		const target = { method: 'UPI', upiId: `p${player.userId}@bank` } as const;
		const { detailsId } = await funds().payoutDetails.save(player.userId, target);
		const amounts = { amount: 500_00, tax: 0 };
		const known = { detailsId, method: 'UPI', masked: 'p', doubts: [], identity: null, provider: 'simulator' };
		const facts = { asksIdentity: 'identity' in data, isDemo: false };
		const asked = { event: 'request', facts, amounts, actor: 'player', data: { amount: 500_00, ...known, ...data } };
		const key = keyOf(player);
		const { id } = await funds().ledger.begin(WITHDRAWAL, { walletId: player.userId, pool: 'PLAY' }, asked, { key });
		return { id, again: async () => (await funds().withdrawals.request(asPlayer(player), 500_00, target, key)).state };
	};

	it('that is asked for again after a crash is judged by what is known now', async () => {
		const [trusted, frozen, disputed] = [await signUp(server), await signUp(server), await signUp(server)];
		const requests = [await unjudged(trusted), await unjudged(frozen), await unjudged(disputed)] as const;
		await funds().protection.freeze(frozen.userId, 'asked', by);
		const { id: payment, reference } = await order(disputed, 500);
		await hear({ reference, status: 'DISPUTED', amount: 500_00 });
		await expect.poll(() => stateOf(payment)).toBe('DISPUTED');
		const states = [];
		for (const { again } of requests) states.push(await again());
		expect(states).toEqual(['APPROVED', 'FROZEN', 'FROZEN']);
		expect(await doubtsOf(requests[1].id)).toEqual(['FROZEN']);
		expect(await doubtsOf(requests[2].id)).toEqual(['DISPUTE']);
	});

	it('that is not asked for again after a crash is judged by the next start, once, whatever request comes meanwhile', async () => {
		const [trusted, doubted, frozen] = [await signUp(server), await signUp(server), await signUp(server)];
		const [plain, waiting, stopped] = [
			await unjudged(trusted),
			await unjudged(doubted, { doubts: ['AMOUNT'] }),
			await unjudged(frozen),
		];
		await funds().protection.freeze(frozen.userId, 'asked', by);
		await Promise.all([funds().withdrawals.judgeInterrupted(), plain.again()]);
		const states = [plain, waiting, stopped].map(async ({ id }) => (await funds().ledger.find('WITHDRAWAL', id)).state);
		expect(await Promise.all(states)).toEqual(['APPROVED', 'REQUESTED', 'FROZEN']);
	});

	it('that an operator released before its player was verified is approved by no repeated request and no start', async () => {
		const { id, again } = await unjudged(await signUp(server), { identity: 'AMOUNT' });
		expect([await again(), await decide('WITHDRAWAL', id, 'release', 'asha')]).toEqual([
			'WAITING_FOR_KYC',
			'REQUESTED',
		]);
		expect(await again()).toBe('REQUESTED');
		await funds().withdrawals.judgeInterrupted();
		expect((await funds().ledger.find('WITHDRAWAL', id)).state).toBe('REQUESTED');
		expect(await decide('WITHDRAWAL', id, 'approve', 'bala')).toBe('APPROVED');
	});

	it('waits for a person who is told of accounts in the same browser, and of an account without a proven mobile', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		expect(await doubtsOf(await withdraw(player, 500))).not.toContain('LINKED_ACCOUNTS');
		await cookiesAfterLogin(server, other.userName, await cookiesAfterLogin(server, player.userName));
		for (const one of [player, other]) expect(await doubtsOf(await withdraw(one, 500))).toContain('LINKED_ACCOUNTS');
		expect(await doubtsOf(await withdraw(other, 500))).not.toContain('NO_MOBILE');
		await server.database.db.query('update player set mobile_verified_at = null where player_id = $1', [other.userId]);
		expect(await doubtsOf(await withdraw(other, 500))).toContain('NO_MOBILE');
	});
});

describe('persons that leave', () => {
	it('are excluded in every account, and unmatched bets in each are cancelled', async () => {
		const player = await signUp(server);
		const other = await signUp(server, { mobile: player.mobile });
		const match = await openTestMatch(server);
		for (const one of [player, other]) expect(await bet(match, one, { stake: 500 })).toBeNull();
		await server.result('excludeSelf', { months: 6, password: 'a long enough Passw0rd!' }, player.token);
		for (const one of [player, other]) {
			expect(server.money(one)).toEqual([20_000, 0]);
			expect(await bet(match, one, { stake: 500 })).toBe('EXCLUDED');
		}
	});

	it('lose what they ordered in every account that a document makes theirs', async () => {
		const verify = ({ userName }: { userName: string }) =>
			server.act('verify-identity', { userName, host: 'localhost', age: 30, document: 'passport Z 7654321' });
		const [excluded, known] = [await signUp(server), await signUp(server)];
		const third = await signUp(server, { mobile: known.mobile });
		await verify(excluded);
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, excluded.token);
		await server.result('claimBonus', { id: 'welcome' }, third.token);
		const match = await openTestMatch(server);
		for (const one of [known, third]) expect(await bet(match, one, { stake: 500 })).toBeNull();
		const stop = { ...betOn(match, { price: 4 }), moves: 'FALLS', at: 3 } as const;
		await server.result('placeTrigger', stop as never, third.token);
		await verify(known);
		for (const one of [known, third]) await expect.poll(() => server.money(one)).toEqual([20_000, 0]);
		expect(server.running.exchange.triggers(third.userId)).toEqual([]);
		await expect.poll(() => server.running.exchange.wallet(third.userId)?.bonus).toBe(0);
	});

	it('are excluded at once, also while their earlier losses cannot be read', async () => {
		const { mobile, ...player } = await signUp(server);
		await server.result('setLimits', { lossDay: 1_000 }, player.token);
		// The losses of a new account of the person are not known yet.
		const other = await signUp(server, { mobile });
		const lock = await server.database.db.connect();
		onTestFinished(() => lock.release(true));
		await lock.query('begin');
		await lock.query('lock table player_settlement in access exclusive mode');
		const excluding = funds().protection.exclude(player.userId, 6, by);
		const bars = () => [player, other].map(({ userId }) => funds().protection.barOf(userId)?.code);
		await expect.poll(bars).toEqual(['EXCLUDED', 'EXCLUDED']);
		await lock.query('rollback');
		await excluding;
	});

	it('are excluded in an account that is made at the same moment', async () => {
		for (let time = 0; time < 4; time++) {
			const player = await signUp(server);
			const [made] = await Promise.all([
				signUp(server, { mobile: player.mobile }),
				new Promise((resolve) => setTimeout(resolve, time * 3)).then(() =>
					funds().protection.exclude(player.userId, 6, by),
				),
			]);
			expect(funds().protection.hasLeft(made.userId)).toBe(true);
		}
	});

	it('take a break in their other accounts and in a new one, and fetch no coins meanwhile', async () => {
		const player = await signUp(server);
		const other = await signUp(server, { mobile: player.mobile });
		await server.result('takeTimeOut', { hours: 24 }, player.token);
		const later = await signUp(server, { mobile: player.mobile });
		for (const one of [player, other, later]) {
			expect((await server.call('claimDailyCoins', {}, one.token)).code).toBe('TIMED_OUT');
		}
	});

	it('lose their bonus and their unmatched bets at a restart when the server died before, and the frozen their bets', async () => {
		const [player, frozen] = [await signUp(server), await signUp(server)];
		const match = await openTestMatch(server);
		for (const one of [player, frozen]) {
			await server.result('claimBonus', { id: 'welcome' }, one.token);
			expect(await bet(match, one, { stake: 500 })).toBeNull();
		}
		const { database } = server;
		await server.stop();
		// What a server leaves that dies when the bar is stored.
		for (const [{ userId }, bar] of [
			[player, { excludedUntilMs: Date.now() + DAY_MS }],
			[frozen, { frozen: 'a test' }],
		] as const)
			await database.db.query('insert into player_protection (player_id, record) values ($1, $2)', [
				userId,
				JSON.stringify({ ...UNPROTECTED, ...bar }),
			]);
		server = await TestServer.start(database, { payments: PAYMENTS });
		for (const one of [player, frozen]) await expect.poll(() => server.money(one)).toEqual([20_000, 0]);
		await expect.poll(() => server.running.exchange.wallet(player.userId)?.bonus).toBe(0);
		expect(server.running.exchange.wallet(frozen.userId)?.bonus).toBe(10_000);
	});
});

/** A webhook of the simulator, rightly signed. */
const hear = async (word: Partial<Record<keyof ProviderWord, unknown>>) => {
	const { id, secret } = simulatorKey(TOKEN_KEY);
	const body = JSON.stringify({
		eventId: freshRequestId(),
		word: { providerId: 'p', currency: 'INR', utr: String(++utrs), ...word },
	});
	const timestamp = String(Date.now());
	const { status } = await server.post('api/Payment/Webhook', body, {
		'x-payment-key-id': id,
		'x-payment-timestamp': timestamp,
		'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
	});
	return status;
};
const order = async (player: Player, amount: number) => {
	const { orderId, upiLink } = await server.result(
		'generatePayment',
		{ amount, clientRequestId: freshRequestId() },
		player.token,
	);
	return { id: Number(orderId), reference: /tr=(\w+)/.exec(upiLink)?.[1] ?? '' };
};
const stateOf = async (id: number) => (await funds().ledger.find('PAYMENT', id)).state;
const finding = (name: string) =>
	server.database.db.query(`select 1 from workflow where kind = 'FINDING' and data ->> 'name' = $1`, [name]);

describe('payments', () => {
	it('keep to the limit of a day although an order is paid at the moment of its expiry', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { depositDay: 1_000 }, player.token);
		const { id, reference } = await order(player, 800);
		await expect
			.poll(async () => Date.now() > orderOf(await funds().ledger.find('PAYMENT', id)).expiresAtMs)
			.toBe(true);
		const second = await server.call(
			'generatePayment',
			{ amount: 800, clientRequestId: freshRequestId() },
			player.token,
		);
		expect(second.code).toBe('DEPOSIT_LIMIT');
		await hear({ reference, status: 'SUCCESS', amount: 800_00 });
		await expect.poll(() => stateOf(id)).toBe('SUCCESS');
		await expect.poll(() => server.money(player)).toEqual([20_800, 0]);
	});

	it('that are late at one instant keep to the limit of a day together: the first is credited, the others wait for people', async () => {
		const player = await signUp(server);
		const late = [await order(player, 800), await order(player, 800), await order(player, 800)];
		for (const { reference } of late) await hear({ reference, status: 'FAILED', amount: 800_00 });
		for (const { id } of late) await expect.poll(() => stateOf(id)).toBe('FAILED');
		await server.result('setLimits', { depositDay: 1_000 }, player.token);
		await Promise.all(late.map(({ reference }) => hear({ reference, status: 'SUCCESS', amount: 800_00 })));
		const states = async () => (await Promise.all(late.map(({ id }) => stateOf(id)))).sort();
		await expect.poll(states).toEqual(['REVIEW', 'REVIEW', 'SUCCESS']);
		expect(server.money(player)).toEqual([20_800, 0]);
	});

	it('are credited when only the end of their dispute was heard of', async () => {
		const player = await signUp(server);
		const { id, reference } = await order(player, 500);
		await hear({ reference, status: 'DISPUTE_WON', amount: 500_00 });
		await expect.poll(() => stateOf(id)).toBe('WON');
		await expect.poll(() => server.money(player)).toEqual([20_500, 0]);
	});

	it('and bets at once never show a balance that goes back', async () => {
		const player = await signUp(server);
		const match = await openTestMatch(server);
		const { id, reference } = await order(player, 500);
		const watch = { goesOn: true };
		const totals: number[] = [];
		const look = async () => {
			while (watch.goesOn) {
				const { balance, exposure } = await server.result('getUserOpenBets', {}, player.token);
				totals.push(balance + exposure);
			}
		};
		const watching = look();
		const bets = Array.from({ length: 12 }, () => bet(match, player, { stake: 100 }));
		await Promise.all([...bets, hear({ reference, status: 'SUCCESS', amount: 500_00 })]);
		await expect.poll(() => stateOf(id)).toBe('SUCCESS');
		await expect.poll(() => totals.at(-1)).toBe(20_500);
		watch.goesOn = false;
		await watching;
		expect(totals.filter((total) => total !== 20_000 && total !== 20_500)).toEqual([]);
		expect(totals.slice(totals.indexOf(20_500))).not.toContain(20_000);
		expect(server.money(player)).toEqual([19_300, 1_200]);
	});

	it('on an order that was paid twice are disputed by the one that the word names', async () => {
		const player = await signUp(server);
		const { id, reference } = await order(player, 500);
		const [first, second] = [String(++utrs), String(++utrs)];
		await hear({ reference, status: 'SUCCESS', amount: 500_00, utr: first });
		await expect.poll(() => stateOf(id)).toBe('SUCCESS');
		await hear({ reference, status: 'SUCCESS', amount: 5_000_00, utr: second });
		const { db } = server.database;
		const again = async () =>
			(await db.query<{ id: number }>(`select id from workflow_claim where name = $1`, [`paid:${second}`])).rows[0]?.id;
		await expect.poll(again).toBeGreaterThan(0);
		const other = (await again()) ?? 0;
		for (const operator of ['asha', 'bala']) await decide('PAYMENT', other, 'credit', operator);
		expect(server.money(player)).toEqual([25_500, 0]);
		await hear({ reference, status: 'DISPUTED', amount: 5_000_00, utr: second });
		await expect.poll(() => stateOf(other)).toBe('DISPUTED');
		expect([await stateOf(id), server.money(player)[0]]).toEqual(['SUCCESS', 20_500]);
		await hear({ reference, status: 'DISPUTE_LOST', amount: 5_000_00, utr: second });
		await hear({ reference, status: 'DISPUTE_WON', amount: 500_00, utr: first });
		await expect.poll(() => Promise.all([stateOf(id), stateOf(other)])).toEqual(['WON', 'LOST']);
		expect(server.money(player)[0]).toBe(20_500);
	});

	/** A payment that is ₹1 short, and which one operator would credit. */
	const inReview = async () => {
		const player = await signUp(server);
		const { id, reference } = await order(player, 500);
		const utr = String(++utrs);
		const said = async (status: ProviderWord['status']) => await desk.hear({ reference, status, amount: 499_00, utr });
		await said('SUCCESS');
		expect(await stateOf(id)).toBe('REVIEW');
		expect(await decide('PAYMENT', id, 'credit', 'asha')).toBe('proposed');
		const possible = async () =>
			(await funds().decisions.possible(await funds().ledger.find('PAYMENT', id))).map(({ event }) => event);
		return { player, id, said, possible };
	};

	it('that wait for review and are disputed become a finding, and are neither credited nor refunded', async () => {
		const { player, id, said, possible } = await inReview();
		await said('DISPUTED');
		expect((await finding(`dispute-uncredited:${id}`)).rowCount).toBe(1);
		expect(await possible()).toEqual([]);
		expect(await decide('PAYMENT', id, 'credit', 'bala')).toBe('WRONG_STATE');
		expect(await decide('PAYMENT', id, 'refund', 'bala')).toBe('WRONG_STATE');
		// The provider has taken it: it is entered as returned.
		await said('DISPUTE_LOST');
		await said('DISPUTED');
		expect(await possible()).toEqual(['refund']);
		expect(await decide('PAYMENT', id, 'credit', 'bala')).toBe('WRONG_STATE');
		expect([await decide('PAYMENT', id, 'refund', 'asha'), await decide('PAYMENT', id, 'refund', 'bala')]).toEqual([
			'proposed',
			'REFUNDED',
		]);
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('that wait for review are not credited after the provider gave them back', async () => {
		const { player, id, said, possible } = await inReview();
		await said('REVERSED');
		expect(await possible()).toEqual(['refund']);
		expect(await decide('PAYMENT', id, 'credit', 'bala')).toBe('WRONG_STATE');
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('that wait for review are credited once the dispute is won, by two who know of it', async () => {
		const { player, id, said, possible } = await inReview();
		await said('DISPUTED');
		await said('DISPUTE_WON');
		expect(await possible()).toEqual(['credit', 'refund']);
		expect([await decide('PAYMENT', id, 'credit', 'bala'), await decide('PAYMENT', id, 'credit', 'asha')]).toEqual([
			'proposed',
			'CREDITED',
		]);
		expect(server.money(player)).toEqual([20_499, 0]);
	});

	it.each([
		['no amount', { amount: undefined }],
		['an amount below zero', { amount: -500_00 }],
		['half a minor unit', { amount: 0.5 }],
		['an amount as a text', { amount: '50000' }],
		['a status of its own', { status: 'GIVEN' }],
		['a reference as long as a book', { reference: 'B'.repeat(3_000) }],
	])('refuse a webhook with %s', async (_, change) => {
		expect(await hear({ reference: 'BLP', status: 'SUCCESS', amount: 500_00, ...change })).toBe(400);
	});
});

it('a loss limit that the domain sets counts what was lost before, from the first bet on', async () => {
	const player = await signUp(server);
	const [lost, next] = [await openTestMatch(server), await openTestMatch(server)];
	expect(await bet(lost, player, { side: 'BACK', stake: 500 })).toBeNull();
	expect(await bet(lost, someone, { side: 'LAY', stake: 500 })).toBeNull();
	await lost.settle(1);
	const set = (value: string) =>
		server.operator('brand-set', { host: 'localhost', field: 'playerProtection.lossLimitDay', value });
	await set('600');
	const codes = await Promise.all(Array.from({ length: 6 }, () => bet(next, player, { stake: 200 })));
	await set('null');
	expect(codes.filter((code) => code !== 'STARTING' && code !== 'LOSS_LIMIT')).toEqual([]);
});

it.each([
	['won', 1_000, 0],
	['lost', -400, 1],
] as const)(
	'a loss limit counts what was %s days ago no more when its market is settled again',
	async (_, net, winner) => {
		const player = await signUp(server);
		const match = await openTestMatch(server);
		const stake = Math.abs(net);
		expect(await bet(match, player, { side: 'BACK', stake })).toBeNull();
		expect(await bet(match, someone, { side: 'LAY', stake })).toBeNull();
		await match.settle(winner);
		for (const table of ['posting', 'player_settlement'])
			await server.database.db.query(`update ${table} set at = at - $2::bigint where wallet_id = $1`, [
				player.userId,
				2 * DAY_MS,
			]);
		await server.result('setLimits', { lossDay: 500 }, player.token);
		await server.act('reopen', { marketId: match.marketId });
		await server.act('settle', { marketId: match.marketId, winners: [winner === 0 ? 'India' : 'Nepal'] });
		const next = await openTestMatch(server);
		expect(await bet(next, player, { side: 'BACK', stake: 510 })).toBe('LOSS_LIMIT');
		expect(await bet(next, player, { side: 'BACK', stake: 500 })).toBeNull();
		// A server that starts now reads the same.
		const afterStart = new Losses(server.database.db, Date.now);
		await afterStart.follow([player.userId]);
		expect(afterStart.lost([player.userId], 'DAY')).toBe(0);
		expect(funds().protection.limits.lost(player.userId, 'DAY')).toBe(0);
	},
);

it('a player who uploads many pictures at once keeps twenty', async () => {
	const images = await Promise.all(Array.from({ length: 24 }, () => desk.picture()));
	const stored = await Promise.allSettled(
		images.map((image) => funds().images.store(someone.userId, image, Number.POSITIVE_INFINITY)),
	);
	expect(stored.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

describe('a bonus counts nothing', () => {
	const wagered = async (player: Player) =>
		(await server.result('getBonuses', {}, player.token)).find(({ status }) => status === 'ACTIVE')?.wageringDone;
	/** Matched by another player. */
	const matched = async (match: TestMatch, player: Player, side: 'BACK' | 'LAY', stake: number, price: number) => {
		expect(await bet(match, player, { side, stake, price })).toBeNull();
		expect(await bet(match, someone, { side: side === 'BACK' ? 'LAY' : 'BACK', stake, price })).toBeNull();
	};

	it('for a bet that hedges one from before the claim', async () => {
		const player = await signUp(server);
		const match = await openTestMatch(server);
		await matched(match, player, 'BACK', 500, 2);
		await server.result('claimBonus', { id: 'welcome' }, player.token);
		await matched(match, player, 'LAY', 500, 2);
		await match.settle(0);
		expect(await wagered(player)).toBe(0);
	});

	it('for a bet that one at short odds hedges', async () => {
		const player = await signUp(server);
		await server.result('claimBonus', { id: 'welcome' }, player.token);
		const match = await openTestMatch(server);
		await matched(match, player, 'BACK', 500, 1.5);
		await matched(match, player, 'LAY', 500, 1.49);
		await match.settle(0);
		expect(await wagered(player)).toBe(0);
	});
});
