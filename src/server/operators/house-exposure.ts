/** Possible wins and losses in a market: by wallet, and for the house as one position. */
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { flatMapInTurns, groupInTurns } from '#server/platform/pacing/in-turns.ts';
import { exposureMinor, shownNets } from '#values/exposure.ts';
import { majorFromMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';

/** A wallet's matched bets in a market; amounts in minor units. */
export interface Standing {
	walletId: number;
	pool: Pool;
	outcomes: number[];
	worst: number;
	bets: number;
}

/** The standings of a market's wallets. @param bets of this market and perhaps of further ones */
export async function standingsOf(market: MarketView, bets: readonly BetRecord[]): Promise<Standing[]> {
	const matched = bets.filter((bet) => bet.marketId === market.marketId && bet.matched > 0);
	const byWallet = await groupInTurns(matched, ({ walletId }) => walletId as number);
	return await flatMapInTurns(byWallet, ([walletId, own]) => [standingOf(market, walletId, own)]);
}

function standingOf(market: MarketView, walletId: number, bets: readonly BetRecord[]): Standing {
	const position = positionOf(
		market,
		bets.map((bet) => ({ ...bet, remaining: 0 })),
	);
	return {
		walletId,
		pool: bets[0]?.pool ?? 'PLAY',
		outcomes: shownNets(position),
		worst: 0 - exposureMinor(position),
		bets: bets.length,
	};
}

export const isHouse = ({ walletId }: Standing): boolean => walletId < FIRST_PLAYER_ID;

/** The bets of several wallets as one position; amounts in minor units. */
export const combinedStanding = (market: MarketView, bets: readonly BetRecord[]): Standing =>
	standingOf(market, 0, bets);

/** The combined position of the house's wallets of a pool. */
export function houseExposure(market: MarketView, bets: readonly BetRecord[]) {
	const ofHouse = bets.filter(({ walletId, matched }) => walletId < FIRST_PLAYER_ID && matched > 0);
	return [...Map.groupBy(ofHouse, ({ pool }) => pool)].map(([pool, own]) => {
		const { outcomes, worst } = combinedStanding(market, own);
		return { pool, outcomes: outcomes.map(majorFromMinor), worst: majorFromMinor(worst) };
	});
}
