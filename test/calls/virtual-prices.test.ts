/** Markets that match across runners: what players are shown, by calls and by the hub, and what they are matched with. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { HubMessages } from '#contract/hub-messages.ts';
import { CROSSING_WALLETS } from '#server/world/markets/open-market.ts';
import { expectSound } from '../support/audit.ts';
import { type HandMatch, openHandMatch } from '../support/hand-match.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

/** Ids of runners in the order of a football match by hand. */
const [HOME, AWAY, DRAW] = ['1', '2', '3'] as const;

let server: TestServer;
let rivals: readonly [Player, Player];
beforeAll(async () => {
	server = await TestServer.start();
	rivals = [await server.demoPlayer(), await server.demoPlayer()];
});
afterAll(() => server.dispose());

const place = (
	{ token }: Player,
	{ marketId }: HandMatch,
	[side, runnerId, price, stake]: readonly [side: 'BACK' | 'LAY', runnerId: string, price: number, stake: number],
) => server.result('placeBetV2', { marketId, runnerId, side, price, stake, clientRequestId: freshRequestId() }, token);

/** 66 at 3 and 33 at 6 pay 198 each, as 99 at 2 on the third runner does. */
async function backTheOthers(match: HandMatch): Promise<void> {
	await place(rivals[0], match, ['BACK', AWAY, 3, 66]);
	await place(rivals[1], match, ['BACK', DRAW, 6, 33]);
}
const VIRTUAL = { price: 2, size: 99 };

async function backsOfHome({ marketId }: HandMatch): Promise<readonly object[]> {
	const [book] = await server.result('getUserOddsV2', { marketIds: marketId }, rivals[0].token);
	return book?.runners.find(({ runnerId }) => runnerId === HOME)?.back ?? [];
}

describe('a market that matches across runners', () => {
	it('shows virtual prices beside real ones in books, lists and messages of the hub', async () => {
		const match = await openHandMatch(server, true);
		const heard: HubMessages['MarketBook'][] = [];
		onTestFinished(
			server.running.bus.subscribe(`market.${match.marketId}.DEMO`, ({ code, data }) => {
				if (code === 'MarketBook') heard.push(data as HubMessages['MarketBook']);
			}),
		);
		await place(rivals[1], match, ['LAY', HOME, 1.9, 20]);
		await backTheOthers(match);
		const shown = [VIRTUAL, { price: 1.9, size: 20 }];
		expect(await backsOfHome(match)).toEqual(shown);
		await expect
			.poll(() => heard.flatMap(({ runners }) => runners).findLast(({ runnerId }) => runnerId === HOME)?.back)
			.toEqual(shown);
		const listed = await server.result('closest', { take: '100' }, rivals[0].token);
		expect(listed.find(({ id }) => id === match.eventId)?.mainMarket?.runners[0]?.back).toEqual(VIRTUAL);
	});

	it('shows none while a runner is suspended, and tells those who look', async () => {
		const match = await openHandMatch(server, true);
		const images: HubMessages['MarketBook'][] = [];
		onTestFinished(
			server.running.bus.subscribe(`market.${match.marketId}.DEMO`, ({ code, data }) => {
				const book = data as HubMessages['MarketBook'];
				if (code === 'MarketBook' && book.kind === 'IMAGE') images.push(book);
			}),
		);
		await backTheOthers(match);
		const shownLast = () => images.at(-1)?.runners.find(({ runnerId }) => runnerId === HOME)?.back;
		await server.act('suspend-runner', { marketId: match.marketId, runner: 'The Draw' });
		await expect.poll(shownLast).toEqual([]);
		expect(await backsOfHome(match)).toEqual([]);
		await server.act('resume-runner', { marketId: match.marketId, runner: 'The Draw' });
		await expect.poll(shownLast).toEqual([VIRTUAL]);
	});

	it('matches a bet at a shown price with exactly what is shown, at no cost to the house, whoever wins', async () => {
		for (const winner of [HOME, AWAY, DRAW]) {
			const match = await openHandMatch(server, true);
			await backTheOthers(match);
			const player = await server.demoPlayer();
			const before = server.running.exchange.wallet(CROSSING_WALLETS.DEMO)?.cash ?? Number.NaN;
			const placed = await place(player, match, ['BACK', HOME, 2, 150]);
			expect(placed).toMatchObject({ matchedStake: 99, averagePrice: 2, remainingStake: 51 });
			expect(await backsOfHome(match)).toEqual([]);
			expect(server.running.exchange.wallet(CROSSING_WALLETS.DEMO)?.exposure).toBe(0);
			await server.act('close', { marketId: match.marketId });
			const results = [HOME, AWAY, DRAW].map((runner) => (runner === winner ? 'WIN' : 'LOSE'));
			await server.act('settle', { marketId: match.marketId, results });
			// 99 at 2, less the commission of two per cent.
			expect(server.money(player)).toEqual([winner === HOME ? 20_097.02 : 19_901, 0]);
			expect(server.running.exchange.wallet(CROSSING_WALLETS.DEMO)?.cash).toBe(before);
		}
		await expectSound(server.database.db);
	});

	it('takes a trader’s quotes as legs, and the ledger agrees', async () => {
		const match = await openHandMatch(server, true);
		const prices = [2, 4.2, 4.2].map((lay, at) => ({ back: at === 0 ? 1.9 : 3.8, lay }));
		const quoted = { marketId: match.marketId, seenVersion: match.version, prices, size: 1_000 };
		await server.act('price-market', quoted);
		// Backs of 1,000 at 4.2 on both others pay 4,200 each, as 2,210.54 at 1.90 does with their stakes rounded down to paise.
		const [best] = await backsOfHome(match);
		expect(best).toEqual({ price: 1.9, size: 3_210.54 });
		const player = await server.demoPlayer();
		const placed = await place(player, match, ['BACK', HOME, 1.9, 3_300]);
		expect(placed).toMatchObject({ matchedStake: 3_210.54, remainingStake: 89.46, averagePrice: 1.9 });
		await expectSound(server.database.db);
	});
});

it('a market without the flag shows and matches its own books alone', async () => {
	const match = await openHandMatch(server, false);
	await backTheOthers(match);
	expect(await backsOfHome(match)).toEqual([]);
	expect(await place(await server.demoPlayer(), match, ['BACK', HOME, 2, 150])).toMatchObject({ matchedStake: 0 });
});

it('only markets with one winner and runners that stay are opened with it', async () => {
	const { eventId } = await openHandMatch(server, false);
	const template = { eventId, template: 'Double Chance', crossMatching: true };
	expect((await server.operator('event-open-market', template)).code).toBe('VALIDATION_FAILED');
	const { templates } = await server.act<{ templates: { name: string; mayCross: boolean }[] }>('event-show', {
		eventId,
	});
	expect(templates.filter(({ mayCross }) => !mayCross).map(({ name }) => name)).toEqual(['Double Chance', 'Bookmaker']);
	const race = { eventId, name: 'A race', type: 'WIN', runners: ['One', 'Two', 'Three'], crossMatching: true };
	const { body } = await server.operator('open-market', race);
	expect(body.error).toMatchObject({
		message: 'Bets are matched across runners only where one of them wins and none can be removed.',
	});
	await server.act('open-market', { ...race, name: 'A vote', type: 'OUTRIGHT' });
});
