/** A bet on a round of everybody's that its player has ended, written down and still to be paid. */
import type { TestServer } from './server.ts';

/** @param round of a game that the server does not run, or far ahead of those it runs */
export async function writeUnpaidCashOut(
	{ running, database }: TestServer,
	walletId: number,
	{ game, round }: { game: string; round: number },
): Promise<void> {
	const { workflows = [] } = await running.exchange.submit({
		kind: 'transfer',
		walletId,
		pool: 'DEMO',
		steps: [
			{
				workflow: 'CASINO',
				from: null,
				to: 'OPEN',
				isOpen: true,
				actor: 'player',
				data: { game, round, slot: 1, stake: 1_000, terms: {}, payout: 0, outcome: null },
				claims: [],
				moves: [{ debit: 'cash', credit: 'casino', amount: 1_000 }],
			},
		],
	});
	const decisions = JSON.stringify([{ bet: workflows[0]?.id, payout: 1_500, outcome: {} }]);
	await database.db.query('insert into table_decision values ($1, $2, 1, $3)', [game, round, decisions]);
}
