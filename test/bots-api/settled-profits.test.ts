/** The profit of a market that is settled while a bot asks for it: each bet counts once. */
import { expect, it } from 'vitest';
import { BOOK_OPERATIONS } from '#server/doors/bots-api/book-operations.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';

const MARKET = 5;
/** Of 20.00, or of minus 10.00. */
const NETS = [2_000, -1_000];

/** An exchange with a bet of the player, which may be settled in the tables before the memory has it. */
function openExchange() {
	const settled = { inMemory: false, inTables: false };
	let version = 1;
	const listing = {
		id: MARKET,
		type: 'MATCH_ODDS',
		fixtureId: 1,
		commissionBp: 0,
		lineRange: null,
		runners: [
			{ id: '1.1-1', name: 'India' },
			{ id: '1.1-2', name: 'Nepal' },
		],
	};
	const parts = (onRead: () => void) =>
		({
			fixtures: { market: () => listing, fixture: () => ({ id: 1, sportId: 3 }) },
			exchange: {
				market: () => ({ status: settled.inMemory ? 'SETTLED' : 'CLOSED', pools: ['PLAY'] }),
				wallet: () => ({ version, commissionBp: 0 }),
				openBets: () => (settled.inMemory ? [] : [{ betId: 1 }]),
				profitLoss: () => (settled.inMemory ? null : { runners: NETS }),
			},
			reads: {
				query: async () => {
					const rows = settled.inTables ? [{ marketId: MARKET, exact: 200_000, parts: 1 }] : [];
					onRead();
					return { rows };
				},
			},
		}) as unknown as BotParts;
	return {
		parts,
		settle: (where: 'inMemory' | 'inTables') => {
			settled[where] = true;
			if (where === 'inMemory') version += 1;
		},
	};
}

const caller = {
	login: { playerId: 7, pool: 'PLAY' },
	visitor: { brand: { pool: 'PLAY', setting: { cricket: true } } },
	closedSports: new Set(),
} as unknown as BotCaller;

async function profits(parts: BotParts): Promise<number[]> {
	const input = { marketIds: [`1.${MARKET}`], includeSettledBets: true };
	const answer = await BOOK_OPERATIONS.listMarketProfitAndLoss.run(parts, input as never, caller);
	const [{ profitAndLosses }] = answer as [{ profitAndLosses: { ifWin: number }[] }];
	return profitAndLosses.map(({ ifWin }) => ifWin);
}

it('counts bets that are settled while the tables are read', async () => {
	const { parts, settle } = openExchange();
	let reads = 0;
	const answered = profits(
		parts(() => {
			reads += 1;
			if (reads > 1) return;
			settle('inTables');
			settle('inMemory');
		}),
	);
	expect(await answered).toEqual([20, 20]);
});

it('counts bets once that are settled in the tables and not yet in the memory', async () => {
	const { parts, settle } = openExchange();
	settle('inTables');
	expect(await profits(parts(() => undefined))).toEqual([20, -10]);
});
