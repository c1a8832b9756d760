/** Moves money between a player's cash and the house's losses, below zero too, as a correction that operators posted. */
import type { Player, TestServer } from './server.ts';

/** @param rupees what the player gets; below zero, what is taken */
export async function adjust(
	{ running }: TestServer,
	{ userId }: Pick<Player, 'userId'>,
	rupees: number,
): Promise<void> {
	const [debit, credit] = rupees < 0 ? (['cash', 'loss'] as const) : (['loss', 'cash'] as const);
	const amount = Math.round(Math.abs(rupees) * 100);
	await running.exchange.submit({
		kind: 'transfer',
		walletId: userId,
		pool: running.exchange.wallet(userId)?.pool ?? 'PLAY',
		steps: [
			{
				workflow: 'ADJUSTMENT',
				from: null,
				to: 'POSTED',
				isOpen: false,
				actor: 'test',
				data: { amount, isCredit: rupees >= 0, reasonCode: 'TEST', requestedBy: 'test' },
				moves: [{ debit, credit, amount, mayOverdraw: true }],
			},
		],
	});
}
