/** A market as most tests of the ledger want it: of two runners, open, in play money, without commission; and bets in it. */
import type { OpenMarket } from '#engine/command.ts';
import type { Request } from '#server/exchange/exchange.ts';
import type { SideCode } from '#values/sides.ts';

/** The request that opens it. @param terms what the test wants otherwise */
export const plainMarket = (marketId: number, terms: Partial<OpenMarket> = {}): OpenMarket => ({
	kind: 'open-market',
	marketId,
	pools: ['PLAY'],
	runners: 2,
	numberOfWinners: 1,
	commissionBp: 0,
	minStake: 10,
	maxStake: 1_000_000,
	profitRatioRule: false,
	selfMatch: 'REFUSE',
	suspended: false,
	...terms,
});

/** The request for a bet on the first runner, which meets the bets of the other side at its price. */
export const plainBet = (marketId: number, walletId: number, side: SideCode, price = 200): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side,
	price,
	stake: 1_000,
	persist: false,
});
