/** Games under a brand's profile: one at a time, those of providers among them, and stakes by the player's age. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import { TriedWallet } from '#studio/conformance/tried-wallet.ts';
import { askWallet } from '#studio/provider-account.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { DAY_MS } from '#values/time.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { winOf } from '../providers/wallet-calls.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { freshRequestId } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';

let site: StudioSite;
let server: TestServer;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	site = await StudioSite.open();
	({ server } = site);
});
afterAll(async () => {
	await site.close();
	vi.useRealTimers();
});

const now = () => server.running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
}
async function switchTo(profile: ProfileName): Promise<void> {
	await server.running.brands.chooseProfile('localhost', { profile, fromMs: now() + 10_000 }, now());
	pass(10_001);
}

const play = async ({ token }: Player, game: string, bet: string) => {
	const asked = { game, bets: [{ bet, stake: 10 }], clientRequestId: freshRequestId() };
	return await server.call('playRound', asked, token);
};
const act = async ({ token }: Player, roundId: string, action: string) =>
	await server.call('actInRound', { roundId, action, clientRequestId: freshRequestId() }, token);

/** A round of Mines that its player can cash out. */
async function openMines(player: Player): Promise<string> {
	for (;;) {
		const roundId = (await play(player, 'mines', '1')).body.result?.round.roundId ?? '';
		const { body } = await act(player, roundId, 'open-0');
		if (!body.result) throw new Error(JSON.stringify(body.error));
		if (body.result.round.state === 'OPEN') return roundId;
	}
}

it('opens no second game beside an open round, of the house or of a provider, and lets rounds of before end', async () => {
	const player = await server.demoGambler();
	const session = await site.session(player);
	// Before the profile holds, two games are open.
	const mines = await openMines(player);
	const before = betOf(session);
	expect((await site.ask('bet', before)).status).toBe('OK');
	await switchTo('malta');
	const refused = await play(player, 'dice', 'under-5000');
	expect([refused.code, refused.body.error?.details]).toEqual(['ROUND_OPEN', { game: expect.any(String) }]);
	expect((await site.ask('win', winOf(before))).status).toBe('OK');
	// The provider's game has ended, and the open one goes on.
	expect((await site.ask('bet', betOf(session))).status).toBe('USER_DISABLED');
	expect((await act(player, mines, 'cash-out')).body.result?.round).toMatchObject({ state: 'SETTLED' });
	expect((await play(player, 'dice', 'under-5000')).code).toBeNull();
	const bet = betOf(session);
	expect((await site.ask('bet', bet)).status).toBe('OK');
	expect((await play(player, 'dice', 'under-5000')).code).toBe('ROUND_OPEN');
	// Others play what they like.
	expect((await play(await server.demoGambler(), 'dice', 'under-5000')).code).toBeNull();
	await site.ask('win', winOf(bet));
	await switchTo('play');
	await site.ask('bet', betOf(session));
	expect((await play(player, 'dice', 'under-5000')).code).toBeNull();
});

it.each([1, 2])('has one game open at most, whatever is asked for at once, seed %s', async (seed) => {
	await switchTo('malta');
	const numbers = new SeededNumbers(seed);
	const player = await server.demoGambler();
	const session = await site.session(player);
	let taken = 0;
	for (let turn = 0; turn < 8; turn++) {
		const bets = Array.from({ length: 4 }, () => numbers.from(['mines', 'hi-lo', 'provider'] as const));
		const provided = betOf(session);
		const answers = await Promise.all(
			bets.map(async (game) => {
				if (game === 'provider')
					return (await site.ask('bet', { ...provided, txId: freshRequestId() })).status === 'OK';
				return (await play(player, game, game === 'mines' ? '1' : '')).code === null;
			}),
		);
		taken += answers.filter(Boolean).length;
		const open = await openRounds(server.database.db, player.userId);
		expect(new Set(open.map(({ game }) => game)).size).toBeLessThanOrEqual(1);
		// Some turns begin with the round of the last one.
		if (numbers.chance(30)) continue;
		const { rounds } = server.running.casino;
		for (const { id, game } of open) {
			const own = rounds.leftSince(now() + 1).find((round) => round.id === id);
			if (own) await rounds.abandon(own);
			else expect([game, (await site.ask('endround', { roundId: provided.roundId })).status]).toEqual([game, 'OK']);
		}
	}
	expect(taken).toBeGreaterThan(3);
	await switchTo('play');
});

it('takes stakes in games of providers up to those of the player’s age, which counts as the least that it can be', async () => {
	const { players, exchange } = server.running;
	const named = { userName: 'of-age', host: 'localhost' };
	const { playerId } = await players.createPlayer({ userName: 'of-age', password: PASSWORD, brand: server.brand });
	await server.act('add-money', { ...named, amount: 1_000, grantId: 9_000_001 });
	const form = { userNameOrEmailAddress: 'of-age', password: PASSWORD };
	const logIn = async (): Promise<Player> => {
		const { accessToken, refreshToken } = await server.result('authenticate', form);
		return { token: accessToken, refreshToken, userId: playerId };
	};
	/** By their effect on the balance: each dialect has words of its own. */
	const stakes = async (...amounts: number[]) => {
		const game = 'velvet-reels';
		const launchToken = await site.launch(await logIn(), game);
		const wallet = new TriedWallet({ account: site.account('velvet'), game, launchToken, stake: 100 });
		await wallet.open();
		const taken: number[] = [];
		for (const amount of amounts) {
			const before = exchange.wallet(playerId)?.cash ?? 0;
			await askWallet(wallet.account, { ...wallet.freshBet(), amount }).catch(() => null);
			taken.push(before - (exchange.wallet(playerId)?.cash ?? 0));
		}
		return taken;
	};
	const shown = async () => {
		const { games } = await server.result('getCasinoGames', {}, (await logIn()).token);
		return games.find(({ code }) => code === 'velvet-reels')?.maxStake;
	};
	expect(await stakes(501)).toEqual([501]);
	await switchTo('uk');
	expect(await stakes(200, 201)).toEqual([200, 0]);
	await server.act('verify-identity', { ...named, age: 24 });
	expect([await stakes(200, 201), await shown()]).toEqual([[200, 0], 2]);
	pass(366 * DAY_MS);
	expect([await stakes(500, 501), await shown()]).toEqual([[500, 0], 5]);
	await switchTo('play');
	expect(await stakes(501)).toEqual([501]);
});
