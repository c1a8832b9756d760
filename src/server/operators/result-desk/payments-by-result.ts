/** Who gains and who loses by a result: the house by pool, and the players with the largest wins and losses. */
import type { MarketView } from '#engine/engine.ts';
import type { MatchedBet } from '#engine/market-types/runner-result.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { netsBy, stepOfWallet } from '#server/operators/result-previews.ts';
import { visitInTurns } from '#server/platform/pacing/in-turns.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';
import { Refused } from '#values/error-catalogue.ts';
import { commissionMinor } from '#values/liability.ts';
import { majorFromMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Listed of each side. */
const LARGEST = 3;

type Paid = BetRecord & MatchedBet;

/**
 * Amounts in major units. The void moves nothing.
 * @returns null for a ruling that does not settle the market
 */
export async function paymentsBy(
	{ exchange, players }: Pick<OperatorOptions, 'exchange' | 'players'>,
	market: MarketView,
	bets: readonly Paid[],
	ruling: Ruling,
) {
	const nets = await netsOrNull(market, bets, ruling);
	if (!nets) return null;
	const house = new Map<string, number>();
	const moved: { walletId: number; pool: string; amount: number }[] = [];
	const pools = new Map(bets.map(({ walletId, pool }) => [walletId as number, pool]));
	await visitInTurns(nets, ([walletId, net]) => {
		const pool = pools.get(walletId) ?? '';
		const wallet = exchange.wallet(walletId);
		const commission = commissionMinor(net, wallet?.commissionBp ?? market.commissionBp, stepOfWallet(wallet));
		const isHouse = walletId < FIRST_PLAYER_ID;
		house.set(pool, (house.get(pool) ?? 0) + (isHouse ? net : commission));
		if (!isHouse && net !== 0) moved.push({ walletId, pool, amount: net - commission });
	});
	moved.sort((one, other) => other.amount - one.amount);
	const winners = moved.filter(({ amount }) => amount > 0);
	const losers = moved.filter(({ amount }) => amount < 0);
	return {
		house: [...house].map(([pool, amount]) => ({ pool, amount: majorFromMinor(amount) })),
		winners: winners.length,
		losers: losers.length,
		largest: [...winners.slice(0, LARGEST), ...losers.slice(-LARGEST).toReversed()].map(
			({ walletId, pool, amount }) => ({
				playerId: String(walletId),
				player: players.user(walletId).userName,
				brand: players.brandOf(walletId),
				pool,
				amount: majorFromMinor(amount),
			}),
		),
	};
}

async function netsOrNull(market: MarketView, bets: readonly Paid[], ruling: Ruling) {
	if (ruling === 'VOID') return new Map<number, number>();
	try {
		return await netsBy(market, bets, ruling);
	} catch (error) {
		if (error instanceof Refused && error.code === 'INCOMPLETE_RESULT') return null;
		throw error;
	}
}
