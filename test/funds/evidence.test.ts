/** Whose word counts about a payment: receipts, the bank's statement and the provider, in any order and at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { ProviderWord } from '#server/money/funds/payments/provider.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { PaymentDesk, QUIET_PAYMENTS } from './payment-desk.ts';
import { disagreementsIn, OVERHELD, PAID_TWICE } from './walk-checks.ts';

const COINS = 20_000;
let server: TestServer;
let house: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
	house = await signUp(server);
});
afterAll(async () => {
	for (const wrong of [disagreementsIn('PLAY'), OVERHELD, PAID_TWICE])
		expect((await server.database.db.query(wrong)).rows).toEqual([]);
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const funds = () => server.running.funds;
const desk = new PaymentDesk(() => server);
const { cash, hold } = { cash: (player: Player) => desk.cash(player), hold: (player: Player) => desk.hold(player) };

describe('a receipt with a reference that is another’s', () => {
	it('keeps neither the other’s receipt nor the other’s payment out, and falls by the provider’s word', async () => {
		const [thief, payer] = [await signUp(server), await signUp(server)];
		const utr = desk.freshUtr();
		const stolen = await desk.receipt(thief, utr);
		const own = await desk.receipt(payer, utr);
		expect([stolen.state, own.state]).toEqual(['SUBMITTED', 'SUBMITTED']);
		const { id, reference } = await desk.order(payer);
		await desk.hear({ reference, status: 'SUCCESS', utr });
		expect([await desk.stateOf('PAYMENT', id), cash(payer)]).toEqual(['SUCCESS', COINS + 500]);
		expect([await desk.stateOf('DEPOSIT', stolen.id), await desk.stateOf('DEPOSIT', own.id)]).toEqual([
			'DUPLICATE',
			'DUPLICATE',
		]);
		const rows = await server.result('getDepositWithdrawals', { type: 'DEPOSIT' }, payer.token);
		expect(rows.items.find(({ id: shown }) => shown === `DEPOSIT-${own.id}`)?.note).toContain('payment provider');
		expect((await desk.receipt(thief, utr)).state).toBe('DUPLICATE');
	});

	it('that was rejected can be sent again, by anyone', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const utr = desk.freshUtr();
		const image = await desk.picture();
		const first = await desk.receipt(player, utr, 500, image);
		expect((await desk.receipt(player, utr, 500, image)).state).toBe('DUPLICATE');
		expect((await desk.receipt(player, desk.freshUtr(), 500, image)).state).toBe('DUPLICATE');
		const { items } = await server.result('getDepositWithdrawals', { status: 'DUPLICATE' }, player.token);
		expect(items.map(({ note }) => note)).toEqual([
			'You sent this picture before, and that request stands.',
			'You sent this reference before, and that request stands.',
		]);
		expect(await desk.decide('DEPOSIT', first.id, 'reject')).toBe('REJECTED');
		const again = await desk.receipt(player, utr, 500, image);
		expect([again.state, (await desk.receipt(other, utr, 500, image)).state]).toEqual(['SUBMITTED', 'SUBMITTED']);
		expect(await desk.decide('DEPOSIT', again.id, 'approve')).toBe('APPROVED');
		expect((await desk.receipt(player, utr)).state).toBe('DUPLICATE');
		expect(cash(player)).toBe(COINS + 500);
	});

	it('is approved for one player at a time: the right one can follow the wrong one', async () => {
		const [wrong, right] = [await signUp(server), await signUp(server)];
		const utr = desk.freshUtr();
		const [one, other] = [await desk.receipt(wrong, utr), await desk.receipt(right, utr)];
		expect(await desk.decide('DEPOSIT', one.id, 'approve')).toBe('APPROVED');
		expect(await desk.decide('DEPOSIT', other.id, 'approve')).toBe('ALREADY_CLAIMED');
		expect(await desk.byTwo('DEPOSIT', one.id, 'reverse')).toBe('REVERSED');
		expect(await desk.decide('DEPOSIT', other.id, 'approve')).toBe('APPROVED');
		expect([cash(wrong), cash(right)]).toEqual([COINS, COINS + 500]);
	});

	it('that was approved is taken back when the provider was paid the reference, and a person is told', async () => {
		const [thief, payer] = [await signUp(server), await signUp(server)];
		const utr = desk.freshUtr();
		const stolen = await desk.receipt(thief, utr);
		expect(await desk.decide('DEPOSIT', stolen.id, 'approve')).toBe('APPROVED');
		const { reference } = await desk.order(payer);
		await desk.hear({ reference, status: 'SUCCESS', utr });
		expect([cash(thief), cash(payer), await desk.stateOf('DEPOSIT', stolen.id)]).toEqual([
			COINS,
			COINS + 500,
			'DUPLICATE',
		]);
		expect(await desk.hasFinding(`receipt-displaced:${stolen.id}`)).toBe(true);
	});

	mainlyEach([[0], [1], [2], [3]], ([pause]) => pause === 1)(
		'that is approved at the moment of the provider’s word credits once, %i',
		async (pause) => {
			const player = await signUp(server);
			const utr = desk.freshUtr();
			const [{ id }, { reference }] = [await desk.receipt(player, utr), await desk.order(player)];
			const approved = Promise.resolve().then(async () => {
				for (let turn = 0; turn < pause * 2; turn++) await new Promise(setImmediate);
				return await desk.decide('DEPOSIT', id, 'approve');
			});
			await Promise.all([approved, desk.hear({ reference, status: 'SUCCESS', utr })]);
			expect([cash(player), await desk.stateOf('DEPOSIT', id)]).toEqual([COINS + 500, 'DUPLICATE']);
		},
	);

	it('that an operator rejected wrongly waits again when the bank’s statement has it', async () => {
		const player = await signUp(server);
		const utr = desk.freshUtr();
		const { id } = await desk.receipt(player, utr);
		expect(await desk.decide('DEPOSIT', id, 'reject')).toBe('REJECTED');
		await desk.statement(utr, 500);
		expect(await desk.stateOf('DEPOSIT', id)).toBe('SCREENED');
		expect(await desk.decide('DEPOSIT', id, 'approve')).toBe('APPROVED');
	});

	it('that passes a deposit limit when the bank’s statement reopens it is approved by two', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { depositDay: 1_000 }, player.token);
		const utr = desk.freshUtr();
		const id = await desk.waitingReceipt(player, 800, utr);
		expect(await desk.decide('DEPOSIT', id, 'reject')).toBe('REJECTED');
		expect(await desk.decide('DEPOSIT', await desk.waitingReceipt(player, 800), 'approve')).toBe('APPROVED');
		await desk.statement(utr, 800);
		expect(await desk.decide('DEPOSIT', id, 'approve', 'asha')).toBe('proposed');
		expect(await desk.decide('DEPOSIT', id, 'approve', 'asha')).toBe('SAME_PERSON');
		expect(await desk.decide('DEPOSIT', id, 'approve', 'bala')).toBe('APPROVED');
		expect(cash(player)).toBe(COINS + 1_600);
	});
});

const bet = async (match: TestMatch, player: Player, changes: Record<string, unknown>) =>
	(await server.call('placeBetV2', betOn(match, changes), player.token)).code;

describe('a dispute', () => {
	/** A paid order, and the provider's words about its disputes. */
	async function paid(rupees = 2_000) {
		const player = await signUp(server);
		const { id, reference } = await desk.order(player, rupees);
		const utr = desk.freshUtr();
		await desk.hear({ reference, status: 'SUCCESS', utr, amount: rupees * 100 });
		expect(cash(player)).toBe(COINS + rupees);
		const say = (status: ProviderWord['status'], name: string, sequence: number, disputed = rupees) =>
			desk.hear({ reference, status, utr, amount: rupees * 100, dispute: { name, sequence, amount: disputed * 100 } });
		/** As a provider says it that does not name disputes. */
		const sayUnnamed = (status: ProviderWord['status'], disputed = rupees) =>
			desk.hear({ reference, status, utr, amount: disputed * 100 });
		return { player, id, say, sayUnnamed };
	}

	mainlyEach([['named'], ['unnamed']], ([naming]) => naming === 'named')(
		'about a part holds and takes that part, %s',
		async (naming) => {
			const { player, id, say, sayUnnamed } = await paid();
			const speak = (status: ProviderWord['status'], sequence: number) =>
				naming === 'named' ? say(status, 'D1', sequence, 200) : sayUnnamed(status, 200);
			await speak('DISPUTED', 1);
			await speak('DISPUTED', 1);
			expect([cash(player), hold(player)]).toEqual([COINS + 1_800, 200]);
			await speak('DISPUTE_LOST', 2);
			await speak('DISPUTE_LOST', 2);
			expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS + 1_800, 0, 'LOST']);
			expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', amount: 200, taken: 200, rest: 0 }]);
		},
	);

	mainlyEach([['named'], ['unnamed']], ([naming]) => naming === 'unnamed')(
		'after one that was won is a new cycle, %s',
		async (naming) => {
			const { player, id, say, sayUnnamed } = await paid();
			const speak = (status: ProviderWord['status'], name: string, sequence: number) =>
				naming === 'named' ? say(status, name, sequence) : sayUnnamed(status);
			await speak('DISPUTED', 'D1', 1);
			await speak('DISPUTE_WON', 'D1', 2);
			expect([cash(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS + 2_000, 'WON']);
			await speak('DISPUTED', 'D2', 3);
			expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS, 2_000, 'DISPUTED']);
			await speak('DISPUTE_LOST', 'D2', 4);
			expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS, 0, 'LOST']);
			expect((await desk.disputesOf(id)).map(({ state }) => state)).toEqual(['WON', 'LOST']);
		},
	);

	it('is held as open bets come free, and meanwhile the player takes no new risk', async () => {
		const { player, id, say } = await paid();
		const match = await openTestMatch(server);
		expect(await bet(match, player, { stake: COINS + 1_500, side: 'BACK' })).toBeNull();
		for (let left = COINS + 1_500; left > 0; left -= COINS) {
			const other = left > COINS ? house : await signUp(server);
			expect(await bet(match, other, { side: 'LAY', stake: Math.min(left, COINS) })).toBeNull();
		}
		await say('DISPUTED', 'D1', 1);
		expect([cash(player), hold(player)]).toEqual([0, 500]);
		expect(await bet(match, player, { stake: 10, side: 'LAY' })).toBe('PAYMENT_DISPUTED');
		await match.settle(0);
		await expect.poll(() => hold(player)).toBe(2_000);
		expect(await bet(await openTestMatch(server), player, { stake: 10 })).toBeNull();
		await say('DISPUTE_LOST', 'D1', 2);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', taken: 2_000, rest: 0 }]);
	});

	it('that is lost while the money is in an open bet is taken when the bet is settled, before the house bears it', async () => {
		const { player, id, say } = await paid();
		const match = await openTestMatch(server);
		expect(await bet(match, player, { stake: COINS + 1_500 })).toBeNull();
		for (const stake of [COINS, 1_500])
			expect(await bet(match, await signUp(server), { stake, side: 'LAY' })).toBeNull();
		await say('DISPUTED', 'D1', 1);
		await say('DISPUTE_LOST', 'D1', 2);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'OWED', taken: 500, rest: 1_500 }]);
		// The stake comes back.
		await server.act('void', { marketId: match.marketId });
		await expect.poll(() => desk.disputesOf(id)).toMatchObject([{ state: 'LOST', taken: 2_000, rest: 0 }]);
		// The row is in the table a moment before the server hears of it.
		await expect.poll(() => cash(player)).toBe(COINS);
	});

	it('that is lost while the money is in unmatched bets cancels them and is taken at once, and freezes nothing', async () => {
		const { player, id, say } = await paid();
		const match = await openTestMatch(server);
		expect(await bet(match, player, { stake: COINS + 1_500 })).toBeNull();
		await say('DISPUTED', 'D1', 1);
		await say('DISPUTE_LOST', 'D1', 2);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', taken: 2_000, rest: 0 }]);
		expect(server.money(player)).toEqual([COINS, 0]);
		expect(await bet(match, player, { stake: 10 })).toBeNull();
	});

	it.each([[null], ['seen at the bank']])(
		'that is lost while the money is in bets of two markets is taken in parts; the account is frozen until the last, or by a member for %s',
		async (why) => {
			const { player, id, say } = await paid();
			const [small, large] = [await openTestMatch(server), await openTestMatch(server)];
			const matched = async (match: TestMatch, stake: number) => {
				expect(await bet(match, player, { stake })).toBeNull();
				expect(await bet(match, await signUp(server), { stake, side: 'LAY' })).toBeNull();
			};
			await matched(small, 500);
			await matched(large, COINS);
			await matched(large, 1_500);
			if (why !== null) await funds().protection.freeze(player.userId, why, { actor: 'asha', address: null });
			await say('DISPUTE_LOST', 'D1', 1);
			const lost = async () => (await desk.disputesOf(id))[0];
			const frozen = () => funds().protection.of(player.userId).frozen;
			expect(await lost()).toMatchObject({ state: 'OWED', taken: 0, rest: 2_000 });
			await server.act('void', { marketId: small.marketId });
			await expect.poll(lost).toMatchObject({ state: 'OWED', taken: 500, rest: 1_500 });
			expect(frozen()).toBe(why ?? 'A disputed payment was lost.');
			await server.act('void', { marketId: large.marketId });
			await expect.poll(lost).toMatchObject({ state: 'LOST', taken: 2_000, rest: 0 });
			await expect.poll(frozen).toBe(why);
			await expect.poll(() => cash(player)).toBe(COINS);
		},
	);

	it('that is lost after the money is gone costs the house the rest alone', async () => {
		const { player, id, say } = await paid();
		const [match, winner] = [await openTestMatch(server), await signUp(server)];
		expect(await bet(match, player, { stake: 21_500 })).toBeNull();
		expect(await bet(match, winner, { stake: 20_000, side: 'LAY' })).toBeNull();
		expect(await bet(match, await signUp(server), { stake: 1_500, side: 'LAY' })).toBeNull();
		await match.settle(1);
		await say('DISPUTED', 'D1', 1);
		await say('DISPUTE_LOST', 'D1', 2);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', taken: 500, rest: 1_500 }]);
		expect((await server.raw('placeBetV2', betOn(match, { stake: 10 }), player.token)).code).toBe('ACCOUNT_FROZEN');
		const details = { method: 'UPI', upiId: `p${winner.userId}@bank` } as const;
		const asked = { amount: 500, details, clientRequestId: freshRequestId() };
		const withdrawal = await server.result('createWithdrawal', asked, winner.token);
		const data = (await funds().ledger.find('WITHDRAWAL', Number(withdrawal.id.replace('WITHDRAWAL-', '')))).data;
		expect(data['doubts']).toContain('DISPUTED_WINNINGS');
	});

	it('is told in any order, twice and late: the last word by the provider’s number counts', async () => {
		const { player, id, say } = await paid();
		await say('DISPUTE_LOST', 'D1', 2);
		await say('DISPUTED', 'D1', 1);
		expect([cash(player), (await desk.disputesOf(id)).length]).toEqual([COINS, 1]);
		await say('DISPUTE_WON', 'D1', 4);
		await say('DISPUTE_LOST', 'D1', 3);
		expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS + 2_000, 0, 'WON']);
		await say('DISPUTED', 'D1', 5);
		expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS, 2_000, 'DISPUTED']);
		await say('DISPUTE_LOST', 'D1', 6);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', taken: 2_000 }]);
		await say('DISPUTE_WON', 'D1', 6);
		expect([cash(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS, 'LOST']);
		const { rowCount } = await server.database.db.query(
			`select 1 from workflow_claim where name like 'finding:dispute-refused:' || $1::text || ':%'`,
			[id],
		);
		expect(rowCount).toBe(1);
	});

	it('takes no more than was paid, whatever the provider says, and what is above is a finding', async () => {
		const { player, id, say } = await paid();
		await say('DISPUTED', 'D1', 1, 1_500);
		await say('DISPUTED', 'D2', 1, 1_500);
		expect([cash(player), hold(player)]).toEqual([COINS, 2_000]);
		expect(await desk.hasFinding(`dispute-above:${id}:D2:150000`)).toBe(true);
		expect(await desk.decide('PAYMENT', id, 'dispute')).toBe('AMOUNT_OUT_OF_RANGE');
		const [, second] = await desk.disputesOf(id);
		expect(await desk.byTwo('DISPUTE', second?.id ?? 0, 'won')).toBe('WON');
		expect([hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([1_500, 'DISPUTED']);
	});

	it('that two operators ended is the one that the provider names afterwards, and another one is taken for itself', async () => {
		const { player, id, say } = await paid();
		await desk.decide('PAYMENT', id, 'dispute', 'asha', 400);
		const [opened] = await desk.disputesOf(id);
		expect(await desk.byTwo('DISPUTE', opened?.id ?? 0, 'lost')).toBe('LOST');
		await say('DISPUTE_LOST', 'D1', 2, 400);
		await say('DISPUTED', 'D1', 1, 400);
		expect([cash(player), hold(player)]).toEqual([COINS + 1_600, 0]);
		expect(await desk.disputesOf(id)).toMatchObject([{ state: 'LOST', amount: 400, taken: 400 }]);
		await say('DISPUTE_LOST', 'D2', 3, 400);
		expect(cash(player)).toBe(COINS + 1_200);
		await say('DISPUTE_WON', 'D1', 4, 400);
		expect(cash(player)).toBe(COINS + 1_600);
	});

	it('is compared with the provider’s report', async () => {
		const { id, say } = await paid();
		const name = `CB${id}`;
		await say('DISPUTED', name, 1, 300);
		await say('DISPUTE_LOST', name, 2, 300);
		const payment = await funds().ledger.find('PAYMENT', id);
		const { utr } = payment.data as { utr: string };
		const reference = referenceOf('BLP', id);
		const report = (amount: number) => ({
			pool: 'PLAY',
			report: `reference,utr,amount\n${reference},${utr},2000\n${reference},${name},${amount}`,
			from: '2020-01-01',
			to: '2020-01-02',
		});
		expect((await server.act<{ findings: string[] }>('reconcile', report(-300))).findings).toEqual([]);
		expect((await server.act<{ findings: string[] }>('reconcile', report(-400))).findings).toEqual([
			`chargeback-other-amount:${name}`,
		]);
	});
});

it('a payment that was disputed before disputes had cycles keeps its hold, as its first cycle, after a start', async () => {
	const player = await signUp(server);
	const { id, reference } = await desk.order(player);
	await desk.hear({ reference, status: 'SUCCESS', utr: desk.freshUtr() });
	// As the table of payments had it then.
	const step = {
		workflow: 'PAYMENT',
		id,
		from: 'SUCCESS',
		to: 'DISPUTED',
		isOpen: true,
		actor: 'provider',
		data: { held: 500_00 },
		moves: [{ debit: 'cash', credit: 'hold', amount: 500_00 }],
	} as const;
	await server.running.exchange.submit({ kind: 'transfer', walletId: player.userId, pool: 'PLAY', steps: [step] });
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: QUIET_PAYMENTS });
	await expect.poll(() => desk.disputesOf(id)).toMatchObject([{ state: 'OPEN', amount: 500, held: 500 }]);
	expect(hold(player)).toBe(500);
	await desk.hear({ reference, status: 'DISPUTE_WON' });
	expect([cash(player), hold(player), await desk.stateOf('PAYMENT', id)]).toEqual([COINS + 500, 0, 'WON']);
});

it('a freeze for a debt that was paid as the server died ends with the next start, and no other freeze', async () => {
	const [paid, doubted] = [await signUp(server), await signUp(server)];
	const by = { actor: 'server', address: null };
	await funds().protection.freeze(paid.userId, 'A disputed payment was lost.', by);
	await funds().protection.freeze(doubted.userId, 'seen at the bank', { ...by, actor: 'asha' });
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: QUIET_PAYMENTS });
	await expect.poll(() => funds().protection.of(paid.userId).frozen).toBeNull();
	expect(funds().protection.of(doubted.userId).frozen).toBe('seen at the bank');
});

it('a row that does not fit its kind keeps its player’s lists and nobody else’s, and operators have the rest of the queue', async () => {
	const [spoilt, other] = [await signUp(server), await signUp(server)];
	const [bad, good] = [await desk.receipt(spoilt, desk.freshUtr()), await desk.receipt(other, desk.freshUtr())];
	// What the receipt's own reading writes comes first, or it would mend the row.
	await expect.poll(() => desk.stateOf('DEPOSIT', bad.id)).toBe('SCREENED');
	const { db } = server.database;
	const set = (data: unknown) =>
		db.query(`update workflow set data = $2 where kind = 'DEPOSIT' and id = $1`, [bad.id, JSON.stringify(data)]);
	const { rows } = await db.query(`select data from workflow where kind = 'DEPOSIT' and id = $1`, [bad.id]);
	const listed = async (player: Player) => (await server.call('getDepositWithdrawals', {}, player.token)).code;
	const queue = async () => {
		const rows = (await server.act('payment-queue', { kind: 'DEPOSIT' })) as { id: string }[];
		return [bad, good].map(({ id }) => rows.some((row) => row.id === String(id)));
	};
	await set({ ...rows[0].data, read: 'a secret' });
	expect([await listed(spoilt), await listed(other), await queue()]).toEqual(['INTERNAL', null, [false, true]]);
	await set(rows[0].data);
	expect([await listed(spoilt), await queue()]).toEqual([null, [true, true]]);
});
