/** What a wallet could lose in a market with further unmatched bets; nothing changes. */
import type { ExposureWith, UnmatchedPart } from '#engine/engine.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { NONE } from '#engine/rows.ts';
import { addUnmatched, copyOf, emptyFigures, exposureMinor } from '#values/exposure.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import { stepOf } from '#values/pools.ts';

/** Zeros for an unknown market or wallet. @param bets a stake below zero takes one away */
export function exposureWith(
	{ markets, accounts, positions }: EngineState,
	{ walletId, marketId }: { walletId: WalletId; marketId: MarketId },
	bets: readonly UnmatchedPart[],
): ExposureWith {
	const market = markets.get(marketId);
	const wallet = accounts.wallets.find(walletId);
	if (!market || wallet === NONE) return { now: 0, with: 0 };
	const position = positions.find(market, wallet);
	const { runners, winners, eachWay, line } = market.shape;
	const step = stepOf(accounts.wallets.pool(wallet));
	const figures =
		position === NONE
			? emptyFigures(runners, winners, { eachWay, line, step, out: market.outOfRace })
			: copyOf(positions.figures(position));
	const now = exposureMinor(figures);
	for (const { runner, side, price, stake } of bets) addUnmatched(figures, runner, side, price, stake);
	return { now, with: exposureMinor(figures) };
}
