/** Deposits by receipt and withdrawals: through players' calls, operators' decisions, the provider and back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentDesk } from '../funds/payment-desk.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import { type Player, TestServer } from '../support/server.ts';
import { leaveShort } from '../support/short-position.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
/** Whose questions are refused, and who neither deposits nor withdraws. */
let someone: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, {
		payments: { orderMs: 60_000, simulatedDelayMs: 20, pollMs: 20, webhookKeys: {} },
	});
	someone = await signUp(server);
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const UPI = { method: 'UPI', upiId: 'ravi@okbank' } as const;
let utrs = 400_000_000_000;
const freshUtr = () => String(++utrs);

/** Of a receipt that is read, which takes a second, and of one whose letters are too small. */
const [READABLE_PX, UNREADABLE_PX] = [720, 96];
const receipt = async (utr: string, amount: string, width = READABLE_PX) =>
	(await receiptPicture({ utr, amount, width })).toString('base64');
const desk = new PaymentDesk(() => server);
const store = async (player: Player, image: string) =>
	(await server.result('storeImage', { image }, player.token)).imageRef;
const deposit = async (player: Player, amount: number, utr = freshUtr(), image?: string) => {
	const imageRef = await store(player, image ?? (await desk.picture()));
	return await server.call('createDeposit', { amount, utr, imageRef, clientRequestId: freshRequestId() }, player.token);
};
const withdraw = (player: Player, amount: number, details: object = UPI, clientRequestId = freshRequestId()) =>
	server.raw('createWithdrawal', { amount, details, clientRequestId }, player.token);
const numberOf = (id = '') => id.split('-')[1] ?? '';
/** An operator's decision. */
const decide = (kind: string, id: string | undefined, event: string, as: string, reason = 'looked at') =>
	server.send<{ state: string; isProposed: boolean }>('/operator/api/payment-decide', {
		method: 'POST',
		body: JSON.stringify({ kind, id: numberOf(id), event, reason }),
		headers: { ...server.operatorHeaders, 'X-Operator': as },
	});
const rowOf = async (player: Player, id = '') =>
	(await server.result('getDepositWithdrawals', {}, player.token)).items.find((row) => row.id === id);
const becomes = (player: Player, id: string | undefined, status: string) =>
	expect.poll(async () => (await rowOf(player, id))?.status, { timeout: 60_000 }).toBe(status);

describe('deposits by receipt', () => {
	it('createDeposit: success, read by OCR and credited when an operator approves', async () => {
		const player = await signUp(server);
		const utr = freshUtr();
		const { body } = await deposit(player, 1_500, utr, await receipt(utr, '1500'));
		const id = body.result?.id;
		expect(body.result).toMatchObject({ type: 'DEPOSIT', status: 'SUBMITTED', amount: 1_500, method: 'RECEIPT' });
		await becomes(player, id, 'SCREENED');
		const { body: shown } = await server.operator<{ read: object }>('payment-show', {
			kind: 'DEPOSIT',
			id: numberOf(id),
		});
		expect(shown.result?.read).toEqual({ utr: true, amount: 'FOUND' });
		expect(server.money(player)).toEqual([20_000, 0]);
		expect((await decide('DEPOSIT', id, 'approve', 'asha')).body.result).toMatchObject({ state: 'APPROVED' });
		expect(server.money(player)).toEqual([21_500, 0]);
		expect((await decide('DEPOSIT', id, 'approve', 'bala')).code).toBe('WRONG_STATE');
		expect((await rowOf(player, id))?.steps.map(({ status }) => status)).toEqual(['SUBMITTED', 'SCREENED', 'APPROVED']);
	});

	it('payment-show: success, a receipt that is not read yet, or was given up, is not one on which nothing was found', {
		tags: 'thorough',
	}, async () => {
		const player = await signUp(server);
		const { media } = server.running.funds;
		const readingOf = async (id: string | undefined) =>
			(await server.act<{ reading: string; state: string }>('payment-show', { kind: 'DEPOSIT', id: numberOf(id) }))
				.reading;
		const small = async (amount: number) => {
			const utr = freshUtr();
			return await deposit(player, amount, utr, await receipt(utr, String(amount), UNREADABLE_PX));
		};
		const first = (await small(1_500)).body.result?.id;
		await becomes(player, first, 'SCREENED');
		expect(await readingOf(first)).toBe('READ');
		process.kill(media.pids.reading ?? 0, 'SIGSTOP');
		const id = (await small(1_600)).body.result?.id;
		expect(await readingOf(id)).toBe('NOT_READ_YET');
		// Each reading of it loses its process, so it is given up.
		while ((await readingOf(id)) === 'NOT_READ_YET') {
			const { reading } = media.pids;
			if (reading !== null) process.kill(reading, 'SIGKILL');
		}
		expect(await readingOf(id)).toBe('TOO_SLOW');
		await becomes(player, id, 'SCREENED');
	});

	it('asks a second operator above the threshold, and to reverse; reversing may leave a debt', async () => {
		const player = await signUp(server);
		const id = (await deposit(player, 30_000)).body.result?.id;
		expect((await decide('DEPOSIT', id, 'approve', 'unnamed')).code).toBe('UNNAMED_OPERATOR');
		expect((await decide('DEPOSIT', id, 'approve', 'asha')).body.result?.isProposed).toBe(true);
		expect((await decide('DEPOSIT', id, 'approve', 'asha')).code).toBe('SAME_PERSON');
		expect((await decide('DEPOSIT', id, 'approve', 'bala')).body.result?.state).toBe('APPROVED');
		expect(server.money(player)).toEqual([50_000, 0]);
		await decide('DEPOSIT', id, 'reverse', 'asha');
		expect((await decide('DEPOSIT', id, 'reverse', 'bala')).body.result?.state).toBe('REVERSED');
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('createDeposit: success as a duplicate of one’s own UTR or picture; another’s is shown beside it to operators', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const [utr, another] = [freshUtr(), freshUtr()];
		const image = await desk.picture();
		const first = (await deposit(player, 500, utr, image)).body.result;
		const own = [await deposit(player, 500, utr), await deposit(player, 500, another, image)];
		expect(own.map(({ body }) => body.result?.status)).toEqual(['DUPLICATE', 'DUPLICATE']);
		const byReference = (await deposit(other, 500, utr)).body.result;
		const byPicture = (await deposit(await signUp(server), 500, freshUtr(), image)).body.result;
		expect([byReference?.status, byPicture?.status]).toEqual(['SUBMITTED', 'SUBMITTED']);
		// A member finds from each of them what it repeats, and from the first one all of them.
		const numberOf = (answer: { id: string } | null | undefined) => answer?.id.replace('DEPOSIT-', '') ?? '';
		const same = async (answer: { id: string } | null | undefined) =>
			(
				await server.act<{ sameTransfer: { kind: string; id: string }[] }>('payment-show', {
					kind: 'DEPOSIT',
					id: numberOf(answer),
				})
			).sameTransfer.map(({ kind, id }) => `${kind}-${id}`);
		for (const repeated of [byReference, byPicture]) {
			expect(await same(repeated)).toContain(first?.id);
			expect(await same(repeated)).not.toContain(repeated?.id);
		}
		const ownIds = own.map(({ body }) => body.result?.id ?? '');
		expect((await same(first)).sort()).toEqual([byReference?.id ?? '', byPicture?.id ?? '', ...ownIds].sort());
	});

	it('createDeposit: refusal of a foreign picture, an odd reference, an amount past the limit', async () => {
		const imageRef = await store(await signUp(server), await desk.picture());
		const ask = async (changes: object) => {
			const body = { amount: 500, utr: freshUtr(), imageRef, clientRequestId: freshRequestId(), ...changes };
			return (await server.raw('createDeposit', body, someone.token)).code;
		};
		expect(await ask({})).toBe('NOT_FOUND');
		expect(await ask({ utr: '123' })).toBe('VALIDATION_FAILED');
		const own = { imageRef: await store(someone, await desk.picture()) };
		expect(await ask({ ...own, amount: 50_001 })).toBe('AMOUNT_OUT_OF_RANGE');
	});

	it('createRequestForDepositWithdrawal: success for both types', async () => {
		const player = await signUp(server);
		const utr = freshUtr();
		const imageRef = await store(player, await desk.picture());
		const ask = (body: object) =>
			server.raw('createRequestForDepositWithdrawal', { ...body, clientRequestId: freshRequestId() }, player.token);
		expect((await ask({ type: 'DEPOSIT', amount: 700, utr, imageRef })).body.result?.status).toBe('SUBMITTED');
		expect((await ask({ type: 'WITHDRAWAL', amount: 500, details: UPI })).body.result?.status).toBe('REQUESTED');
	});
	it('createRequestForDepositWithdrawal: refusal of another type', async () => {
		expect((await server.raw('createRequestForDepositWithdrawal', { type: 'GIFT' }, someone.token)).code).toBe(
			'VALIDATION_FAILED',
		);
	});
});

describe('withdrawals', () => {
	it('createWithdrawal: success, held, approved by an operator, paid by the provider', async () => {
		const player = await signUp(server);
		const { body } = await withdraw(player, 1_000);
		const id = body.result?.id;
		expect(body.result).toMatchObject({ type: 'WITHDRAWAL', status: 'REQUESTED', method: 'UPI' });
		expect(server.money(player)).toEqual([19_000, 0]);
		expect((await server.result('getHeldMoney', {}, player.token)).others).toMatchObject([{ id, held: 1_000 }]);
		const queue = await server.operator<{ kind: string; id: string; doubts: string[] }[]>('payment-queue', {
			kind: 'WITHDRAWAL',
		});
		const waiting = queue.body.result?.find((row) => row.id === numberOf(id));
		expect(waiting?.doubts).toEqual(expect.arrayContaining(['NEW_DETAILS', 'LITTLE_BET']));
		expect(JSON.stringify(queue.body)).not.toContain('ravi@okbank');
		expect((await decide('WITHDRAWAL', id, 'approve', 'asha')).code).toBeNull();
		await becomes(player, id, 'PAID');
		expect(server.money(player)).toEqual([19_000, 0]);
		const statuses = (await rowOf(player, id))?.steps.map(({ status }) => status);
		expect(statuses).toEqual(['REQUESTED', 'APPROVED', 'PROCESSING', 'PAID']);
	});

	it('gives the money back when the provider refuses, when an operator rejects, and when the bank returns it', async () => {
		const player = await signUp(server);
		const failed = (await withdraw(player, 1_000.01)).body.result?.id;
		await decide('WITHDRAWAL', failed, 'approve', 'asha', 'a note among operators');
		await becomes(player, failed, 'FAILED');
		// The site says in the player's language that the bank refused it.
		expect(await rowOf(player, failed)).toMatchObject({ note: '' });
		const rejected = (await withdraw(player, 500)).body.result?.id;
		expect((await decide('WITHDRAWAL', rejected, 'reject', 'asha', '')).code).toBe('VALIDATION_FAILED');
		await decide('WITHDRAWAL', rejected, 'reject', 'asha', 'the name differs');
		expect(await rowOf(player, rejected)).toMatchObject({ status: 'REJECTED', note: 'the name differs' });
		const returned = (await withdraw(player, 600)).body.result?.id;
		await decide('WITHDRAWAL', returned, 'approve', 'asha');
		await becomes(player, returned, 'PAID');
		expect((await decide('WITHDRAWAL', returned, 'return', 'asha')).body.result?.isProposed).toBe(true);
		await decide('WITHDRAWAL', returned, 'return', 'bala');
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('lets one of 50 withdrawals through when the money is enough for one, and no bet beside it goes below zero', async () => {
		const player = await signUp(server);
		await server.act('brand-set', { host: 'localhost', field: 'funds.withdrawalsPerDay', value: '100' });
		const match = await openTestMatch(server);
		const asked = Array.from({ length: 50 }, () => withdraw(player, 15_000));
		const bets = Array.from({ length: 5 }, () =>
			server.call('placeBetV2', betOn(match, { stake: 4_000 }), player.token),
		);
		const [withdrawn, placed] = (await Promise.all([Promise.all(asked), Promise.all(bets)])).map(
			(answers) => answers.filter(({ code }) => code === null).length,
		);
		// With two bets before it there is too little for any withdrawal, and enough for the other bets.
		expect([
			[1, 1],
			[0, 5],
		]).toContainEqual([withdrawn, placed]);
		expect(server.money(player)[0]).toBe(withdrawn === 1 ? 1_000 : 0);
		const other = await signUp(server);
		const alone = await Promise.all(Array.from({ length: 50 }, () => withdraw(other, 15_000)));
		expect(alone.filter(({ code }) => code === null)).toHaveLength(1);
		expect(server.money(other)[0]).toBe(5_000);
		await server.act('brand-set', { host: 'localhost', field: 'funds.withdrawalsPerDay', value: '3' });
	});

	it('createWithdrawal: success again with the same request id is the same withdrawal, with another amount refused', async () => {
		const player = await signUp(server);
		const [one, other] = await Promise.all([
			withdraw(player, 500, UPI, 'the-same'),
			withdraw(player, 500, UPI, 'the-same'),
		]);
		expect(one.body.result?.id).toBe(other.body.result?.id);
		expect((await withdraw(player, 501, UPI, 'the-same')).code).toBe('REQUEST_ID_REUSED');
		expect(server.money(player)).toEqual([19_500, 0]);
	});

	it('createWithdrawal: refusal of too much, too little, too many, and odd details', async () => {
		const player = await signUp(server);
		expect((await withdraw(player, 20_001)).code).toBe('INSUFFICIENT_FUNDS');
		expect((await withdraw(player, 99)).code).toBe('AMOUNT_OUT_OF_RANGE');
		expect((await withdraw(player, 500, { method: 'UPI', upiId: 'nobody' })).code).toBe('VALIDATION_FAILED');
		expect((await withdraw(player, 500, { method: 'SAVED', id: 'unknown' })).code).toBe('NOT_FOUND');
		for (let time = 0; time < 3; time++) expect((await withdraw(player, 500)).code).toBeNull();
		expect((await withdraw(player, 500)).code).toBe('TOO_MANY_WITHDRAWALS');
	});

	it('keeps a deposit until it was wagered once, and says so', async () => {
		const player = await signUp(server);
		const id = (await deposit(player, 5_000)).body.result?.id;
		await decide('DEPOSIT', id, 'approve', 'asha');
		const info = await server.result('getPaymentInfo', {}, player.token);
		expect(info.withdrawal).toMatchObject({ max: 20_000, heldBack: [{ reason: 'TURNOVER', amount: 5_000 }] });
		expect((await withdraw(player, 20_001)).body.error?.details).toMatchObject({
			max: 20_000,
			heldBack: [{ reason: 'TURNOVER', amount: 5_000 }],
		});
	});

	it('getPaymentInfo: success, what open bets lack is theirs, and the rest may be withdrawn', async () => {
		const player = await signUp(server);
		await leaveShort(server, player);
		const { withdrawal } = await server.result('getPaymentInfo', {}, player.token);
		expect(withdrawal).toMatchObject({ max: 10_000, heldBack: [{ reason: 'OPEN_BETS', amount: 10_000 }] });
		expect((await withdraw(player, 10_001)).body.error?.details).toMatchObject({ max: 10_000 });
		expect((await withdraw(player, 10_000)).code).toBeNull();
	});

	it('stores bank details encrypted, and shows them masked', async () => {
		const player = await signUp(server);
		const details = { method: 'BANK', accountNumber: '123456789012', ifsc: 'HDFC0001234', holder: 'Ravi K' };
		await withdraw(player, 500, details);
		const { withdrawal } = await server.result('getPaymentInfo', {}, player.token);
		expect(withdrawal.saved).toMatchObject([{ method: 'BANK', masked: '••••9012' }]);
		for (const table of ['payout_details', 'workflow', 'workflow_step', 'request_key', 'journal']) {
			const { rowCount } = await server.database.db.query(
				`select 1 from ${table} as row where row::text like '%123456789012%'`,
			);
			expect([table, rowCount]).toEqual([table, 0]);
		}
		const id = withdrawal.saved[0]?.id;
		expect((await withdraw(player, 500, { method: 'SAVED', id })).code).toBeNull();
	});

	it('cancelWithdrawal: refusal where the domain does not allow it, and success where it does', async () => {
		const player = await signUp(server);
		const id = (await withdraw(player, 500)).body.result?.id ?? '';
		const cancel = (by: Player) => server.call('cancelWithdrawal', { id }, by.token);
		expect((await cancel(player)).code).toBe('FORBIDDEN');
		await server.act('brand-set', { host: 'localhost', field: 'funds.cancelWithdrawals', value: 'true' });
		expect((await cancel(someone)).code).toBe('NOT_FOUND');
		expect((await cancel(player)).body.result?.status).toBe('CANCELLED');
		expect((await cancel(player)).code).toBe('WRONG_STATE');
		await server.act('brand-set', { host: 'localhost', field: 'funds.cancelWithdrawals', value: 'false' });
		expect(server.money(player)).toEqual([20_000, 0]);
	});
	it('cancelWithdrawal: success gives the money back', async () => {
		await server.act('brand-set', { host: 'localhost', field: 'funds.cancelWithdrawals', value: 'true' });
		const player = await signUp(server);
		const id = (await withdraw(player, 500)).body.result?.id ?? '';
		expect((await server.call('cancelWithdrawal', { id }, player.token)).code).toBeNull();
		await server.act('brand-set', { host: 'localhost', field: 'funds.cancelWithdrawals', value: 'false' });
	});
});

describe('lists', () => {
	it('getDepositWithdrawals: success by type and page, with decided ones', async () => {
		const player = await signUp(server);
		const rejected = (await withdraw(player, 500)).body.result?.id;
		await decide('WITHDRAWAL', rejected, 'reject', 'asha');
		await withdraw(player, 600);
		await deposit(player, 700);
		const all = await server.result('getDepositWithdrawals', {}, player.token);
		expect(all.items.map(({ amount }) => amount)).toEqual([700, 600, 500]);
		const some = await server.result('getDepositWithdrawals', { type: 'WITHDRAWAL', maxResultCount: 1 }, player.token);
		expect([some.totalCount, some.items.length]).toEqual([2, 1]);
		expect((await server.result('playerRequests', {}, player.token)).items.map(({ amount }) => amount)).toEqual([
			700, 600,
		]);
		const history = await server.result('getUserWithdrawalHistory', {}, player.token);
		expect(history.items.map(({ amount }) => amount)).toEqual([600, 500]);
	});

	it('playerRequests: success for a player with none', async () => {
		expect(await server.result('playerRequests', {}, someone.token)).toEqual({ totalCount: 0, items: [] });
	});
	it('getUserWithdrawalHistory: success for a player with none', async () => {
		expect(await server.result('getUserWithdrawalHistory', {}, someone.token)).toEqual({ totalCount: 0, items: [] });
	});
	it.each(['playerRequests', 'getDepositWithdrawals'] as const)(
		'%s: refusal of a page that is too large',
		async (call) => {
			expect((await server.raw(call, { maxResultCount: 1_000 }, someone.token)).code).toBe('VALIDATION_FAILED');
		},
	);
	it('playerRequests: refusal of a type there is none of', async () => {
		expect((await server.raw('playerRequests', { type: 'GIFT' }, someone.token)).code).toBe('VALIDATION_FAILED');
	});
	it('getDepositWithdrawals: refusal of a type there is none of', async () => {
		expect((await server.raw('getDepositWithdrawals', { type: 'GIFT' }, someone.token)).code).toBe('VALIDATION_FAILED');
	});
	it('getUserWithdrawalHistory: refusal of a page that is too large', async () => {
		expect((await server.raw('getUserWithdrawalHistory', { maxResultCount: '1000' }, someone.token)).code).toBe(
			'VALIDATION_FAILED',
		);
	});
});

describe('getPaymentInfo', () => {
	it('getPaymentInfo: success, names the payee, the limits and the range', async () => {
		const info = await server.result('getPaymentInfo', {}, someone.token);
		expect(info).toMatchObject({ isSimulated: true, payee: { upiId: 'backlay@simulated' } });
		expect(info.deposit).toMatchObject({ methods: ['UPI', 'RECEIPT'], refusal: null, min: 100, max: 50_000 });
		expect(info.deposit.limits.map(({ period, left }) => [period, left])).toEqual([
			['DAY', 50_000],
			['WEEK', 200_000],
			['MONTH', 500_000],
		]);
	});
	it('getPaymentInfo: refusal of receipts alone to a demo player', async () => {
		const { token } = await server.demoPlayer();
		const { isSimulated, deposit: of, withdrawal } = await server.result('getPaymentInfo', {}, token);
		expect([isSimulated, of.methods, withdrawal.methods]).toEqual([true, ['UPI'], ['UPI', 'BANK']]);
	});
});

describe('operators', () => {
	const asOperator = <T>(act: string, body: object, as: string) =>
		server.send<T>(`/operator/api/${act}`, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { ...server.operatorHeaders, 'X-Operator': as },
		});

	it('adjust a balance by two persons, with a reason code', async () => {
		const player = await signUp(server);
		const asked = {
			userName: player.userName,
			host: 'localhost',
			amount: -300,
			reasonCode: 'CORRECTION',
			reason: 'paid twice',
		};
		const { id } = (await asOperator<{ id: string }>('adjust', asked, 'asha')).body.result ?? { id: '' };
		expect((await decide('ADJUSTMENT', `-${id}`, 'approve', 'asha')).code).toBe('SAME_PERSON');
		expect(server.money(player)).toEqual([20_000, 0]);
		expect((await decide('ADJUSTMENT', `-${id}`, 'approve', 'bala')).body.result?.state).toBe('POSTED');
		expect(server.money(player)).toEqual([19_700, 0]);
	});

	it('give a bonus by hand and take it back, by two persons: it stands among the bonuses’ cost, not among losses', async () => {
		const player = await signUp(server);
		const balances = async () => {
			const rows = await server.act<{ account: string; balance: number }[]>('trial-balance', { pool: 'PLAY' });
			const of = (account: string) => rows.find((row) => row.account === account)?.balance ?? 0;
			return { bonus: of('bonus_cost'), loss: of('loss') };
		};
		const before = await balances();
		for (const [amount, sum] of [
			[250, -250],
			[-250, 0],
		]) {
			const asked = {
				userName: player.userName,
				host: 'localhost',
				amount,
				reasonCode: 'BONUS',
				reason: 'a prize draw',
			};
			const { id } = (await asOperator<{ id: string }>('adjust', asked, 'asha')).body.result ?? { id: '' };
			expect((await decide('ADJUSTMENT', `-${id}`, 'approve', 'asha')).code).toBe('SAME_PERSON');
			expect((await decide('ADJUSTMENT', `-${id}`, 'approve', 'bala')).body.result?.state).toBe('POSTED');
			expect(await balances()).toEqual({ bonus: before.bonus + Number(sum), loss: before.loss });
			expect(server.money(player)).toEqual([20_000 - Number(sum), 0]);
		}
	});

	it('enter a settlement of the provider once, and see it in the trial balance', async () => {
		const settlement = { pool: 'PLAY', reference: 'sept-1', net: 980, fee: 20 };
		expect((await asOperator('provider-settlement', settlement, 'asha')).code).toBeNull();
		expect((await asOperator('provider-settlement', settlement, 'asha')).code).toBe('ALREADY_CLAIMED');
		const balances = await server.operator<{ account: string; balance: number }[]>('trial-balance', { pool: 'PLAY' });
		const sum = balances.body.result?.reduce((total, { balance }) => total + Math.round(balance * 100), 0);
		expect(sum).toBe(0);
		expect(balances.body.result).toContainEqual({ account: 'payment_cost', balance: -20 });
	});

	it('reconcile a month of reports: every planted difference is found, and none is invented', {
		tags: 'thorough',
	}, async () => {
		const [player, from] = [await signUp(server), new Date().toISOString()];
		const orders = await Promise.all(
			Array.from({ length: 30 }, (_, at) =>
				server.result('generatePayment', { amount: 100 + at, clientRequestId: freshRequestId() }, player.token),
			),
		);
		const paid = async (orderId: string) => (await server.result('checkPayment', { orderId }, player.token)).utr;
		await expect
			.poll(async () => (await Promise.all(orders.map(({ orderId }) => paid(orderId)))).every(Boolean))
			.toBe(true);
		const lines = await Promise.all(
			orders.map(async ({ orderId, amount, upiLink }) => ({
				reference: /tr=(\w+)/.exec(upiLink)?.[1],
				utr: await paid(orderId),
				amount,
			})),
		);
		const [first, second, third] = lines;
		const planted = [
			...lines.slice(3),
			{ ...first, amount: 1 },
			{ ...second, utr: '999999999999' },
			{ ...third },
			{ ...third },
		];
		const report = ['reference,utr,amount', ...planted.map((line) => `${line.reference},${line.utr},${line.amount}`)];
		const asked = { pool: 'PLAY', report: report.join('\n'), from, to: new Date(Date.now() + 3_600_000).toISOString() };
		const expected = [
			`not-reported:${second?.utr}`,
			'only-reported:999999999999',
			`other-amount:${first?.utr}`,
			`reported-twice:${third?.utr}`,
		];
		for (let time = 0; time < 2; time++) {
			const { body } = await asOperator<{ matched: number; findings: string[] }>('reconcile', asked, 'asha');
			expect([body.result?.matched, body.result?.findings.sort()]).toEqual([28, expected]);
		}
		const queue = await server.operator<{ name: string }[]>('payment-queue', { kind: 'FINDING' });
		expect(
			queue.body.result
				?.map(({ name }) => name)
				.filter((name) => expected.includes(name))
				.sort(),
		).toEqual(expected);
	});
});

it.each([
	['createRequestForDepositWithdrawal: not logged in', 'createRequestForDepositWithdrawal'],
	['createDeposit: not logged in', 'createDeposit'],
	['createWithdrawal: not logged in', 'createWithdrawal'],
	['cancelWithdrawal: not logged in', 'cancelWithdrawal'],
	['playerRequests: not logged in', 'playerRequests'],
	['getDepositWithdrawals: not logged in', 'getDepositWithdrawals'],
	['getUserWithdrawalHistory: not logged in', 'getUserWithdrawalHistory'],
	['getPaymentInfo: not logged in', 'getPaymentInfo'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, {})).status).toBe(401);
});
