/** The account statement: a player's settled bets, commission, deposits and withdrawals, whose sums are what the player has. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentDesk, QUIET_PAYMENTS } from '../funds/payment-desk.ts';
import { freshRequestId } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { TestServer } from '../support/server.ts';
import { type Bot, limit, openBot, result, rpc, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
});
afterAll(() => server.dispose());

const cents = (amount: number): number => Math.round(amount * 100);
const place = async (of: Bot, marketId: string, ...instructions: object[]): Promise<string[]> =>
	(await result(server, of, 'placeOrders', { marketId: `1.${marketId}`, instructions })).instructionReports.map(
		({ betId }: Wire) => betId,
	);

/** All items, read page by page. */
async function statement(of: Bot, asked: object = {}, recordCount = 3): Promise<Wire[]> {
	const items: Wire[] = [];
	for (;;) {
		const page = await result(server, of, 'getAccountStatement', { ...asked, fromRecord: items.length, recordCount });
		items.push(...page.accountStatement);
		if (!page.moreAvailable) return items;
		expect(page.accountStatement).toHaveLength(recordCount);
	}
}

/** Each balance is the one before with the item's amount, and the last is what the player has, free and held. */
function expectSums(of: Bot, items: readonly Wire[]): void {
	const wallet = server.running.exchange.wallet(of.userId);
	expect(cents(items[0]?.balance)).toBe((wallet?.cash ?? 0) + (wallet?.exposure ?? 0) + (wallet?.hold ?? 0));
	let before = 0;
	for (const { amount, balance } of items.toReversed()) {
		before += cents(amount);
		expect(cents(balance)).toBe(before);
	}
}

it('has each settled bet with its profit, and the commission, and nothing of what is only held', async () => {
	const [bot, rival] = [await openBot(server), await openBot(server)];
	const [match, open] = [await openTestMatch(server), await openTestMatch(server)];
	await place(rival, match.marketId, limit(1, 'LAY', 3, 100), limit(2, 'LAY', 2, 50));
	const [won, lost] = await place(bot, match.marketId, limit(1, 'BACK', 3, 100), limit(2, 'BACK', 2, 50));
	await place(bot, match.marketId, limit(1, 'BACK', 9, 70));
	await match.settle(0);
	await place(bot, open.marketId, limit(1, 'BACK', 3, 40));
	const items = await statement(bot);
	expectSums(bot, items);
	const [commission, second, first, grant] = items;
	const rate = server.running.exchange.market(Number(match.marketId))?.commissionBp ?? 0;
	expect(items).toHaveLength(4);
	expect(commission).toMatchObject({
		refId: match.marketId,
		amount: -(150 * rate) / 10_000,
		legacyData: { grossBetAmount: 150, winLose: 'RESULT_NOT_APPLICABLE', transactionType: 'ACCOUNT_DEBIT' },
	});
	expect(second).toMatchObject({ refId: lost, amount: -50, legacyData: { winLose: 'RESULT_LOST', betType: 'B' } });
	expect(first).toMatchObject({
		refId: won,
		amount: 200,
		legacyData: {
			winLose: 'RESULT_WON',
			avgPrice: 3,
			betSize: 100,
			selectionId: 1,
			selectionName: 'India',
			marketType: 'O',
		},
	});
	expect(JSON.parse(first.itemClassData.unknownStatementItem)).toEqual(first.legacyData);
	expect(grant.amount).toBeGreaterThan(0);
	expect(await statement(bot, { includeItem: 'EXCHANGE' })).toEqual([commission, second, first]);
	expect(await statement(bot, { includeItem: 'POKER_ROOM' })).toEqual([]);
	expect(await statement(bot, { includeItem: 'DEPOSITS_WITHDRAWALS' })).toEqual([]);
	const at = Date.parse(first.itemDate);
	const within = (from: number, to: number) =>
		statement(bot, { itemDateRange: { from: new Date(from).toISOString(), to: new Date(to).toISOString() } });
	expect(await within(at, at)).toEqual([commission, second, first]);
	expect(await within(at + 1, at + 2)).toEqual([]);
	expect((await rpc(server, bot, 'getAccountStatement', { recordCount: 101 })).error.message).toBe('DSC-0018');
});

it('has deposits and withdrawals, alone where they are asked for, a withdrawal when it leaves and not while it is held', async () => {
	const bot = await openBot(server);
	const desk = new PaymentDesk(() => server);
	const player = { token: bot.siteToken, refreshToken: '', userId: bot.userId };
	const { reference } = await desk.order(player, 500);
	await desk.hear({ reference, status: 'SUCCESS', amount: 500_00, utr: desk.freshUtr() });
	const asked = {
		amount: 200,
		details: { method: 'UPI', upiId: 'asha@bank' } as const,
		clientRequestId: freshRequestId(),
	};
	const { id } = await server.result('createWithdrawal', asked, bot.siteToken);
	const moves = await statement(bot, { includeItem: 'DEPOSITS_WITHDRAWALS' });
	expect(moves.map(({ amount, legacyData }) => [amount, legacyData.transactionType])).toEqual([
		[500, 'ACCOUNT_CREDIT'],
	]);
	const all = await statement(bot);
	expect(all[0]).toEqual(moves[0]);
	expectSums(bot, all);
	expect(await statement(bot, { includeItem: 'EXCHANGE' })).toEqual([]);
	const withdrawal = Number(id.replace('WITHDRAWAL-', ''));
	expect(await desk.decide('WITHDRAWAL', withdrawal, 'approve')).toBe('APPROVED');
	const paidOut = () => statement(bot, { includeItem: 'DEPOSITS_WITHDRAWALS' });
	await expect.poll(async () => (await paidOut()).map(({ amount }) => amount)).toEqual([-200, 500]);
	expect((await paidOut())[0].refId).toBe(String(withdrawal));
	expectSums(bot, await statement(bot));
});

it('shows a market that was settled, reversed and settled anew: the first result, its reversal, and the bets of the last', async () => {
	const [bot, rival] = [await openBot(server), await openBot(server)];
	const match = await openTestMatch(server);
	await place(rival, match.marketId, limit(1, 'LAY', 3, 100));
	const [betId] = await place(bot, match.marketId, limit(1, 'BACK', 3, 100));
	await match.settle(0);
	await server.act('reopen', { marketId: match.marketId });
	const reversed = await statement(bot, { includeItem: 'EXCHANGE' });
	expect(reversed.map(({ refId, legacyData }) => [refId, legacyData.winLose])).toEqual([
		[match.marketId, 'RESULT_FIX'],
		[match.marketId, 'RESULT_ERR'],
	]);
	expect(cents(reversed[0].amount)).toBe(-cents(reversed[1].amount));
	await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
	const settled = await statement(bot, { includeItem: 'EXCHANGE' });
	expect(settled.map(({ refId, amount }) => [refId, amount])).toEqual([
		[betId, -100],
		...reversed.map(({ refId, amount }) => [refId, amount]),
	]);
	for (const of of [bot, rival]) expectSums(of, await statement(of));
});

onSeeds(
	[3, 4],
	'sums to what the player has after random bets and results, whatever the page (seed %i)',
	async (seed) => {
		let state = seed;
		const below = (most: number): number => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return Math.floor((state / 2 ** 32) * most);
		};
		const bots = [await openBot(server), await openBot(server)];
		for (let market = 0; market < 4; market++) {
			const match = await openTestMatch(server);
			for (let bet = 0; bet < 12; bet++) {
				const price = [1.67, 2.02, 3.05][below(3)] ?? 2;
				const order = limit(1 + below(2), bet % 2 === 0 ? 'BACK' : 'LAY', price, 10 + below(30) + 0.33);
				await place(bots[bet % 2] as Bot, match.marketId, order);
			}
			if (market < 3) await match.settle(below(2));
		}
		for (const bot of bots) {
			const items = await statement(bot, {}, 1 + below(7));
			expectSums(bot, items);
			const { clearedOrders } = await result(server, bot, 'listClearedOrders', { betStatus: 'SETTLED' });
			const ofBets = items.filter(({ legacyData }) => legacyData.betCategoryType === 'E');
			const byId = (one: string[], other: string[]) => Number(one[0]) - Number(other[0]);
			expect(ofBets.map(({ refId, amount }) => [refId, amount]).sort(byId as never)).toEqual(
				clearedOrders.map(({ betId, profit }: Wire) => [betId, profit]).sort(byId),
			);
		}
	},
	'thorough',
);
