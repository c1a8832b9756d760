/** What cashing out of a market would come to at the prices of the moment, and the bets that do it. */
import type { BetRecord, Done, Exchange, RequestKey } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/own-position.ts';
import { planCashOut } from '#values/cash-out.ts';
import { type Matched, planByRunner, withBet } from '#values/cash-out-by-runner.ts';
import { planOnALine } from '#values/cash-out-on-a-line.ts';
import { RISING } from '#values/exposure.ts';
import type { CashOutPlan, Hedge, RunnerDepth } from '#values/hedge.ts';

/** Why there is no cashing out: nothing to hedge, too little to hedge with, or at such prices that it lowers no loss. */
export type NoPlan = 'NOTHING_TO_CASH_OUT' | 'BOOK_TOO_THIN' | 'CASH_OUT_TOO_DEAR';

export interface Standing {
	/** Net per runner of matched bets, where prices are lines per line; paise. */
	nets: number[];
	plan: CashOutPlan | NoPlan;
}

/** @param share of the position to hedge, 1 for all of it */
export function standing(exchange: Exchange, walletId: number, marketId: number, share = 1): Standing {
	const market = exchange.market(marketId);
	const pool = exchange.wallet(walletId)?.pool;
	const nets = exchange.profitLoss(walletId, marketId)?.runners ?? [];
	const bets = exchange.openBets(walletId).filter((bet) => bet.marketId === marketId && bet.matched > 0);
	if (!market || !pool || bets.length === 0) return { nets, plan: 'NOTHING_TO_CASH_OUT' };
	const book = exchange.book(marketId, pool);
	const depths = Array.from({ length: market.runners }, (_, at) => book?.runners[at] ?? { back: [], lay: [] });
	// Who bought a fancy's line can only buy its NO of the house, at the house's rates.
	if (market.numberOfWinners === RISING) return { nets, plan: 'NOTHING_TO_CASH_OUT' };
	return { nets, plan: judged(planFor(market, bets, nets, depths, share)) };
}

function planFor(
	market: NonNullable<ReturnType<Exchange['market']>>,
	bets: readonly BetRecord[],
	nets: readonly number[],
	depths: readonly RunnerDepth[],
	share: number,
): CashOutPlan | null {
	if (market.numberOfWinners === 1) return planCashOut(nets, depths, share, new Map(market.removed));
	const matched = positionOf(
		market,
		bets.map((bet) => ({ ...bet, remaining: 0 })),
	);
	if (matched.line) return planOnALine(matched, depths[0] as RunnerDepth, share);
	const byRunner: Matched[] = depths.map(() => ({ stake: 0, value: 0 }));
	for (const { runner, side, matched: stake, matchedValue: value } of bets) {
		byRunner[runner] = withBet(byRunner[runner] as Matched, { side, stake, value });
	}
	return planByRunner(matched, byRunner, depths, share);
}

/** A plan is worth something when it leaves more for certain than there is without it. */
function judged(plan: CashOutPlan | null): CashOutPlan | NoPlan {
	if (!plan) return 'BOOK_TOO_THIN';
	if (plan.hedges.length === 0) return 'NOTHING_TO_CASH_OUT';
	return plan.certain > plan.before ? plan : 'CASH_OUT_TOO_DEAR';
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
