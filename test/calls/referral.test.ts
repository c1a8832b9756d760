/** Referrals: linked at registration, qualified by a deposit and wagering, claimed once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '#values/time.ts';
import { disputeAll, endDisputes } from '../support/disputes.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { cookiesAfterLogin, PASSWORD, signUp } from '../support/sign-up.ts';

/** Of a referral of the player's own: the evidence is for operators. */
const NOT_COUNTED = 'This invitation does not count.';
const RULES = { reward: 500, minDeposit: 500, minWagered: 300, maturityHours: 0, cap: 1 };

let server: TestServer;
let before: unknown;
const setRules = (rules: unknown) =>
	server.act('brand-set', { host: 'localhost', field: 'referral', value: JSON.stringify(rules) });
beforeAll(async () => {
	server = await sharedServer();
	before = server.brand.setting.referral;
	await setRules(RULES);
});
afterAll(() => setRules(before));

const codeOf = async (player: Player) => (await server.result('getReferrerCode', {}, player.token)).code;
const referralsOf = async (player: Player) => (await server.result('getReferralDetails', {}, player.token)).items;
const claim = (player: Player, id = '') => server.call('claimReferral', { userReferDetailId: id }, player.token);

/** @returns the deposit's id */
async function deposit(friend: Player): Promise<number> {
	const asked = { amount: 500, clientRequestId: freshRequestId() };
	const { orderId } = await server.result('generatePayment', asked, friend.token);
	const paid = async () => (await server.result('checkPayment', { orderId }, friend.token)).status;
	await expect.poll(paid).toBe('SUCCESS');
	return Number(orderId);
}

/** Deposits enough, and loses the amount to be wagered to a stranger. @returns the deposit's id */
async function qualify(friend: Player): Promise<number> {
	const paid = await deposit(friend);
	const [match, stranger] = [await openTestMatch(server), await signUp(server)];
	await server.result('placeBetV2', betOn(match, { stake: 300 }), friend.token);
	await server.result('placeBetV2', betOn(match, { stake: 300, side: 'LAY' }), stranger.token);
	await match.settle(1);
	return paid;
}

it('claimReferral: success once, when the friend has deposited and wagered; refused past the cap', async () => {
	const referrer = await signUp(server);
	const referralCode = await codeOf(referrer);
	const [friend, second] = [await signUp(server, { referralCode }), await signUp(server, { referralCode })];
	const [, linked] = await referralsOf(referrer);
	expect(linked).toMatchObject({ status: 'LINKED', canClaim: false, reward: 500 });
	expect((await claim(referrer, linked?.id)).code).toBe('WRONG_STATE');
	await qualify(friend);
	expect((await referralsOf(referrer))[1]).toMatchObject({ status: 'QUALIFIED', canClaim: true });
	const codes = await Promise.all([1, 2, 3].map(async () => (await claim(referrer, linked?.id)).code));
	expect(codes.sort()).toEqual(['WRONG_STATE', 'WRONG_STATE', null].sort());
	expect(server.money(referrer)).toEqual([20_500, 0]);
	await qualify(second);
	const [other] = await referralsOf(referrer);
	expect(other?.status).toBe('QUALIFIED');
	expect((await claim(referrer, other?.id)).code).toBe('REFERRAL_CAP');
});

it('is not claimed while the friend’s deposit is in dispute', async () => {
	const referrer = await signUp(server);
	const friend = await signUp(server, { referralCode: await codeOf(referrer) });
	const statusIs = async () => (await referralsOf(referrer))[0]?.status;
	const paid = await qualify(friend);
	await expect.poll(statusIs).toBe('QUALIFIED');
	const [{ id = '' } = {}] = await referralsOf(referrer);
	await disputeAll(server, paid);
	expect([(await claim(referrer, id)).code, await statusIs()]).toEqual(['WRONG_STATE', 'LINKED']);
	await endDisputes(server, paid, 'won');
	await expect.poll(statusIs).toBe('QUALIFIED');
	expect((await claim(referrer, id)).code).toBeNull();
	expect(server.money(referrer)).toEqual([20_500, 0]);
});

/** As if the deposit were paid that number of hours earlier. */
const age = (depositId: number, hours: number) =>
	server.database.db.query(
		`update workflow set data = jsonb_set(data, '{paidAtMs}', to_jsonb((data ->> 'paidAtMs')::bigint - $2::bigint))
		 where kind = 'PAYMENT' and id = $1`,
		[depositId, hours * HOUR_MS],
	);

it('is not claimed with a deposit that can still be charged back, in place of one that was', async () => {
	await setRules({ ...RULES, maturityHours: 24 });
	const referrer = await signUp(server);
	const friend = await signUp(server, { referralCode: await codeOf(referrer) });
	const statusIs = async () => (await referralsOf(referrer))[0]?.status;
	const paid = await qualify(friend);
	expect(await statusIs()).toBe('LINKED');
	await age(paid, 25);
	expect(await statusIs()).toBe('QUALIFIED');
	await age(paid, -25);
	const [{ id = '' } = {}] = await referralsOf(referrer);
	// What the friend qualified by stays, whatever the site asks of friends since.
	await setRules(RULES);
	await disputeAll(server, paid);
	await endDisputes(server, paid, 'lost');
	await deposit(friend);
	expect((await claim(referrer, id)).code).toBe('WRONG_STATE');
	expect(server.money(referrer)).toEqual([20_000, 0]);
});

it('is claimed although the site asks for older deposits since the friend qualified', async () => {
	const referrer = await signUp(server);
	const friend = await signUp(server, { referralCode: await codeOf(referrer) });
	await qualify(friend);
	const [{ id = '', status = '' } = {}] = await referralsOf(referrer);
	expect(status).toBe('QUALIFIED');
	await setRules({ ...RULES, maturityHours: 24 });
	expect((await claim(referrer, id)).code).toBeNull();
	await setRules(RULES);
	expect(server.money(referrer)).toEqual([20_500, 0]);
});

it('voids a player’s own referral, by the mobile', async () => {
	const referrer = await signUp(server);
	await signUp(server, { referralCode: await codeOf(referrer), mobile: referrer.mobile });
	expect(await referralsOf(referrer)).toMatchObject([{ status: 'VOID', note: NOT_COUNTED }]);
});

it('register: refusal of a referral code of nobody, of a demo player and of another brand', async () => {
	const form = (referralCode: string) => ({
		userName: `invited${freshRequestId().slice(-6)}`,
		password: PASSWORD,
		confirmPassword: PASSWORD,
		mobile: '+919812345670',
		referralCode,
	});
	const referrer = await signUp(server);
	const demo = server.running.funds.referrals.codeOf((await server.demoPlayer()).userId);
	const known = await codeOf(referrer);
	for (const code of ['REF0000000000', 'FRIEND-1', demo])
		expect((await server.call('register', form(code))).code).toBe('UNKNOWN_REFERRAL_CODE');
	expect((await server.callElsewhere('register', form(known))).body.error?.code).toBe('UNKNOWN_REFERRAL_CODE');
	expect((await server.call('register', form(known.toLowerCase()))).code).toBeNull();
});

it('voids a referral of the referrer’s own browser, at registration or when the friend logs in there', async () => {
	const referrer = await signUp(server);
	const referralCode = await codeOf(referrer);
	const cookies = await cookiesAfterLogin(server, referrer.userName);
	await signUp(server, { referralCode, cookies });
	expect(await referralsOf(referrer)).toMatchObject([{ status: 'VOID', note: NOT_COUNTED }]);
	const friend = await signUp(server, { referralCode });
	await qualify(friend);
	const [linked] = await referralsOf(referrer);
	expect(linked?.status).toBe('QUALIFIED');
	await cookiesAfterLogin(server, friend.userName, cookies);
	expect((await claim(referrer, linked?.id)).code).toBe('WRONG_STATE');
	expect((await referralsOf(referrer))[0]).toMatchObject({ status: 'VOID', note: NOT_COUNTED });
});

it('shows operators who invited a player, and which accounts share the browser', async () => {
	const referrer = await signUp(server);
	const friend = await signUp(server, { referralCode: await codeOf(referrer) });
	const other = await signUp(server);
	await cookiesAfterLogin(server, other.userName, await cookiesAfterLogin(server, friend.userName));
	const linkedTo = async ({ userId }: Player) => {
		const input = { playerId: String(userId) };
		const { body } = await server.operator<{ linked: { userName: string; why: string }[] }>('player', input);
		return body.result?.linked.map(({ userName, why }) => `${userName}: ${why}`).sort();
	};
	expect(await linkedTo(friend)).toEqual(
		[`${referrer.userName}: invited by`, `${other.userName}: same browser`].sort(),
	);
	expect(await linkedTo(referrer)).toEqual([`${friend.userName}: invited`]);
});

it('links a friend whose registration a crash interrupted, at the next start', async () => {
	const referrer = await signUp(server);
	const code = await codeOf(referrer);
	const friend = await signUp(server);
	// As a crash leaves it that comes after the row and before the referral.
	const { db } = server.database;
	server = await restartShared(() =>
		db.query('update player set referral_code = $2 where player_id = $1', [friend.userId, code]),
	);
	await expect.poll(async () => (await referralsOf(referrer)).map(({ status }) => status)).toEqual(['LINKED']);
	// The journal knows of no code.
	await db.query('update player set referral_code = null where player_id = $1', [friend.userId]);
});

it('does not believe a browser that names another player without the sealed cookie', async () => {
	const referrer = await signUp(server);
	const cookies = `known-device-${referrer.userId}=${'a'.repeat(16)}.${'b'.repeat(43)}`;
	await signUp(server, { referralCode: await codeOf(referrer), cookies });
	expect((await referralsOf(referrer))[0]?.status).toBe('LINKED');
});

it('voids a circle: the friend of a friend is the referrer again', async () => {
	const first = await signUp(server);
	const friend = await signUp(server, { referralCode: await codeOf(first) });
	await signUp(server, { referralCode: await codeOf(friend), mobile: first.mobile });
	expect(await referralsOf(friend)).toMatchObject([{ status: 'VOID', note: NOT_COUNTED }]);
	expect((await referralsOf(first))[0]?.status).toBe('LINKED');
});

it('claimReferral: refusal of another player’s referral', async () => {
	const [referrer, other] = [await signUp(server), await signUp(server)];
	await signUp(server, { referralCode: await codeOf(referrer) });
	const [linked] = await referralsOf(referrer);
	expect((await claim(other, linked?.id)).code).toBe('NOT_FOUND');
});

it('getReferrerCode: success, a code and the link that carries it', async () => {
	const player = await signUp(server);
	const { code, link, ...terms } = await server.result('getReferrerCode', {}, player.token);
	expect([link, terms]).toEqual([`https://localhost/?ref=${code}`, RULES]);
});
it('getReferrerCode: success, the link has the host by which the player came', async () => {
	const elsewhere = server.url.replace('localhost', '127.0.0.1');
	const { body } = await server.send<{ accessToken: string }>('/Account/LoginAsDemoUser', {}, elsewhere);
	const headers = { Authorization: `Bearer ${body.result?.accessToken}` };
	const answer = await server.send<{ link: string }>('/Referral/GetReferrerCode', { headers }, elsewhere);
	expect(answer.body.result?.link).toMatch(/^https:\/\/127\.0\.0\.1\/\?ref=REF/);
});
it('getReferralDetails: success for a player without invitations', async () => {
	expect(await server.result('getReferralDetails', {}, (await signUp(server)).token)).toEqual({
		totalCount: 0,
		items: [],
	});
});
it('getReferralDetails: refusal of a page that is too large', async () => {
	const { token } = await signUp(server);
	expect((await server.raw('getReferralDetails', { maxResultCount: 1_000 }, token)).code).toBe('VALIDATION_FAILED');
});
it('getReferrerCode: refusal of a login that has ended', async () => {
	const { token } = await signUp(server);
	await server.result('logout', {}, token);
	expect((await server.call('getReferrerCode', {}, token)).code).toBe('LOGIN_EXPIRED');
});
it.each([
	['getReferrerCode: not logged in', 'getReferrerCode'],
	['getReferralDetails: not logged in', 'getReferralDetails'],
	['claimReferral: not logged in', 'claimReferral'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, call === 'claimReferral' ? { userReferDetailId: '1' } : {})).status).toBe(401);
});
