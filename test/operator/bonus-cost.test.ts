/** What bonuses cost the house in the reports: all that came to players' cash, less what was taken back, as the books say. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Machine } from '#server/money/funds/machine.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { REFERRAL } from '#server/money/funds/machines/referral.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const DAYS = { from: dayName(dayOf(Date.now(), HOME_ZONE)), to: dayName(dayOf(Date.now(), HOME_ZONE) + 1) };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

type Step = [event: string, amounts: Partial<Record<'amount' | 'rest', number>>];

/** Takes a bonus or a referral of a new player through these steps; minor units. @returns the player's id */
async function taken(machine: Machine<unknown, 'amount' | 'rest'>, [first, ...steps]: readonly [Step, ...Step[]]) {
	const { userId: walletId } = await signUp(server);
	const { ledger } = server.running.funds;
	const happening = ([event, amounts]: Step) => ({ event, facts: null, amounts, actor: 'test' });
	const data =
		machine === BONUS
			? { brand: 'localhost', campaign: 'some', title: 'Some', amount: 500 }
			: { refereeId: walletId, friend: 'a•••b', amount: 500 };
	const { id } = await ledger.begin(machine, { walletId, pool: 'PLAY' }, { ...happening(first), data });
	for (const step of steps) await ledger.happen(machine, await ledger.find(machine.kind, id), happening(step));
	return walletId;
}

/** A bonus that operators give by hand, or take. @param amount minor units */
async function adjusted(amount: number) {
	const { userId } = await signUp(server);
	const { ledger, houseKeeping, decisions } = server.running.funds;
	const because = { operator: 'asha', reasonCode: 'BONUS', reason: 'a long wait' } as const;
	const { id } = await houseKeeping.requestAdjustment({ walletId: userId, pool: 'PLAY' }, amount, because);
	await decisions.decide({ kind: 'ADJUSTMENT', id, event: 'approve', operator: 'bala', reason: '' });
	await expect.poll(async () => (await ledger.find('ADJUSTMENT', id)).state).toBe('POSTED');
	return userId;
}

it('is what came to players’ cash, less what was taken back, in the lifetime, the profit and the books alike', async () => {
	const all = { amount: 500 };
	const costs = new Map<number, number>([
		[await taken(BONUS, [['give', all]]), 5],
		[
			await taken(BONUS, [
				['give', all],
				['claw-back', all],
			]),
			0,
		],
		[await taken(BONUS, [['claim', all]]), 0],
		[
			await taken(BONUS, [
				['claim', all],
				['expire', all],
			]),
			0,
		],
		[
			await taken(BONUS, [
				['claim', all],
				['release', all],
			]),
			5,
		],
		[
			await taken(BONUS, [
				['claim', all],
				['refund', { amount: 300, rest: 200 }],
			]),
			3,
		],
		[
			await taken(REFERRAL, [
				['link', {}],
				['qualify', {}],
				['claim', all],
			]),
			5,
		],
		[
			await taken(REFERRAL, [
				['link', {}],
				['qualify', {}],
				['claim', all],
				['claw-back', all],
			]),
			0,
		],
		[await adjusted(2_000), 20],
		[await adjusted(-700), -7],
	]);
	const ofPlayers = await server.act<{ playerId: string; bonuses: number }[]>('report-lifetime', {
		...DAYS,
		by: 'player',
	});
	expect(new Map(ofPlayers.map(({ playerId, bonuses }) => [Number(playerId), bonuses]))).toEqual(costs);
	const total = 31;
	expect(await server.act('report-lifetime', { ...DAYS, by: 'month' })).toMatchObject([
		{ bonuses: total, deposits: 0 },
	]);
	expect(await server.act('report-profit', { ...DAYS, by: 'brand' })).toMatchObject([
		{ bonuses: total, house: -total },
	]);
	// Of what the house spent, what is locked is no player's cash yet.
	const balances = await server.act<{ account: string; balance: number }[]>('trial-balance', { pool: 'PLAY' });
	const spent = balances.filter(({ account }) => ['bonus', 'bonus_cost', 'referral_cost'].includes(account));
	expect(spent.reduce((sum, { balance }) => sum - balance, 0)).toBe(total);
});
