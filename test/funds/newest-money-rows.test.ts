/** The newest rows of a player's money, read from the newest postings alone: the same as the whole list has them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MONEY_ROW, MONEY_ROWS, type MoneyRow, NEWEST_FIRST } from '#server/money/funds/money-rows.ts';
import { newestMoneyRows } from '#server/money/funds/newest-money-rows.ts';
import { netsOfPlayer } from '#server/money/funds/player-standing.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { freshRequestId, openTestMatch } from '../support/match.ts';
import { PlantedLedger } from '../support/planted-ledger.ts';
import { type Player, TestServer } from '../support/server.ts';

/** More postings than one read takes. */
const BETS = 700;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

/** Many bets on some markets, cancellations, settlements, a reversal, and rounds between them. */
async function play(numbers: SeededNumbers, [player, other]: readonly [Player, Player]): Promise<void> {
	const { exchange } = server.running;
	for (let market = 0; market < 7; market++) {
		const match = await openTestMatch(server);
		const marketId = Number(match.marketId);
		const bet = ({ userId: walletId }: Player, side: 0 | 1, stake: number) =>
			exchange.submit({ kind: 'place-bet', walletId, marketId, runner: 0, side, price: 200, stake, persist: false });
		const placed = await Promise.all(
			Array.from({ length: BETS / 7 }, (_, at) => bet(at % 3 === 0 ? other : player, at % 3 === 0 ? 1 : 0, 1_000)),
		);
		for (const { betId } of placed.slice(0, 5)) {
			const owner = exchange.bet(betId ?? 0)?.walletId;
			if (owner === player.userId && (exchange.bet(betId ?? 0)?.remaining ?? 0) > 0)
				await exchange.submit({ kind: 'cancel-bet', walletId: owner, betId: betId ?? 0 });
		}
		const bets = [{ stake: 10, bet: 'heads' }];
		await server.result('playRound', { game: 'coin-flip', bets, clientRequestId: freshRequestId() }, player.token);
		await match.settle(numbers.below(2));
		if (market % 3 === 2) {
			await server.act('reopen', { marketId: match.marketId });
			await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
		}
	}
}

/** The sums of the rows. */
function netsOf(rows: readonly MoneyRow[]) {
	const sumOf = (...categories: string[]) =>
		rows.reduce((sum, { category, amount }) => sum + (categories.includes(category) ? amount : 0), 0);
	return { netDeposits: sumOf('DEPOSIT', 'WITHDRAWAL'), netPosition: sumOf('SPORTS', 'CASINO') };
}

const allRows = async (playerId: number) =>
	(
		await server.database.db.query<MoneyRow>(
			`select ${MONEY_ROW} from (${MONEY_ROWS}) as money order by ${NEWEST_FIRST}`,
			[playerId],
		)
	).rows;

it('of deposits and withdrawals come to the sums that the page of a player shows', async () => {
	const { db } = server.database;
	const ledger = new PlantedLedger(900_000_000);
	const playerId = 900_000;
	ledger.deposit(playerId, 500, 1);
	ledger.deposit(playerId, 300, 2);
	ledger.withdrawal(playerId, 200, 3);
	await ledger.write(db);
	expect(await netsOfPlayer(db, playerId)).toEqual(netsOf(await allRows(playerId)));
	expect((await netsOfPlayer(db, playerId)).netDeposits).toBeGreaterThan(0);
});

it('are those of the whole list, with their balances, whatever their number', async () => {
	const both = [await server.demoGambler(), await server.demoPlayer()] as const;
	await play(new SeededNumbers(4), both);
	const { db } = server.database;
	const [{ userId }] = both;
	const all = await allRows(userId);
	expect(all.length).toBeGreaterThan(BETS / 2);
	expect(await netsOfPlayer(db, userId)).toEqual(netsOf(all));
	expect(netsOf(all).netPosition).not.toBe(0);
	expect(all[0]?.balanceAfter).toBe(server.running.exchange.wallet(userId)?.cash);
	for (const count of [1, 50, 300, all.length, all.length + 10])
		expect([count, await newestMoneyRows(db, userId, count)]).toEqual([count, all.slice(0, count)]);
});
