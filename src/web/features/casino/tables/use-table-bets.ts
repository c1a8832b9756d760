/** The player's requests at a table. */
import { call } from '#web/api/client.ts';
import { newRequestId } from '#web/api/request-id.ts';
import {
	clearRefusal,
	receiveBet,
	refresh,
	removeBet,
	type TableBet,
	useTable,
} from '#web/features/casino/tables/table-store.ts';
import { type Requests, useRequests, walletShower } from '#web/features/casino/use-requests.ts';
import type { StakedBet } from '#web/features/casino/use-round.ts';

type Act = 'place' | 'cancel';

export interface TableBetting extends Omit<Requests<Act>, 'ask'> {
	/** @returns whether the bets stand or wait */
	place: (bets: readonly StakedBet[]) => Promise<boolean>;
	/** Takes bets back, one request after the other. */
	cancelBets: (bets: readonly TableBet[]) => Promise<boolean>;
}

export function useTableBets(): TableBetting {
	const { ask, ...requests } = useRequests<Act>({ begin: clearRefusal, fail: () => void refresh() });

	function place(bets: readonly StakedBet[]): Promise<boolean> {
		const { game } = useTable.getState();
		const request = { game, bets: [...bets], clientRequestId: newRequestId() };
		return ask('place', async () => {
			const show = walletShower();
			const { bet, balance, exposure } = await call('placeTableBet', request);
			receiveBet(bet);
			show(balance, exposure);
		});
	}

	const cancelBets = (bets: readonly TableBet[]): Promise<boolean> =>
		ask('cancel', async () => {
			for (const { game, betId } of bets) {
				const show = walletShower();
				const { balance, exposure } = await call('cancelTableBet', { game, betId });
				removeBet(betId);
				show(balance, exposure);
			}
		});

	return { ...requests, place, cancelBets };
}
