/**
 * The value of cashing out of a market by the durable state: the quote that a player sees, and the hint that a target
 * may be reached. The engine computes the cash-out again, by the same functions, when it applies it.
 */
import type { BetRecord, Exchange, WalletRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { limitIn } from '#values/currencies.ts';
import { exposureMinor } from '#values/exposure.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import { type CashOutSituation, type MarketCashOut, type NoCashOut, planMarket } from '#values/market-cash-out.ts';

interface Standing {
	/** Net per runner of matched bets, or per line where prices are lines; minor units. */
	nets: number[];
	/** For cashing out in full. */
	plan: MarketCashOut | NoCashOut;
	/** For cashing out the share that was asked for. */
	part: MarketCashOut | NoCashOut;
}

/** @param share of the position, above 0, 1 for all of it */
export function standing(exchange: Exchange, walletId: WalletId, marketId: MarketId, share = 1): Standing {
	const market = exchange.market(marketId);
	const wallet = exchange.wallet(walletId);
	const nets = exchange.profitLoss(walletId, marketId)?.runners ?? [];
	const bets = exchange.openBets(walletId, marketId);
	if (!market || !wallet || bets.length === 0)
		return { nets, plan: 'NOTHING_TO_CASH_OUT', part: 'NOTHING_TO_CASH_OUT' };
	const situation = situationOf(exchange, market, wallet, bets);
	const plan = planMarket(situation, 1);
	return { nets, plan, part: share === 1 ? plan : planMarket(situation, share) };
}

/** As the engine counts it: a bet on close is outside the book, too. */
const delayOf = ({ delay, onClose, remaining }: BetRecord): 'HEDGE' | 'BET' | null =>
	delay?.cashOut ? 'HEDGE' : delay || (onClose && remaining > 0) ? 'BET' : null;

/**
 * @param bets the player's bets in that market, newest first
 */
function situationOf(
	exchange: Exchange,
	market: NonNullable<ReturnType<Exchange['market']>>,
	wallet: WalletRecord,
	bets: readonly BetRecord[],
): CashOutSituation {
	const { runners } = exchange.book(market.marketId, wallet.pool) ?? { runners: [] };
	const figures = positionOf(market, bets);
	const held = exposureMinor(figures);
	const inPool = (limit: number) => limitIn(wallet.currency, limit);
	const ofMarket = { maxStake: inPool(market.maxStake), maxProfit: inPool(market.maxProfit) };
	const mostInMarket = inPool(market.maxExposure) || Number.POSITIVE_INFINITY;
	const mostInAll = wallet.limits?.maxExposure || Number.POSITIVE_INFINITY;
	const isDelayed = market.inPlay && market.betDelayMs > 0;
	return {
		figures,
		bets: bets
			.map((bet) => ({
				...bet,
				delayed: delayOf(bet),
			}))
			.reverse(),
		depths: Array.from({ length: market.runners }, (_, at) => runners[at] ?? { back: [], lay: [] }),
		limits: wallet.limits ? [ofMarket, wallet.limits] : [ofMarket],
		suspended: new Set(market.suspended),
		delay: isDelayed
			? { held, cash: wallet.cash, mostHeld: Math.min(mostInMarket, mostInAll - (wallet.exposure - held)) }
			: null,
	};
}
