/** Possible wins and losses in a market: by wallet, and for the house as one position. */
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { matchedPositionOf } from '#server/exchange/views/own-position.ts';
import { flatMapInTurns, visitInTurns } from '#server/platform/pacing/in-turns.ts';
import { exposureMinor, shownNets } from '#values/exposure.ts';
import type { WalletId } from '#values/ids.ts';
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

/** The bets of which something is matched, by wallet. */
type MatchedByWallet = ReadonlyMap<WalletId, readonly BetRecord[]>;

/** @param bets of one market; they are taken in turns of the event loop */
export async function matchedByWallet(bets: Iterable<BetRecord>): Promise<MatchedByWallet> {
	const byWallet = new Map<WalletId, BetRecord[]>();
	await visitInTurns(bets, (bet) => {
		if (bet.matched === 0) return;
		const own = byWallet.get(bet.walletId);
		if (own) own.push(bet);
		else byWallet.set(bet.walletId, [bet]);
	});
	return byWallet;
}

/** The standings of a market's wallets. */
export const standingsOf = (market: MarketView, matched: MatchedByWallet): Promise<Standing[]> =>
	flatMapInTurns(matched, ([walletId, own]) => [standingOf(market, walletId, own)]);

/** Those of them that are of the house. */
export const betsOfHouse = (matched: MatchedByWallet): BetRecord[] =>
	[...matched].flatMap(([walletId, own]) => (walletId < FIRST_PLAYER_ID ? own : []));

function standingOf(market: MarketView, walletId: number, bets: readonly BetRecord[]): Standing {
	const position = matchedPositionOf(market, bets);
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
