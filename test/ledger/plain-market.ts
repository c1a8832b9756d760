/** A market as most tests of the ledger want it: of two runners, open, in play money, without commission. */
import type { OpenMarket } from '#engine/command.ts';

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
