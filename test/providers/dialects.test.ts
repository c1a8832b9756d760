/** What is a dialect's own: open rounds that are found again, events, finer units, keys that rotate, lost answers. */

import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GameProviders } from '#server/money/casino/providers/provider.ts';
import { TriedWallet } from '#studio/conformance/tried-wallet.ts';
import { askWallet, STUDIO_DIALECTS, sendToWallet } from '#studio/provider-account.ts';
import { expectSound } from '../support/audit.ts';
import { PROVIDERS, type ProviderId, SPOKEN, StudioSite } from './studio-site.ts';

const START = 2_000_000;
const STAKE = 1_000;

let site: StudioSite;
beforeAll(async () => {
	site = await StudioSite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

beforeEach(() => {
	site.studio.faults.answersToLose = 0;
});

async function seated(id: ProviderId) {
	const player = await site.server.demoPlayer();
	const { game } = SPOKEN[id];
	const launchToken = await site.launch(player, game);
	const wallet = new TriedWallet({ account: site.account(id), game, launchToken, stake: STAKE });
	await wallet.open();
	return { player, wallet, launchToken };
}

/** Sends what the dialect's own words say. */
async function send(id: ProviderId, path: string, fields: object) {
	const response = await sendToWallet(site.account(id), { path, fields });
	return { http: response.status, ...((await response.json()) as Record<string, unknown>) };
}

describe.each(PROVIDERS)('a provider: %s', (id) => {
	it('whose answer is lost after the debit asks again, and the stake is taken once', async () => {
		const { player, wallet } = await seated(id);
		const bet = wallet.freshBet();
		await expect(askWallet(wallet.account, bet, { answersToLose: 1 })).rejects.toThrow('lost');
		expect(await askWallet(wallet.account, bet)).toMatchObject({ status: 'OK', balance: START - STAKE });
		expect(site.cash(player)).toBe(START - STAKE);
	});

	// What the wallet does is one code for all of them; its form is shown by the next test.
	const tags = id === PROVIDERS[0] ? [] : ['thorough'];
	it('whose answers are all lost gives the stake back, and the books of both agree', { tags }, async () => {
		const player = await site.server.demoPlayer();
		const { game } = SPOKEN[id];
		const { seat } = await site.studio.sit(id, game, await site.launch(player, game));
		// Every attempt at the stake, and the first one at its rollback.
		site.studio.faults.answersToLose = 5;
		await expect(site.studio.bet(seat, STAKE)).rejects.toThrow('UNKNOWN');
		await site.studio.settled();
		expect(site.studio.rounds().find(({ userId }) => userId === String(player.userId))?.state).toBe('REFUNDED');
		expect(site.cash(player)).toBe(START);
	});

	it('plays a game of the studio to its end, and pays what the game says', async () => {
		const player = await site.server.demoPlayer();
		const { game } = SPOKEN[id];
		const { seat } = await site.studio.sit(id, game, await site.launch(player, game));
		let { round } = await site.studio.bet(seat, STAKE);
		while (round.actions.length > 0)
			({ round } = await site.studio.act(seat, round.id, round.actions.at(-1)?.action ?? ''));
		expect(round.state).toBe('ENDED');
		expect(site.cash(player)).toBe(START - STAKE + round.payout);
		const { items } = await site.server.result('getRounds', {}, player.token);
		expect(items[0]).toMatchObject({ game, state: 'SETTLED', stake: STAKE / 100, payout: round.payout / 100 });
	});

	it('is refused another provider’s session', async () => {
		const { wallet } = await seated(id);
		const stranger = id === 'lantern' ? 'copper' : 'lantern';
		const { sessionToken } = wallet.freshBet();
		const there = { ...wallet.freshBet(), sessionToken, game: SPOKEN[stranger].game };
		const { words } = STUDIO_DIALECTS[SPOKEN[stranger].dialect];
		const { status } = await askWallet(site.account(stranger), there);
		expect(words[status]).toBe(words.INVALID_TOKEN);
	});
});

describe('the dialect with RSA', () => {
	it('repeats the id of the request, and counts in hundred-thousandths', async () => {
		const { launchToken } = await seated('harbour');
		const asked = { request_uuid: 'a-request', token: launchToken, game_code: 'harbour-reels' };
		expect(await send('harbour', 'user/balance', asked)).toEqual({
			http: 200,
			status: 'RS_OK',
			request_uuid: 'a-request',
			user: expect.any(String),
			currency: 'INR',
			balance: START * 1_000,
		});
	});

	it('cuts a win down to whole minor units, and refuses a bet for another user', async () => {
		const { player, wallet } = await seated('harbour');
		const bet = wallet.freshBet();
		await wallet.expect(bet, 'OK');
		await wallet.expect(wallet.winOf(bet, 0), 'OK', { fields: { amount: 1_999 } });
		expect(site.cash(player)).toBe(START - STAKE + 1);
		await wallet.expect(wallet.freshBet(), 'INVALID_TOKEN', { fields: { user: '1' } });
		await wallet.expect(wallet.freshBet(), 'OK', { fields: { user: String(player.userId) } });
	});

	it('takes nothing for a bet that is free, whatever amount it names, and pays its win', async () => {
		const { player, wallet } = await seated('harbour');
		const bet = wallet.freshBet();
		const reward = { is_free: true, reward_uuid: '5d3a4d3e-8f5c-4a55-9f0a-1f4f0c3a7b11' };
		await wallet.expect(bet, 'OK', { fields: reward });
		expect(site.cash(player)).toBe(START);
		await wallet.expect(wallet.winOf(bet, STAKE), 'OK');
		expect(site.cash(player)).toBe(START + STAKE);
		// The same bet without the reward is another request.
		await wallet.expect(bet, 'DUPLICATE_TRANSACTION');
		expect(site.cash(player)).toBe(START + STAKE);
	});

	it('is not configured with a key that is none, or too short', () => {
		const configured = (key: string) => {
			const provider = { id: 'one', name: 'One', dialect: 'rsa', url: 'http://localhost/one', keys: { a: key } };
			return v.safeParse(GameProviders, JSON.stringify([provider])).success;
		};
		expect(configured(STUDIO_DIALECTS.rsa.freshKey().key)).toBe(true);
		expect(configured('a secret of thirty-two characters')).toBe(false);
	});
});

describe('the dialect of the open RGS', () => {
	it('finds the open round again with its last event, and names the stakes', async () => {
		const { player, wallet, launchToken } = await seated('copper');
		const bet = wallet.freshBet();
		await wallet.expect(bet, 'OK');
		expect(await send('copper', 'bet/event', { betID: bet.txId, event: 'step 2' })).toMatchObject({ event: 'step 2' });
		expect(await send('copper', 'wallet/authenticate', { sessionID: launchToken })).toEqual({
			http: 200,
			status: { statusCode: 'SUCCESS' },
			userID: String(player.userId),
			balance: { amount: (START - STAKE) * 10_000, currency: 'INR' },
			config: { minBet: 10_000_000, maxBet: 10_000_000_000, stepBet: 10_000 },
			round: { betID: bet.txId, amount: STAKE * 10_000, active: true, event: 'step 2' },
		});
		await wallet.expect(wallet.winOf(bet, 0), 'OK');
		expect(await send('copper', 'wallet/authenticate', { sessionID: launchToken })).toMatchObject({ round: null });
		expect(await send('copper', 'bet/event', { betID: bet.txId, event: 'late' })).toMatchObject({ http: 400 });
	});

	it('takes an end that came before its bet when it comes again', async () => {
		const { player, wallet } = await seated('copper');
		const bet = wallet.freshBet();
		const win = wallet.winOf(bet, 300);
		await wallet.expect(win, 'TRANSACTION_NOT_FOUND');
		await wallet.expect(bet, 'OK');
		await wallet.expect(win, 'OK');
		await wallet.expect(win, 'OK');
		expect(site.cash(player)).toBe(START - STAKE + 300);
	});
});
