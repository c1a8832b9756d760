/** Player protection through the calls: limits, breaks, exclusion, closure, held money, the export. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ANSWER_MS, answerAfter } from '#server/people/players/evenly.ts';
import { DAY_MS } from '#values/time.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { bearer, type Player, type TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { codeSentTo, PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const bet = async (player: Player, changes: Record<string, unknown> = {}) =>
	(await server.call('placeBetV2', betOn(await openTestMatch(server), changes), player.token)).code;
const pay = async (player: Player, amount: number) =>
	(await server.call('generatePayment', { amount, clientRequestId: freshRequestId() }, player.token)).code;
const play = async (player: Player, stake: number) =>
	(
		await server.raw(
			'playRound',
			{ game: 'dice', bets: [{ stake, bet: 'under-5000' }], clientRequestId: freshRequestId() },
			player.token,
		)
	).code;
/** Asked for by the player and approved. @returns the state in which it ends */
async function withdrawn({ token }: Player, amount: number): Promise<string> {
	const details = { method: 'UPI', upiId: 'asha@bank' } as const;
	const { id: spoken } = await server.result(
		'createWithdrawal',
		{ amount, details, clientRequestId: freshRequestId() },
		token,
	);
	const id = Number(spoken.split('-')[1]);
	const { decisions, ledger } = server.running.funds;
	await decisions.decide({ kind: 'WITHDRAWAL', id, event: 'approve', operator: 'asha', reason: '' });
	const state = async () => (await ledger.find('WITHDRAWAL', id)).state;
	await expect.poll(state).toMatch(/PAID|FAILED|REJECTED/);
	return await state();
}
const limitOf = async (player: Player, name: string) =>
	(await server.result('getProtection', {}, player.token)).limits.find((limit) => limit.name === name);
/** As if a day had passed since the raise was asked for. */
const aDayLater = async ({ userId }: Player, name: 'stake' | 'depositDay') => {
	const raise = server.running.funds.protection.of(userId).raises[name];
	if (raise) raise.confirmableFromMs = 0;
};

describe('limits', () => {
	it('setLimits: success, a lower limit counts at once, a higher one after a day and a confirmation', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { stake: 500 }, player.token);
		expect(await bet(player, { stake: 501 })).toBe('STAKE_LIMIT');
		expect(await bet(player, { stake: 500 })).toBeNull();
		await server.result('setLimits', { stake: 1_000 }, player.token);
		expect(await limitOf(player, 'stake')).toMatchObject({ limit: 500, raise: { amount: 1_000 } });
		expect(await bet(player, { stake: 501 })).toBe('STAKE_LIMIT');
		expect((await server.call('confirmLimit', { name: 'stake' }, player.token)).code).toBe('WRONG_STATE');
		await aDayLater(player, 'stake');
		await server.result('confirmLimit', { name: 'stake' }, player.token);
		expect(await bet(player, { stake: 1_000 })).toBeNull();
	});

	it('setLimits: success, a loss limit counts actual and possible losses', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { lossDay: 1_000 }, player.token);
		const match = await openTestMatch(server);
		const back = (stake: number, changes = {}) =>
			server.call('placeBetV2', betOn(match, { stake, ...changes }), player.token);
		expect((await back(600)).code).toBeNull();
		const codes = (await Promise.all([back(400), back(400), back(400)])).map(({ code }) => code);
		expect(codes.filter((code) => code === null)).toHaveLength(1);
		expect((await back(100, { side: 'LAY', price: 3, runnerId: match.runnerIds[1] })).code).toBe('LOSS_LIMIT');
		await server.result('cancelAll', { clientRequestId: freshRequestId() }, player.token);
		expect((await back(900)).code).toBeNull();
		const rival = await signUp(server);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', stake: 900 }), rival.token);
		await match.settle(1);
		expect(await limitOf(player, 'lossDay')).toMatchObject({ used: 900 });
		expect([await bet(player, { stake: 101 }), await bet(player, { stake: 100 })]).toEqual(['LOSS_LIMIT', null]);
	});

	it('setLimits: success, a deposit limit is shared by orders and counts at once', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { depositDay: 1_000 }, player.token);
		expect(await pay(player, 800)).toBeNull();
		expect(await pay(player, 300)).toBe('DEPOSIT_LIMIT');
		expect(await limitOf(player, 'depositDay')).toMatchObject({ limit: 1_000, used: 800 });
	});

	it('setLimits: refusal of an invalid amount, and to demo players', async () => {
		const [player, demo] = [await signUp(server), await server.demoPlayer()];
		expect((await server.raw('setLimits', { stake: -1 }, player.token)).code).toBe('VALIDATION_FAILED');
		expect((await server.call('setLimits', { stake: 10 }, demo.token)).code).toBe('FORBIDDEN');
	});

	it('confirmLimit: success only for a requested raise', async () => {
		const player = await signUp(server);
		expect((await server.call('confirmLimit', { name: 'depositDay' }, player.token)).code).toBe('WRONG_STATE');
		await server.result('setLimits', { depositDay: 60_000 }, player.token);
		await aDayLater(player, 'depositDay');
		await server.result('confirmLimit', { name: 'depositDay' }, player.token);
		expect(await limitOf(player, 'depositDay')).toMatchObject({ limit: 60_000, raise: null });
	});
	it('confirmLimit: refusal of a limit there is none of', async () => {
		const { token } = await signUp(server);
		expect((await server.raw('confirmLimit', { name: 'sleep' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('survive a restart', async () => {
		const player = await signUp(server);
		const second = await signUp(server, { mobile: player.mobile });
		await server.result('setLimits', { stake: 500 }, player.token);
		await server.result('takeTimeOut', { hours: 24 }, player.token);
		server = await restartShared();
		for (const account of [player, second]) {
			expect(await limitOf(account, 'stake')).toMatchObject({ limit: 500 });
			expect(await bet(account)).toBe('TIMED_OUT');
		}
	});
});

describe('breaks', () => {
	it('takeTimeOut: success, no bets, rounds or deposits, on any login, and withdrawing stays possible', async () => {
		const player = await signUp(server);
		const login = { userNameOrEmailAddress: player.userName, password: PASSWORD };
		const { accessToken } = await server.result('authenticate', login);
		const { timeOutUntil } = await server.result('takeTimeOut', { hours: 48 }, player.token);
		expect(Date.parse(timeOutUntil ?? '')).toBeGreaterThan(Date.now() + 47 * 3_600_000);
		for (const token of [player.token, accessToken]) {
			expect(await bet({ ...player, token })).toBe('TIMED_OUT');
			expect(await pay({ ...player, token }, 500)).toBe('TIMED_OUT');
		}
		const withdrawal = {
			amount: 500,
			details: { method: 'UPI', upiId: 'asha@bank' },
			clientRequestId: freshRequestId(),
		} as const;
		expect((await server.call('createWithdrawal', withdrawal, player.token)).code).toBeNull();
		await server.result('takeTimeOut', { hours: 24 }, player.token);
		expect((await server.result('getProtection', {}, player.token)).timeOutUntil).toBe(timeOutUntil);
	});

	it('takeTimeOut: refusal of less than a day', async () => {
		const { token } = await signUp(server);
		expect((await server.raw('takeTimeOut', { hours: 1 }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('excludeSelf: success, for half a year, in later accounts of the same mobile, and unmatched bets are cancelled', async () => {
		const player = await signUp(server);
		expect(await bet(player, { stake: 1_000 })).toBeNull();
		const excluded = await server.result('excludeSelf', { months: 6, password: PASSWORD }, player.token);
		expect(Date.parse(excluded.excludedUntil ?? '')).toBeGreaterThan(Date.now() + 180 * DAY_MS);
		expect(server.money(player)).toEqual([20_000, 0]);
		expect(await bet(player)).toBe('EXCLUDED');
		const again = await signUp(server, { mobile: player.mobile });
		expect(await bet(again)).toBe('EXCLUDED');
		expect(await pay(again, 500)).toBe('EXCLUDED');
	});

	it('leave the way out open: an excluded player withdraws the cleared balance, and it is paid', async () => {
		const player = await signUp(server);
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, player.token);
		expect(await bet(player)).toBe('EXCLUDED');
		expect(await withdrawn(player, 20_000)).toBe('PAID');
		expect(server.money(player)).toEqual([0, 0]);
	});

	it('excludeSelf: refusal without the password', async () => {
		const { token } = await signUp(server);
		expect((await server.call('excludeSelf', { months: 6, password: 'wrong' }, token)).code).toBe('WRONG_PASSWORD');
	});

	it('closeAccount: success, no bets or deposits any more', async () => {
		const player = await signUp(server);
		await server.result('closeAccount', { password: PASSWORD }, player.token);
		expect([await bet(player), await pay(player, 500)]).toEqual(['ACCOUNT_CLOSED', 'ACCOUNT_CLOSED']);
	});
	it('closeAccount: refusal without the password', async () => {
		const { token } = await signUp(server);
		expect((await server.call('closeAccount', { password: 'wrong' }, token)).code).toBe('WRONG_PASSWORD');
	});
});

it('getProtection: success with the domain’s defaults for a player without own limits', async () => {
	const { token } = await signUp(server);
	const { limits, netDeposits, realityCheckMinutes } = await server.result('getProtection', {}, token);
	expect(limits.filter(({ limit }) => limit !== null).map(({ name, limit }) => [name, limit])).toEqual([
		['depositDay', 50_000],
		['depositWeek', 200_000],
		['depositMonth', 500_000],
	]);
	expect([netDeposits, realityCheckMinutes]).toEqual([0, 60]);
});

it('getProtection: success, net deposits are all that was paid in less all that was paid out', async () => {
	const player = await signUp(server);
	const net = async () => (await server.result('getProtection', {}, player.token)).netDeposits;
	for (const amount of [500, 800]) expect(await pay(player, amount)).toBeNull();
	await expect.poll(net).toBe(1_300);
	expect(await withdrawn(player, 2_000)).toBe('PAID');
	await expect.poll(net).toBe(-700);
	// What is won, lost or given counts in neither.
	await server.beginSeeds(player);
	expect(await play(player, 100)).toBeNull();
	expect(await net()).toBe(-700);
});

it('getHeldMoney: success, each market with its bets', async () => {
	const player = await signUp(server);
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { stake: 300 }), player.token);
	await server.result(
		'placeBetV2',
		betOn(match, { side: 'LAY', price: 3, stake: 50, runnerId: match.runnerIds[1] }),
		player.token,
	);
	const held = await server.result('getHeldMoney', {}, player.token);
	expect([held.exposure, held.hold]).toEqual([server.money(player)[1], 0]);
	expect(held.markets).toMatchObject([{ marketId: match.marketId, held: held.exposure }]);
	expect(held.markets[0]?.bets).toHaveLength(2);
});

it('getHeldMoney: success, a trigger is held for before it places its bet', async () => {
	const player = await signUp(server);
	const match = await openTestMatch(server);
	const lay = { ...betOn(match, { side: 'LAY', price: 3, stake: 50 }), moves: 'FALLS', at: 2 } as const;
	const { triggerId } = await server.result('placeTrigger', lay as never, player.token);
	const held = await server.result('getHeldMoney', {}, player.token);
	expect(held).toMatchObject({
		exposure: 100,
		markets: [
			{ marketId: match.marketId, held: 100, bets: [], triggers: [{ triggerId, side: 'LAY', liability: 100 }] },
		],
	});
});

it('exportData: success with every file, and no formula in a cell', async () => {
	const player = await signUp(server);
	await pay(player, 500);
	const { files } = await server.result('exportData', {}, player.token);
	expect(files.map(({ name }) => name)).toContain('statement.csv');
	expect(files.find(({ name }) => name === 'statement.csv')?.csv).toContain('COINS');
	expect(files.find(({ name }) => name === 'account.csv')?.csv).toContain(player.userName);
	for (const { csv } of files) expect(csv).not.toMatch(/(^|,)"?[=@]/m);
	expect(JSON.stringify(files)).not.toContain('password');
});

it.each([
	['getProtection: not logged in', 'getProtection'],
	['setLimits: not logged in', 'setLimits'],
	['confirmLimit: not logged in', 'confirmLimit'],
	['takeTimeOut: not logged in', 'takeTimeOut'],
	['excludeSelf: not logged in', 'excludeSelf'],
	['closeAccount: not logged in', 'closeAccount'],
	['getHeldMoney: not logged in', 'getHeldMoney'],
	['exportData: not logged in', 'exportData'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, {})).status).toBe(401);
});

it.each([
	['getProtection: refusal of a login that has ended', 'getProtection'],
	['getHeldMoney: refusal of a login that has ended', 'getHeldMoney'],
	['exportData: refusal of a login that has ended', 'exportData'],
] as const)('%s', async (_, call) => {
	const { token } = await signUp(server);
	await server.result('logout', {}, token);
	expect((await server.call(call, {}, token)).code).toBe('LOGIN_EXPIRED');
});

it('a loss limit and a break hold for rounds of the casino, too', async () => {
	const player = await signUp(server);
	await server.beginSeeds(player);
	await server.result('setLimits', { stake: 50 }, player.token);
	expect(await play(player, 51)).toBe('STAKE_LIMIT');
	await server.result('takeTimeOut', { hours: 24 }, player.token);
	expect(await play(player, 10)).toBe('TIMED_OUT');
});

describe('a person with several accounts', () => {
	/** Accounts of one mobile on both brands, and the codes of what they ask for. */
	const onBothBrands = async () => {
		const here = { ...(await signUp(server)), url: server.url };
		const there = await signUpElsewhere(server, here.mobile);
		return { here, there, accounts: [here, there] };
	};
	const codeOf = async (path: string, input: object, { url, token }: { url: string; token: string }) => {
		const headers = { 'Content-Type': 'application/json', ...bearer(token) };
		const body = JSON.stringify({ ...input, clientRequestId: freshRequestId() });
		return (await server.send(`/${path}`, { method: 'POST', body, headers }, url)).code;
	};

	it('has one set of limits on all brands, lowered at once and raised after a day', async () => {
		const { here, there, accounts } = await onBothBrands();
		await server.result('setLimits', { stake: 500 }, here.token);
		const stake = async (amount: number, account: (typeof accounts)[number]) =>
			codeOf('Bet/PlaceBetV2', betOn(await openTestMatch(server), { stake: amount }), account);
		for (const account of accounts) expect(await stake(501, account)).toBe('STAKE_LIMIT');
		const setting = { 'Content-Type': 'application/json', ...bearer(there.token) };
		const raise = { method: 'POST', body: JSON.stringify({ stake: 1_000 }), headers: setting };
		await server.send('/Account/SetLimits', raise, there.url);
		for (const account of accounts) expect(await stake(501, account)).toBe('STAKE_LIMIT');
		await aDayLater(here, 'stake');
		await aDayLater(there, 'stake');
		await server.result('confirmLimit', { name: 'stake' }, here.token);
		for (const account of accounts) expect(await stake(1_000, account)).toBeNull();
	});

	it('shares the room of a deposit limit, even between orders at the same instant', async () => {
		const { here, accounts } = await onBothBrands();
		await server.result('setLimits', { depositDay: 1_000 }, here.token);
		const orders = [...accounts, ...accounts].map((account) =>
			codeOf('api/Payment/Generate', { amount: 600 }, account),
		);
		expect((await Promise.all(orders)).filter((code) => code === null)).toHaveLength(1);
		expect(await limitOf(here, 'depositDay')).toMatchObject({ used: 600 });
	});

	it('takes a break everywhere, with an account that is made during it, too', async () => {
		const { here, there } = await onBothBrands();
		await server.result('takeTimeOut', { hours: 24 }, here.token);
		expect(await codeOf('api/Payment/Generate', { amount: 500 }, there)).toBe('TIMED_OUT');
		expect(await bet(await signUp(server, { mobile: here.mobile }))).toBe('TIMED_OUT');
	});

	it('is known by a document under another mobile, and stays excluded', async () => {
		const verify = (userName: string, document: string) =>
			server.operator('verify-identity', { userName, host: 'localhost', age: 30, document });
		const [player, other] = [await signUp(server), await signUp(server)];
		await verify(player.userName, 'passport Z 1234567');
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, player.token);
		expect(await bet(other)).toBeNull();
		await verify(other.userName, 'Passport Z1234567');
		expect(await bet(other)).toBe('EXCLUDED');
		const { rows } = await server.database.db.query(
			`select 1 from journal where row_to_json(journal)::text ilike '%1234567%'`,
		);
		expect(rows).toEqual([]);
	});

	it('takes no risk with an account that is used before its registration is answered', async () => {
		answerAfter(ANSWER_MS);
		onTestFinished(() => answerAfter(0));
		const { mobile, token } = await signUp(server);
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, token);
		const who = { userName: `again-${process.pid}`, mobile };
		const form = { ...who, password: PASSWORD, confirmPassword: PASSWORD, referralCode: '' };
		await server.result('register', form);
		const otp = await codeSentTo(server, mobile);
		const match = await openTestMatch(server);
		const registering = server.result('verificationUser', { ...who, otp });
		let answer = await server.call('authenticate', { userNameOrEmailAddress: who.userName, password: PASSWORD });
		while (answer.code !== null)
			answer = await server.call('authenticate', { userNameOrEmailAddress: who.userName, password: PASSWORD });
		const early = answer.body.result?.accessToken ?? '';
		expect((await server.call('placeBetV2', betOn(match), early)).code).toBe('EXCLUDED');
		await registering;
	});
});
