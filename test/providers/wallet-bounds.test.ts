/** What a provider's win and the bets of one round may come to, whatever it says. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import { expectSound } from '../support/audit.ts';
import { betOf, StudioSite } from './studio-site.ts';
import { rollbackOf, START, seatedAt, winOf } from './wallet-calls.ts';

let site: StudioSite;
beforeAll(async () => {
	site = await StudioSite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

const seated = (at = site) => seatedAt(at);

describe('a win', () => {
	it('is refused in another currency, and of another player, session, game or round', async () => {
		const [{ player, session }, other] = [await seated(), await seated()];
		const bet = betOf(session);
		await site.ask('bet', bet);
		const lies = [
			[{ currency: 'USD' }, 'WRONG_CURRENCY'],
			[{ userId: String(other.player.userId) }, 'INVALID_TOKEN'],
			[{ sessionToken: other.session }, 'INVALID_TOKEN'],
			[{ gameCode: 'copper-ladder' }, 'INVALID_GAME'],
			[{ roundId: 'other' }, 'TRANSACTION_NOT_FOUND'],
		] as const;
		for (const [lie, status] of lies) {
			const refusal = await site.ask('win', winOf(bet, lie));
			expect(refusal.text).toBe(JSON.stringify({ status }));
			const { roundId: _, ...rollback } = { ...rollbackOf(bet), ...lie, roundId: '' };
			if (!('roundId' in lie)) expect((await site.ask('rollback', rollback)).status).toBe(status);
		}
		const truth = { currency: 'INR', userId: String(player.userId), sessionToken: session, gameCode: 'lantern-cups' };
		expect(await site.ask('win', winOf(bet, truth))).toMatchObject({ status: 'OK', balance: START + 15_000 });
		expect(site.cash(other.player)).toBe(START);
	});

	it('is as large as the game pays at most in a round, whatever was staked in how many bets', async () => {
		const { player, session } = await seated();
		const first = betOf(session);
		const second = { ...betOf(session), roundId: first.roundId };
		for (const bet of [first, second]) await site.ask('bet', bet);
		expect((await site.ask('win', winOf(first, { amount: 28_999_999, roundClosed: false }))).status).toBe('OK');
		expect((await site.ask('win', winOf(second, { amount: 2, roundClosed: false }))).status).toBe('LIMIT_REACHED');
		expect((await site.ask('win', winOf(second, { amount: 1 }))).status).toBe('OK');
		expect(site.cash(player)).toBe(START - 20_000 + 29_000_000);
	});

	it('of a bet without a stake is as large as the house pays for a free one', async () => {
		const { player, session } = await seated();
		const free = betOf(session, { amount: 0 });
		await site.ask('bet', free);
		expect((await site.ask('win', winOf(free, { amount: 1_000_001 }))).status).toBe('LIMIT_REACHED');
		expect((await site.ask('win', winOf(free, { amount: 1_000_000 }))).status).toBe('OK');
		expect(site.cash(player)).toBe(START + 1_000_000);
	});

	it('is taken back once, and its bet is given back afterwards while the round is open', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		const win = winOf(bet, { roundClosed: false });
		await site.ask('bet', bet);
		await site.ask('win', win);
		const back = rollbackOf(win);
		const answers = await Promise.all(Array.from({ length: 10 }, () => site.ask('rollback', back)));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers[0]).toMatchObject({ status: 'OK', balance: START - 10_000 });
		expect((await site.ask('rollback', rollbackOf(win))).status).toBe('ALREADY_REFUNDED');
		expect(await site.ask('rollback', rollbackOf(bet))).toMatchObject({ status: 'OK', balance: START });
		expect(site.cash(player)).toBe(START);
	});
});

describe('bets of one round', () => {
	it('are added up before the game’s largest stake is asked', async () => {
		const { player, session } = await seated();
		const roundId = randomUUID();
		expect((await site.ask('bet', betOf(session, { roundId, amount: 900_000 }))).status).toBe('OK');
		expect((await site.ask('bet', betOf(session, { roundId, amount: 100_001 }))).status).toBe('LIMIT_REACHED');
		expect((await site.ask('bet', betOf(session, { roundId, amount: 100_000 }))).status).toBe('OK');
		expect((await site.ask('bet', betOf(session, { roundId, amount: 1_000 }))).status).toBe('LIMIT_REACHED');
		expect(site.cash(player)).toBe(START - 1_000_000);
		await site.ask('bet', betOf(session, { amount: 600_000 }));
		expect((await site.ask('bet', betOf(session, { amount: 400_001 }))).status).toBe('INSUFFICIENT_FUNDS');
	});
});

it('a stake is read for until its own request’s deadline, however late the reading begins', async () => {
	const hurried = await StudioSite.open(undefined, { callDeadlineMs: 4_000 });
	try {
		const { player, session } = await seated(hurried);
		const find = GameSessions.prototype.find;
		vi.spyOn(GameSessions.prototype, 'find').mockImplementationOnce(async function (this: GameSessions, ...named) {
			await delay(2_000);
			return await find.apply(this, named);
		});
		const { protection } = hurried.server.running.funds;
		vi.spyOn(protection.limits, 'readLosses').mockReturnValueOnce(new Promise(() => undefined));
		expect(await hurried.ask('bet', betOf(session))).toMatchObject({ http: 200, status: 'OK' });
		expect(hurried.cash(player)).toBe(START - betOf(session).amount);
	} finally {
		vi.restoreAllMocks();
		await hurried.close();
	}
});
