/** Bets, rounds and withdrawals under a brand's profile, while bets, rounds and withdrawals of before are in progress. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { betOn, freshRequestId, openMarketOf, openTestMatch, quotesAround } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	server = await TestServer.start();
});
afterAll(async () => {
	await server.dispose();
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

const input = (game: string, bet: string, clientRequestId = freshRequestId()) => ({
	game,
	bets: [{ bet, stake: 10 }],
	clientRequestId,
});
const play = async ({ token }: Player, asked = input('dice', 'under-5000')) =>
	await server.call('playRound', asked, token);

/** A round of Mines that its player can cash out. */
async function openRound(): Promise<{ player: Player; roundId: string }> {
	for (;;) {
		const player = await server.demoGambler();
		const { round } = (await play(player, input('mines', '1'))).body.result ?? {};
		const asked = { roundId: round?.roundId ?? '', action: 'open-0', clientRequestId: freshRequestId() };
		const { round: opened } = await server.result('actInRound', asked, player.token);
		if (opened.state === 'OPEN') return { player, roundId: opened.roundId };
	}
}

it('starts no round within five seconds of the last one, in whichever game, and lets open rounds go on', async () => {
	const player = await server.demoGambler();
	expect([(await play(player)).code, (await play(player)).code]).toEqual([null, null]);
	const { player: other, roundId } = await openRound();
	await switchTo('uk');
	const cashedOut = { roundId, action: 'cash-out', clientRequestId: freshRequestId() };
	expect((await server.call('actInRound', cashedOut, other.token)).code).toBeNull();
	const asked = input('dice', 'under-5000');
	const first = await play(player, asked);
	expect(first.code).toBeNull();
	const soon = await play(player, input('wheel', 'low'));
	expect(soon.code).toBe('ROUND_TOO_SOON');
	expect(soon.body.error?.details).toMatchObject({ waitMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 5_000) });
	// A repetition of the accepted request gets its answer, and other players do not wait.
	expect((await play(player, asked)).body.result?.round).toEqual(first.body.result?.round);
	expect((await play(await server.demoGambler())).code).toBeNull();
	pass(5_000);
	const codes = (await Promise.all([play(player), play(player, input('wheel', 'low'))])).map(({ code }) => code);
	expect(codes.toSorted()).toEqual(['ROUND_TOO_SOON', null]);
	await switchTo('play');
	expect([(await play(player)).code, (await play(player)).code]).toEqual([null, null]);
});

it('takes stakes in steps and wins up to a sum, and leaves bets of before as they are', async () => {
	const { token } = await server.demoPlayer();
	const match = await openTestMatch(server);
	const bet = (changes: Record<string, unknown>) => server.call('placeBetV2', betOn(match, changes), token);
	const before = await bet({ stake: 100.3, price: 300 });
	expect(before.code).toBeNull();
	await switchTo('italy');
	expect((await bet({ stake: 100.3 })).code).toBe('STAKE_STEP');
	expect((await bet({ stake: 100.5 })).code).toBeNull();
	// 110 at 100 wins 10,890, and at 90 it wins 9,790.
	expect((await bet({ stake: 110, price: 100 })).code).toBe('LARGEST_WIN');
	expect((await bet({ stake: 110, price: 90 })).code).toBeNull();
	// A layer wins the backer's stake.
	expect((await bet({ stake: 10_000.5, side: 'LAY', price: 1.5 })).code).toBe('LARGEST_WIN');
	const betId = before.body.result?.betId ?? '';
	const open = await server.result('getUserOpenBets', { maxResultCount: '10', skipCount: '0' }, token);
	expect(open.openBets.map((one) => one.betId)).toContain(betId);
	const replacement = { betId, price: 290, clientRequestId: freshRequestId() };
	expect((await server.call('replaceBet', replacement, token)).code).toBe('STAKE_STEP');
	expect((await server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, token)).code).toBeNull();
	await switchTo('play');
});

it('counts the largest win that a starting price can bring', async () => {
	const { token } = await server.demoPlayer();
	const match = await openTestMatch(server, { startingPrice: true });
	const onClose = async (side: 'BACK' | 'LAY', size: number) => {
		// A player stands on one side of an auction.
		const runnerId = match.runnerIds[side === 'BACK' ? 0 : 1];
		const bet = { marketId: match.marketId, runnerId, side, size };
		return (await server.call('placeOnClose', { ...bet, clientRequestId: freshRequestId() }, token)).code;
	};
	await switchTo('italy');
	// 999 times the stake of a back, and 100 times the liability of a lay.
	expect([await onClose('BACK', 10), await onClose('BACK', 10.5)]).toEqual([null, 'LARGEST_WIN']);
	expect([await onClose('LAY', 100), await onClose('LAY', 100.5)]).toEqual([null, 'LARGEST_WIN']);
	await switchTo('play');
	expect(await onClose('BACK', 10.5)).toBeNull();
});

it('takes no bet where the market takes more commission than is allowed, and leaves bets of before', async () => {
	const { token } = await server.demoPlayer();
	const match = await openTestMatch(server);
	const marketOf = async (commissionBp: number) => {
		const runners = [
			{ id: 'YES', name: 'Yes' },
			{ id: 'NO', name: 'No' },
		];
		const terms = { name: `At ${commissionBp}`, type: 'MATCH_ODDS', runners, betDelaySeconds: 0, rules: 'Who wins.' };
		return String((await openMarketOf(server, match, { ...terms, commissionBp })).listing.id);
	};
	const [allowed, tooMuch] = [await marketOf(1_000), await marketOf(1_001)];
	const bet = async (marketId: string) =>
		await server.call('placeBetV2', betOn(match, { marketId, runnerId: 'YES' }), token);
	const before = await bet(tooMuch);
	expect(before.code).toBeNull();
	await switchTo('italy');
	expect([(await bet(allowed)).code, (await bet(tooMuch)).code]).toEqual([null, 'COMMISSION_TOO_HIGH']);
	const cancel = { betId: before.body.result?.betId ?? '', clientRequestId: freshRequestId() };
	expect((await server.call('cancelBet', cancel, token)).code).toBeNull();
	await switchTo('play');
	expect((await bet(tooMuch)).code).toBeNull();
});

it('reminds a player at least as often as the profile says, and counts stakes for it', async () => {
	const { token } = await signUp(server);
	await server.beginSeeds({ token });
	const reminder = async () => (await server.result('getProtection', {}, token)).realityCheckMinutes;
	await server.result('setLimits', { realityCheckMinutes: 120 }, token);
	expect(await reminder()).toBe(120);
	await switchTo('malta');
	expect(await reminder()).toBe(60);
	await server.result('setLimits', { realityCheckMinutes: 30 }, token);
	expect(await reminder()).toBe(30);
	await openMarketMakers(server.running.exchange);
	const match = await openTestMatch(server);
	await match.market.quote([quotesAround(200), quotesAround(200)]);
	await server.result('placeBetV2', betOn(match, { stake: 100 }), token);
	await server.result('playRound', input('dice', 'under-5000'), token);
	// A bet without a match is no stake yet.
	await server.result('placeBetV2', betOn(match, { stake: 300, price: 50 }), token);
	expect((await server.result('getProtection', {}, token)).staked).toBe(110);
	await switchTo('play');
});

it('cancels no withdrawal in the United Kingdom, though the brand allows it and the withdrawal began before', async () => {
	const player = await signUp(server);
	await server.act('brand-set', { host: 'localhost', field: 'funds.cancelWithdrawals', value: 'true' });
	await server.act('brand-set', { host: 'localhost', field: 'funds.turnover', value: '0' });
	await server.act('brand-set', { host: 'localhost', field: 'funds.autoApproveUpTo', value: '0' });
	const details = { method: 'UPI' as const, upiId: 'asha@bank' };
	const asked = { amount: 500, details, clientRequestId: freshRequestId() };
	const { id, canCancel } = await server.result('createWithdrawal', asked, player.token);
	expect(canCancel).toBe(true);
	const mayCancel = async () => (await server.result('getPaymentInfo', {}, player.token)).withdrawal.canCancel;
	const cancel = async () => (await server.call('cancelWithdrawal', { id }, player.token)).code;
	expect(await mayCancel()).toBe(true);
	await switchTo('uk');
	expect([await mayCancel(), await cancel()]).toEqual([false, 'FORBIDDEN']);
	await switchTo('play');
	expect([await mayCancel(), await cancel()]).toEqual([true, null]);
});
