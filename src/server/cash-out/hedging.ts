/** What cashing out of a market would come to at the prices of the moment, and the bets that do it. */
import type { Done, Exchange, RequestKey } from '#server/exchange/exchange.ts';
import { type CashOutPlan, type Hedge, planCashOut } from '#values/cash-out.ts';

export interface Standing {
	/** Net per runner of matched bets, paise. */
	nets: number[];
	/** All outcomes come to the same, or the market has not one winner: there is nothing to hedge. */
	level: boolean;
	/** Null when the book is too thin. */
	plan: CashOutPlan | null;
}

/** @param share of the position to hedge, 1 for all of it */
export function standing(exchange: Exchange, walletId: number, marketId: number, share = 1): Standing {
	const pool = exchange.wallet(walletId)?.pool;
	const nets = exchange.profitLoss(walletId, marketId)?.runners ?? [];
	const level = exchange.market(marketId)?.numberOfWinners !== 1 || nets.every((net) => net === nets[0]);
	if (level || !pool) return { nets, level: true, plan: null };
	const book = exchange.book(marketId, pool);
	const depths = nets.map((_, runner) => book?.runners[runner] ?? { back: [], lay: [] });
	return { nets, level, plan: planCashOut(nets, depths, share) };
}

/** Places a hedge whole, at its limit or better, or not at all. @throws Refused */
export async function hedge(
	exchange: Exchange,
	walletId: number,
	marketId: number,
	{ runner, side, stake, limit }: Hedge,
	key?: RequestKey,
): Promise<Done> {
	return await exchange.submit(
		{
			kind: 'place-bet',
			walletId,
			marketId,
			runner,
			side,
			price: limit,
			stake,
			persist: false,
			fillOrKill: true,
		},
		key,
	);
}
