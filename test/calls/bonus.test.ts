/** Bonuses: offered, claimed once, wagered by what could be lost, released, forfeited. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bonuses } from '#server/money/funds/bonuses/bonuses.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { ResultOf } from '../../src/contract/call.ts';
import { CALLS, type Calls } from '../../src/contract/registry.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { disputeAll, endDisputes } from '../support/disputes.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { cookiesAfterLogin, signUp } from '../support/sign-up.ts';

const CAMPAIGNS = [
	{ id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 200, wagering: 5, budget: 100_000 },
	{ id: 'small', title: 'Small', kind: 'WELCOME', amount: 200, wagering: 1, budget: 300 },
	{ id: 'first', title: 'First deposit', kind: 'FIRST_DEPOSIT', amount: 1_000, percent: 50, wagering: 2 },
];
let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, {
		payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} },
	});
	await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify(CAMPAIGNS) });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const claim = (player: Player, id: string) => server.call('claimBonus', { id }, player.token);
const bonusOf = async (player: Player, title: string) =>
	(await server.result('getBonuses', {}, player.token)).find((bonus) => bonus.title === title);
const bonusMoney = ({ userId }: Player) => (server.running.exchange.wallet(userId)?.bonus ?? 0) / 100;
type Match = Awaited<ReturnType<typeof openTestMatch>>;
/** Backs at 2, which another player lays. */
async function matched(match: Match, player: Player, stake: number, side: 'BACK' | 'LAY' = 'BACK') {
	const opposite = side === 'BACK' ? 'LAY' : 'BACK';
	await server.result('placeBetV2', betOn(match, { stake, side }), player.token);
	await server.result('placeBetV2', betOn(match, { stake, side: opposite }), (await rival()).token);
}
let rivalPlayer: Player | null = null;
const rival = async () => {
	rivalPlayer ??= await signUp(server);
	return rivalPlayer;
};

it('claimBonus: success, locked until the possible losses reach the wagering, then free', async () => {
	const player = await signUp(server);
	expect(await bonusOf(player, 'Welcome')).toMatchObject({ status: 'OFFERED', amount: 200, wageringRequired: 1_000 });
	expect((await claim(player, 'welcome')).body.result).toMatchObject({ status: 'ACTIVE', amount: 200 });
	expect([server.money(player)[0], bonusMoney(player)]).toEqual([20_000, 200]);
	const [one, other] = [await openTestMatch(server), await openTestMatch(server)];
	await matched(one, player, 600);
	await one.settle(1);
	expect(await bonusOf(player, 'Welcome')).toMatchObject({ status: 'ACTIVE', wageringDone: 600 });
	await matched(other, player, 400);
	await other.settle(0);
	await expect.poll(async () => (await bonusOf(player, 'Welcome'))?.status).toBe('RELEASED');
	expect(bonusMoney(player)).toBe(0);
	expect(server.money(player)[0]).toBeGreaterThan(20_000 - 600);
});

it('two operators cancel an active bonus, one alone does not', async () => {
	const player = await signUp(server);
	const { id } = (await claim(player, 'welcome')).body.result ?? {};
	const cancel = async (operator: string) => {
		const headers = { ...server.operatorHeaders, 'X-Operator': operator };
		const body = JSON.stringify({ kind: 'BONUS', id, event: 'cancel', reason: 'claimed by mistake' });
		return (await server.send('/operator/api/payment-decide', { method: 'POST', body, headers })).code;
	};
	expect([await cancel('asha'), await cancel('Asha')]).toEqual([null, 'SAME_PERSON']);
	expect([(await bonusOf(player, 'Welcome'))?.status, bonusMoney(player)]).toEqual(['ACTIVE', 200]);
	expect(await cancel('bala')).toBeNull();
	expect([(await bonusOf(player, 'Welcome'))?.status, bonusMoney(player)]).toEqual(['CANCELLED', 0]);
	expect(server.money(player)[0]).toBe(20_000);
	expect(await cancel('chitra')).toBe('WRONG_STATE');
});

it('counts nothing for backing and laying the same runner, nor for a reopened market', async () => {
	const player = await signUp(server);
	await claim(player, 'welcome');
	const [hedged, reopened] = [await openTestMatch(server), await openTestMatch(server)];
	await matched(hedged, player, 900);
	await matched(hedged, player, 900, 'LAY');
	await hedged.settle(0);
	expect(await bonusOf(player, 'Welcome')).toMatchObject({ status: 'ACTIVE', wageringDone: 0 });
	await matched(reopened, player, 500);
	await reopened.settle(0);
	expect(await bonusOf(player, 'Welcome')).toMatchObject({ wageringDone: 500 });
	await server.act('reopen', { marketId: reopened.marketId });
	expect(await bonusOf(player, 'Welcome')).toMatchObject({ wageringDone: 0 });
});

it('random backing and laying of one market counts at most its largest possible loss', async () => {
	const player = await signUp(server);
	await claim(player, 'welcome');
	for (let seed = 1; seed <= 3; seed++) {
		const numbers = new SeededNumbers(seed);
		const match = await openTestMatch(server);
		const before = (await bonusOf(player, 'Welcome'))?.wageringDone ?? 0;
		let [ifFirst, ifSecond] = [0, 0];
		for (let at = 0; at < 4; at++) {
			const stake = 10 + numbers.below(60);
			const isBack = numbers.chance(50);
			await matched(match, player, stake, isBack ? 'BACK' : 'LAY');
			ifFirst += isBack ? stake : -stake;
			ifSecond += isBack ? -stake : stake;
		}
		await match.settle(numbers.below(2));
		const after = (await bonusOf(player, 'Welcome'))?.wageringDone ?? 0;
		expect(after - before).toBe(Math.max(0, -Math.min(ifFirst, ifSecond)));
	}
});

it('claimBonus: refusal a second time, to the same person, beside an active one, without a deposit, past the budget', async () => {
	const player = await signUp(server);
	const codes = await Promise.all([1, 2, 3].map(async () => (await claim(player, 'welcome')).code));
	expect(codes.sort()).toEqual(['ALREADY_CLAIMED', 'ALREADY_CLAIMED', null].sort());
	const again = await signUp(server, { mobile: player.mobile });
	expect((await claim(again, 'welcome')).code).toBe('ALREADY_CLAIMED');
	expect((await claim(player, 'small')).body.error?.details).toEqual({ reason: 'BONUS_ACTIVE' });
	expect((await claim(again, 'first')).body.error?.details).toEqual({ reason: 'NO_DEPOSIT' });
	expect((await claim(player, 'unknown')).code).toBe('NOT_FOUND');
	const many = await Promise.all(
		[await signUp(server), await signUp(server), await signUp(server)].map((one) => claim(one, 'small')),
	);
	expect(many.filter(({ code }) => code === null)).toHaveLength(1);
});

it('is claimed once for a mobile, which stands nowhere in the clear but in claims of earlier releases', async () => {
	const player = await signUp(server);
	const { db } = server.database;
	const name = `bonus:localhost:welcome:mobile:${player.mobile}`;
	await db.query(`insert into workflow_claim (name, kind, id) values ($1, 'BONUS', 0)`, [name]);
	expect((await claim(player, 'welcome')).code).toBe('ALREADY_CLAIMED');
	await db.query('delete from workflow_claim where name = $1', [name]);
	expect((await claim(player, 'welcome')).code).toBeNull();
	const { rowCount } = await db.query('select from workflow_claim where strpos(name, $1) > 0', [player.mobile]);
	expect(rowCount).toBe(0);
});

it('is claimed once in a browser, with whatever account, even at one instant', async () => {
	const [first, second] = [await signUp(server), await signUp(server)];
	await cookiesAfterLogin(server, second.userName, await cookiesAfterLogin(server, first.userName));
	const codes = await Promise.all([first, second].map(async (player) => (await claim(player, 'welcome')).code));
	expect(codes.sort()).toEqual(['ALREADY_CLAIMED', null].sort());
	expect(bonusMoney(first) + bonusMoney(second)).toBe(200);
	expect((await claim(await signUp(server), 'welcome')).code).toBeNull();
});

it('is not used up by a demo login in the player’s browser', async () => {
	const player = await signUp(server);
	const headers = {
		'Content-Type': 'application/json',
		Cookie: await cookiesAfterLogin(server, player.userName),
	};
	const { path, method } = CALLS.loginAsDemoUser;
	const { body } = await server.send<ResultOf<Calls['loginAsDemoUser']>>(`/${path}`, { method, headers, body: '{}' });
	const token = body.result?.accessToken ?? '';
	expect((await server.call('claimBonus', { id: 'welcome' }, token)).code).toBeNull();
	expect((await claim(player, 'welcome')).code).toBeNull();
	const linked = await server.database.db.query('select 1 from shared_device where player_id = $1', [player.userId]);
	expect(linked.rowCount).toBe(0);
});

/** Deposits ₹800 and claims the bonus for it. @returns the deposit's id */
async function claimFirst(player: Player): Promise<number> {
	const { orderId } = await server.result(
		'generatePayment',
		{ amount: 800, clientRequestId: freshRequestId() },
		player.token,
	);
	const paid = async () => (await server.result('checkPayment', { orderId }, player.token)).status;
	await expect.poll(paid).toBe('SUCCESS');
	expect((await claim(player, 'first')).body.result).toMatchObject({ amount: 400, wageringRequired: 800 });
	return Number(orderId);
}

it('matches the first deposit by its percentage, and while the deposit is in dispute is neither free nor at its end', async () => {
	const player = await signUp(server);
	const { funds, exchange } = server.running;
	const { bonuses, ledger, protection } = funds;
	const id = await claimFirst(player);
	await disputeAll(server, id);
	const match = await openTestMatch(server);
	await matched(match, player, 800);
	await match.settle(0);
	const [grant] = await bonuses.grants(player.userId);
	await bonuses.advance(grant?.id ?? 0);
	expect(await bonusOf(player, 'First deposit')).toMatchObject({ status: 'ACTIVE', wageringDone: 800 });
	const afterItsEnd = () => (grant?.data.expiresAtMs ?? 0) + 1;
	const parts = { ledger, exchange, protection, db: server.database.db, keys: new DataKeys([TOKEN_KEY]) };
	await new Bonuses({ ...parts, clock: afterItsEnd }).advance(grant?.id ?? 0);
	expect((await bonusOf(player, 'First deposit'))?.status).toBe('ACTIVE');
	await endDisputes(server, id, 'won');
	await bonuses.advance(grant?.id ?? 0);
	expect([(await bonusOf(player, 'First deposit'))?.status, bonusMoney(player)]).toEqual(['RELEASED', 0]);
});

it('falls with the deposit that it matches', async () => {
	const player = await signUp(server);
	const { bonuses } = server.running.funds;
	const id = await claimFirst(player);
	await disputeAll(server, id);
	await endDisputes(server, id, 'lost');
	const [grant] = await bonuses.grants(player.userId);
	await bonuses.advance(grant?.id ?? 0);
	expect([(await bonusOf(player, 'First deposit'))?.status, bonusMoney(player)]).toEqual(['FORFEITED', 0]);
});

it('forfeits with a withdrawal, in one step with it', async () => {
	const player = await signUp(server);
	await claim(player, 'welcome');
	const asked = {
		amount: 500,
		details: { method: 'UPI', upiId: 'asha@bank' },
		clientRequestId: freshRequestId(),
	} as const;
	expect((await server.call('createWithdrawal', asked, player.token)).code).toBeNull();
	expect([await bonusOf(player, 'Welcome'), bonusMoney(player)]).toMatchObject([{ status: 'FORFEITED' }, 0]);
});

it('forfeits once, whatever else ends the bonus at that moment, and none of them fails', async () => {
	const players = await Promise.all(Array.from({ length: 4 }, () => signUp(server)));
	const { bonuses } = server.running.funds;
	const by = { actor: 'test', address: null };
	for (const player of players) {
		await claim(player, 'welcome');
		const [grant] = await bonuses.grants(player.userId);
		await server.running.funds.protection.exclude(player.userId, 6, by);
		const id = grant?.id ?? 0;
		await Promise.all([bonuses.forfeit(player.userId), bonuses.advance(id), bonuses.forfeit(player.userId)]);
		expect((await bonuses.grants(player.userId)).map(({ state }) => state)).toEqual(['FORFEITED']);
		expect(bonusMoney(player)).toBe(0);
	}
});

it('getBonuses: success lists offers and grants', async () => {
	const player = await signUp(server);
	const offers = await server.result('getBonuses', {}, player.token);
	expect(offers.map(({ title, status }) => [title, status])).toContainEqual(['Welcome', 'OFFERED']);
	expect(offers.find(({ title }) => title === 'First deposit')?.note).toBe('Make a deposit first.');
});
it('getBonuses: refusal of a login that has ended', async () => {
	const { token } = await signUp(server);
	await server.result('logout', {}, token);
	expect((await server.call('getBonuses', {}, token)).code).toBe('LOGIN_EXPIRED');
});
it('getBonuses: not logged in', async () => {
	expect((await server.call('getBonuses', {})).status).toBe(401);
});
it('claimBonus: not logged in', async () => {
	expect((await server.call('claimBonus', { id: 'welcome' })).status).toBe(401);
});
