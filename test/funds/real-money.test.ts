/** Real money is closed by four gates, each at each way in: bets, rounds, deposits and withdrawals. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { answered, TestServer } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
	server = await TestServer.start(undefined, { trustedProxies: ['127.0.0.1', '::1'] });
	const brand = { host: 'localhost', pool: 'REAL' as const };
	await server.running.players.createPlayer({ userName: 'real-player', password: PASSWORD, brand });
	const login = { userNameOrEmailAddress: 'real-player', password: PASSWORD };
	token = (await server.result('authenticate', login)).accessToken;
	await server.beginSeeds({ token });
});
afterAll(() => server.dispose());

/** Through a proxy that knows the country of the address. */
async function from(country: string | null, name: CallName, input: object, by = token): Promise<unknown> {
	const { body } = await answered(
		await fetch(`${server.url}/${CALLS[name].path}`, {
			method: 'POST',
			body: JSON.stringify({ ...input, clientRequestId: freshRequestId() }),
			headers: {
				'Content-Type': 'application/json',
				Authorization: `Bearer ${by}`,
				...(country === null ? {} : { 'X-Forwarded-For': '203.0.113.7', 'X-Country': country }),
			},
		}),
	);
	return (body.error?.details as { gate?: string } | undefined)?.gate ?? body.error?.code ?? null;
}

/** The answer of each way in: the closed gate, or the refusal behind all gates. */
async function waysIn(country: string | null): Promise<Record<string, unknown>> {
	const { clientRequestId: _, ...bet } = betOn(await openTestMatch(server), {});
	const receipt = { amount: 500, utr: '412345678901', imageRef: 'none' };
	const withdrawal = { amount: 500, details: { method: 'UPI', upiId: 'asha@bank' } };
	return {
		bet: await from(country, 'placeBetV2', bet),
		round: await from(country, 'playRound', { game: 'dice', bets: [{ stake: 10, bet: 'under-5000' }] }),
		payment: await from(country, 'generatePayment', { amount: 500 }),
		receipt: await from(country, 'createDeposit', receipt),
		withdrawal: await from(country, 'createWithdrawal', withdrawal),
	};
}
const allAt = (gate: string) => ({ bet: gate, round: gate, payment: gate, receipt: gate, withdrawal: gate });
const set = async (field: string, value: string) =>
	expect((await server.operator('brand-set', { host: 'localhost', field: `realMoney.${field}`, value })).status).toBe(
		200,
	);
/** The market has no book for real money, the wallet none, the simulator pays none, and there is no such picture. */
const OPEN = {
	bet: 'FORBIDDEN',
	round: 'INSUFFICIENT_FUNDS',
	payment: 'PAYMENT_UNAVAILABLE',
	receipt: 'NOT_FOUND',
	withdrawal: 'PAYMENT_UNAVAILABLE',
};

it('asks a demo player for no identity and for no country: the first bet and the first round are taken from anywhere', async () => {
	const demo = await server.demoPlayer();
	await server.beginSeeds(demo);
	const match = await openTestMatch(server);
	for (const country of [null, 'FR']) {
		const { clientRequestId: _, ...bet } = betOn(match, {});
		expect(await from(country, 'placeBetV2', bet, demo.token)).toBeNull();
		const round = { game: 'dice', bets: [{ stake: 10, bet: 'under-5000' }] };
		expect(await from(country, 'playRound', round, demo.token)).toBeNull();
	}
});

it('opens when licence, countries, identity and location are there, and is closed by each that is not', async () => {
	expect(await waysIn('GB')).toEqual(allAt('LICENCE'));
	await set('licence', 'LIC-1');
	expect(await waysIn('GB')).toEqual(allAt('COUNTRY'));
	await set('countries', '["GB"]');
	expect(await waysIn('GB')).toEqual(allAt('IDENTITY'));
	await set('identity', 'OPERATOR');
	expect(await waysIn('GB')).toEqual(allAt('IDENTITY'));
	const identified = { userName: 'real-player', host: 'localhost' };
	expect((await server.operator('verify-identity', { ...identified, age: 17 })).code).toBe('VALIDATION_FAILED');
	expect((await server.operator('verify-identity', { ...identified, age: 18 })).status).toBe(200);
	const somewhere = { ...allAt('LOCATION'), withdrawal: OPEN.withdrawal };
	expect(await waysIn('GB')).toEqual(somewhere);
	await set('location', 'PROXY');
	expect(await waysIn('FR')).toEqual(somewhere);
	expect(await waysIn(null)).toEqual(somewhere);
	expect(await waysIn('GB')).toEqual(OPEN);
	await set('licence', '');
	expect(await waysIn('GB')).toEqual(allAt('LICENCE'));
});

it('believes no country that a client writes itself', async () => {
	await set('licence', 'LIC-1');
	const { clientRequestId: _, ...bet } = betOn(await openTestMatch(server), {});
	const response = await fetch(`${server.url}/${CALLS.placeBetV2.path}`, {
		method: 'POST',
		body: JSON.stringify({ ...bet, clientRequestId: freshRequestId() }),
		headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Country': 'GB' },
	});
	expect((await answered(response)).body.error?.details).toEqual({ gate: 'LOCATION' });
});

it('is closed to a member of staff, who can withdraw, until the brand lets staff play or the account is no member’s', async () => {
	const real = { userName: 'real-player', host: 'localhost' };
	expect(await waysIn('GB')).toEqual(OPEN);
	await server.act('staff-add', { name: 'Kiran', roles: ['support'] });
	await server.act('staff-player-link', { name: 'kiran', ...real });
	const asStaff = { ...allAt('STAFF'), withdrawal: OPEN.withdrawal };
	expect(await waysIn('GB')).toEqual(asStaff);
	await set('staffMayPlay', 'true');
	expect(await waysIn('GB')).toEqual(OPEN);
	await set('staffMayPlay', 'false');
	expect(await waysIn('GB')).toEqual(asStaff);
	await server.act('staff-player-unlink', { name: 'kiran', ...real });
	expect(await waysIn('GB')).toEqual(OPEN);
});
