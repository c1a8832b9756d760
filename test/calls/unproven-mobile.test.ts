/** What an account only says about itself imposes nothing on others and shows nothing of them. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import { CALLS, type Calls } from '#contract/registry.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { bearer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { codeSentTo, PASSWORD, proveMobile, signUp, signUpElsewhere } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

interface At {
	token: string;
	url: string;
}
const send = async (path: string, input: object, { token, url }: At, method = 'POST') => {
	const body = method === 'POST' ? { body: JSON.stringify(input) } : {};
	return await server.send<Record<string, unknown>>(
		path,
		{ method, headers: { 'Content-Type': 'application/json', ...bearer(token) }, ...body },
		url,
	);
};
const protectionOf = async (at: At) => (await send('/Account/GetProtection', {}, at, 'GET')).body.result;
const bet = async (at: At, stake = 100) =>
	(await send(`/${CALLS.placeBetV2.path}`, betOn(await openTestMatch(server), { stake }), at)).code;
const pay = async (at: At, amount: number) =>
	(await send(`/${CALLS.generatePayment.path}`, { amount, clientRequestId: freshRequestId() }, at)).code;

const claim = (at: At) => send(`/${CALLS.claimBonus.path}?id=coins`, {}, at, 'GET');

/** A player with a proven mobile, and a stranger who registered the same mobile where no code is asked for. */
async function victimAndStranger() {
	const victim = { ...(await signUp(server)), url: server.url };
	const stranger = await signUpElsewhere(server, victim.mobile, { proves: false });
	return { victim, stranger };
}

describe('a stranger who registers the mobile of another player', () => {
	it('limits, breaks and excludes its own account alone', async () => {
		const { victim, stranger } = await victimAndStranger();
		await send('/Account/SetLimits', { stake: 50, depositDay: 100 }, stranger);
		await send('/Account/TakeTimeOut', { hours: 1008 }, stranger);
		await send('/Account/ExcludeSelf', { months: 60, password: PASSWORD }, stranger);
		expect(await bet(stranger)).toBe('EXCLUDED');
		expect([await bet(victim), await pay(victim, 500)]).toEqual([null, null]);
		expect(await protectionOf(victim)).toMatchObject({
			excludedUntil: null,
			timeOutUntil: null,
			isHeldByMobile: false,
		});
		// Nor does it hold for an account that is made later.
		expect(await bet({ ...(await signUp(server, { mobile: victim.mobile })), url: server.url })).toBeNull();
	});

	it('is shown no deposit, limit or break of the other account, and bears them', async () => {
		const { victim, stranger } = await victimAndStranger();
		await server.result('setLimits', { stake: 150, depositDay: 5_000 }, victim.token);
		expect(await pay(victim, 3_000)).toBeNull();
		const shown = await protectionOf(stranger);
		expect(shown).toMatchObject({ holdsForAll: false, isHeldByMobile: true, mobile: { isProven: false } });
		const limits = shown?.['limits'] as { name: string; limit: number | null; used: number | null }[];
		expect(limits.find(({ name }) => name === 'stake')).toMatchObject({ limit: null });
		expect(limits.find(({ name }) => name === 'depositDay')).toMatchObject({ limit: 50_000, used: 0 });
		const refused = await send(
			`/${CALLS.placeBetV2.path}`,
			betOn(await openTestMatch(server), { stake: 101 }),
			stranger,
		);
		expect(refused.body.error).toMatchObject({ code: 'STAKE_LIMIT', details: {} });
		expect(refused.body.error?.details).toEqual({});
		// Trying tells no figure: 150 holds as 100 here.
		expect([await bet(stranger, 100), await bet(victim, 150)]).toEqual([null, null]);
		// Its own deposits count for it alone.
		expect([await pay(stranger, 5_001), await pay(stranger, 4_000), await pay(victim, 2_000)]).toEqual([
			'DEPOSIT_LIMIT',
			null,
			null,
		]);
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, victim.token);
		const barred = await send(`/${CALLS.placeBetV2.path}`, betOn(await openTestMatch(server)), stranger);
		expect(barred.code).toBe('EXCLUDED');
		expect(barred.body.error?.details).not.toHaveProperty('until');
		expect(await protectionOf(stranger)).toMatchObject({ excludedUntil: null });
	});

	it('is shown none of the messages to the owner, of whatever brand', async () => {
		const { victim, stranger } = await victimAndStranger();
		const there = await signUpElsewhere(server, victim.mobile);
		const asked = { userNameOrEmailAddress: victim.userName, by: 'MOBILE' } as const;
		expect((await server.call('sendResetCode', asked)).code).toBeNull();
		const messagesOf = async (at: At) => {
			const { files } = (await send('/Account/ExportData', {}, at, 'GET')).body.result as ResultOf<Calls['exportData']>;
			return files.find(({ name }) => name === 'messages.csv')?.csv.split('\r\n') ?? [];
		};
		expect(await messagesOf(stranger)).toEqual(['at,state']);
		// The owner reads on each brand what that brand sent: the codes of the sign-up and for a new password, and the proof’s.
		expect([(await messagesOf(victim)).length, (await messagesOf(there)).length]).toEqual([3, 2]);
	});

	it('takes no bonus from the owner, holds up no withdrawal, and keeps nobody out of a brand', async () => {
		const campaign = { id: 'coins', title: 'Coins', kind: 'FREE_COINS', amount: 50, budget: 100_000 };
		const set = (host: string, field: string, value: unknown) =>
			server.act('brand-set', { host, field, value: JSON.stringify(value) });
		const before = server.running.brands.byHost('127.0.0.1')?.setting;
		await set('127.0.0.1', 'campaigns', [campaign]);
		const mobile = '+919111100001';
		const stranger = await signUpElsewhere(server, mobile, { proves: false });
		expect((await claim(stranger)).code).toBeNull();
		const owner = await signUpElsewhere(server, mobile);
		expect((await claim(owner)).code).toBeNull();
		const details = { method: 'UPI', upiId: 'owner@bank' };
		const taken = { amount: 500, details, clientRequestId: freshRequestId() };
		await send(`/${CALLS.createWithdrawal.path}`, taken, owner);
		const { rows } = await server.database.db.query<{ doubts: string[] }>(
			`select data -> 'doubts' as doubts from workflow where kind = 'WITHDRAWAL' and wallet_id = $1`,
			[owner.userId],
		);
		expect(rows[0]?.doubts).not.toContain('LINKED_ACCOUNTS');
		// Where a mobile has one account, a code counts more than a word.
		const other = '+919111100002';
		await signUpElsewhere(server, other, { proves: false });
		await set('127.0.0.1', 'oneAccountPerMobile', true);
		await expect(signUpElsewhere(server, other, { proves: false })).rejects.toThrow('MOBILE_TAKEN');
		await set('127.0.0.1', 'skipVerification', false);
		const form = { userName: 'the-owner', mobile: other, password: PASSWORD };
		await server.callElsewhere('register', { ...form, confirmPassword: PASSWORD, referralCode: '' });
		const otp = await codeSentTo(server, other);
		expect(
			(await server.callElsewhere('verificationUser', { userName: 'the-owner', mobile: other, otp })).code,
		).toBeNull();
		for (const field of ['campaigns', 'oneAccountPerMobile', 'skipVerification'] as const)
			await set('127.0.0.1', field, before?.[field]);
	});
});

describe('proving the mobile', () => {
	it('proveMobile: success, what either account chose holds for both from then on', async () => {
		const { victim: here, stranger: there } = await victimAndStranger();
		await server.result('setLimits', { stake: 400 }, here.token);
		await send('/Account/TakeTimeOut', { hours: 48 }, there);
		expect(await bet(here)).toBeNull();
		await proveMobile(server, there, here.mobile);
		expect(await bet(here)).toBe('TIMED_OUT');
		const shown = await protectionOf(there);
		expect(shown).toMatchObject({ holdsForAll: true, isHeldByMobile: false, mobile: { isProven: true } });
		const limits = shown?.['limits'] as { name: string; limit: number | null }[];
		expect(limits.find(({ name }) => name === 'stake')).toMatchObject({ limit: 400 });
		const { rows } = await server.database.db.query('select 1 from journal where act = $1 and subject = $2', [
			'MOBILE_PROVEN',
			`player ${there.userId}`,
		]);
		expect(rows).toHaveLength(1);
	});

	it('proveMobile: success, an exclusion from before holds for later accounts, too', async () => {
		const mobile = '+919111100003';
		const first = await signUpElsewhere(server, mobile, { proves: false });
		await send('/Account/ExcludeSelf', { months: 6, password: PASSWORD }, first);
		expect(await bet({ ...(await signUp(server, { mobile })), url: server.url })).toBeNull();
		await proveMobile(server, first, mobile);
		expect(await bet({ ...(await signUp(server, { mobile })), url: server.url })).toBe('EXCLUDED');
	});

	it('sendMobileCode: success, to another mobile while none is proven', async () => {
		const player = await signUpElsewhere(server, '+919111100004', { proves: false });
		await send('/Account/SendMobileCode', {}, player);
		const ofStated = await codeSentTo(server, '+919111100004');
		expect(ofStated).toMatch(/^\d{6}$/);
		const { body } = await send('/Account/SendMobileCode', { mobile: '9111100005', password: PASSWORD }, player);
		expect(body.result).toEqual({ masked: '••••••0005' });
		expect((await send('/Account/ProveMobile', { otp: ofStated }, player)).code).toBe('WRONG_CODE');
		const otp = await codeSentTo(server, '+919111100005');
		expect((await send('/Account/ProveMobile', { otp }, player)).body.result).toMatchObject({
			mobile: { masked: '••••••0005', isProven: true },
		});
		expect((await send('/Account/ProveMobile', { otp }, player)).code).toBe('WRONG_CODE');
	});

	it('sendMobileCode: refusal of another mobile without the right password: a code to it would set a new one', async () => {
		const [stated, other] = ['+919111100009', '+919111100010'];
		const thief = await signUpElsewhere(server, stated, { proves: false });
		for (const password of ['not it 1!', undefined])
			expect((await send('/Account/SendMobileCode', { mobile: other, password }, thief)).code).toBe('WRONG_PASSWORD');
		const { db } = server.database;
		expect((await db.query('select from outbox where mobile = $1', [other])).rows).toEqual([]);
		expect((await db.query('select from mobile_proof where player_id = $1', [thief.userId])).rows).toEqual([]);
		// The account's own takes none, written in whichever form.
		for (const input of [{}, { mobile: stated.slice(3) }])
			expect((await send('/Account/SendMobileCode', input, thief)).code).toBeNull();
	});

	it('sendMobileCode: refusal of another mobile to an account that an operator made, without the password', async () => {
		const userName = `made-${process.pid}`;
		await server.act('create-player', { userName, password: PASSWORD, host: 'localhost' });
		const { body } = await server.call('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD });
		const ask = async (password: string) =>
			(await server.call('sendMobileCode', { mobile: '9111100011', password }, body.result?.accessToken)).code;
		expect([await ask('not it 1!'), await ask(PASSWORD)]).toEqual(['WRONG_PASSWORD', null]);
	});

	it('proveMobile: refusal after five guesses, all at once or not', async () => {
		const mobile = '+919111100006';
		const player = await signUpElsewhere(server, mobile, { proves: false });
		await send('/Account/SendMobileCode', {}, player);
		const otp = await codeSentTo(server, mobile);
		const wrong = otp === '123456' ? '654321' : '123456';
		const guesses = Array.from({ length: 5 }, () => send('/Account/ProveMobile', { otp: wrong }, player));
		expect((await Promise.all(guesses)).map(({ code }) => code)).toEqual(guesses.map(() => 'WRONG_CODE'));
		expect((await send('/Account/ProveMobile', { otp }, player)).code).toBe('WRONG_CODE');
	});

	it('proveMobile: success once, of the same code given twice at one instant', async () => {
		const mobile = '+919111100007';
		const player = await signUpElsewhere(server, mobile, { proves: false });
		await send('/Account/SendMobileCode', {}, player);
		const otp = await codeSentTo(server, mobile);
		const codes = (await Promise.all([1, 2].map(() => send('/Account/ProveMobile', { otp }, player)))).map(
			({ code }) => code,
		);
		expect(codes.sort()).toEqual(['WRONG_CODE', null].sort());
	});

	it('sendMobileCode: refusal of a proven mobile, to demo players, and of no mobile', async () => {
		const [player, demo] = [await signUp(server), await server.demoPlayer()];
		expect((await server.call('sendMobileCode', {}, player.token)).code).toBe('WRONG_STATE');
		expect((await server.call('sendMobileCode', {}, demo.token)).code).toBe('FORBIDDEN');
	});

	it('proveMobile: refusal of a mobile that another account proved, where a mobile has one account', async () => {
		const set = (value: string) => server.act('brand-set', { host: '127.0.0.1', field: 'oneAccountPerMobile', value });
		const [taken, free] = ['+919111100013', '+919111100014'];
		await signUpElsewhere(server, taken);
		const late = await Promise.all(
			['+919111100015', '+919111100016', free].map((mobile) => signUpElsewhere(server, mobile, { proves: false })),
		);
		await set('true');
		onTestFinished(async () => {
			await set('false');
		});
		const askFor = async (player: At, mobile: string) => {
			await send('/Account/SendMobileCode', { mobile, password: PASSWORD }, player);
			return await codeSentTo(server, mobile);
		};
		const prove = async (player: At, otp: string) => (await send('/Account/ProveMobile', { otp }, player)).code;
		const [first] = late;
		if (!first) throw new Error('nobody signed up');
		expect(await prove(first, await askFor(first, taken))).toBe('MOBILE_TAKEN');
		// Of several at once, one of which states it since the sign-up, one proves it.
		const codes: string[] = [];
		for (const player of late) codes.push(await askFor(player, free));
		const answers = await Promise.all(late.map((player, at) => prove(player, codes[at] ?? '')));
		expect(answers.toSorted()).toEqual(['MOBILE_TAKEN', 'MOBILE_TAKEN', null]);
	});

	it('an account whose code was in the answer, and not in a message, has proven nothing', async () => {
		const { rows } = await server.database.db.query<{ proven: boolean }>(
			`select bool_or(mobile_verified_at is not null) as proven from player where player_id = $1`,
			[(await signUpElsewhere(server, '+919111100008', { proves: false })).userId],
		);
		expect(rows).toEqual([{ proven: false }]);
	});

	it.each([
		['sendMobileCode: not logged in', 'sendMobileCode'],
		['proveMobile: not logged in', 'proveMobile'],
	] as const)('%s', async (_, call) => {
		expect((await server.raw(call, {})).status).toBe(401);
	});
});
