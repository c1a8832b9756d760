/** Bets on a match, alone and between two accounts; the results come from operators. */
import { freshRequestId } from '../../support/match.ts';
import type { Account } from '../account.ts';
import type { Acts } from '../step.ts';
import { type AttackedMarket, pick, type World } from '../world.ts';

/** Rupees. */
export const STAKES = [400, 100, 250, 50, 1_000, 5_000, 20] as const;
export const PRICES = [2, 1.01, 1.1, 3, 1.5, 10] as const;
/** Of a position, in a cash-out. */
const FRACTIONS = [1, 0.37, 0.5] as const;
/** Of the bookmaker market: what 100 of stake win, and cost. */
const HOUSE_PRICES = { BACK: 2, LAY: 2.01 } as const;

interface Asked {
	side: 'BACK' | 'LAY';
	runner: number;
	price: number;
	stake: number;
}

async function place(account: Account, market: AttackedMarket, { side, runner, price, stake }: Asked): Promise<void> {
	await account.call('placeBetV2', {
		marketId: market.marketId,
		runnerId: market.runnerIds[runner % 2] as string,
		side,
		price: market.isHouse ? HOUSE_PRICES[side] : price,
		stake: account.amount(stake),
		clientRequestId: freshRequestId(),
	});
}

const marketsOf = (world: World): readonly AttackedMarket[] => world.openMatch?.markets ?? [];
const sideOf = (number: number) => (number % 2 === 0 ? 'BACK' : 'LAY') as 'BACK' | 'LAY';

export const BETTING: Acts = {
	bet: {
		weight: 5,
		run: async (world, [who, market, what, stake]) => {
			const found = pick(marketsOf(world), market);
			const asked = { side: sideOf(what), runner: what >> 1, price: pick(PRICES, what >> 2) ?? 2 };
			if (found) await place(world.account(who), found, { ...asked, stake: pick(STAKES, stake) ?? 100 });
		},
	},
	/** The second account takes what the first one offers. */
	meet: {
		weight: 4,
		run: async (world, [one, other, what, stake]) => {
			const [market] = marketsOf(world);
			if (!market) return;
			const asked = { runner: what >> 1, price: pick(PRICES, what >> 2) ?? 2, stake: pick(STAKES, stake) ?? 100 };
			await place(world.account(one), market, { ...asked, side: sideOf(what) });
			await place(world.account(other), market, { ...asked, side: sideOf(what + 1) });
		},
	},
	cancel: {
		weight: 1,
		run: async (world, [who]) => {
			await world.account(who).call('cancelAll', { clientRequestId: freshRequestId() });
		},
	},
	'cash-out': {
		weight: 1,
		run: async (world, [who, market, part]) => {
			const marketId = pick(marketsOf(world), market)?.marketId;
			if (!marketId) return;
			const account = world.account(who);
			const { result } = await account.call('cashOutQuote', { marketId });
			if (!result || result.unavailable) return;
			const { quoteVersion } = result;
			await account.call('cashOut', {
				marketId,
				fraction: pick(FRACTIONS, part) ?? 1,
				quoteVersion,
				clientRequestId: freshRequestId(),
			});
		},
	},
	settle: {
		weight: 2,
		run: async (world, [winner]) => {
			const open = world.openMatch;
			if (!open) return;
			world.touchesAll = true;
			const { server } = world.site;
			for (const { marketId } of open.markets) {
				await server.act('close', { marketId });
				await server.act('settle', { marketId, winners: [winner % 2 === 0 ? 'India' : 'Nepal'] });
			}
			open.isSettled = true;
			open.winner = winner % 2 === 0 ? 0 : 1;
			await world.addMatch();
		},
	},
	void: {
		weight: 0.3,
		run: async (world) => {
			const open = world.openMatch;
			if (!open) return;
			world.touchesAll = true;
			for (const { marketId } of open.markets) await world.site.server.act('void', { marketId });
			open.isSettled = true;
			await world.addMatch();
		},
	},
};
