/** The limits of a round at a provider: those of the game when the round began. Amounts are minor units. */

import type { RoundTerms } from '#server/exchange/order/workflow-data.ts';
import type { ProviderGame } from '#server/money/casino/providers/provider.ts';
import { LARGEST_FREE_WIN_MINOR, LARGEST_PROVIDER_PAYMENT_MINOR, LARGEST_STAKE_MINOR } from '#values/house-limits.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/** A provider that has not ended a round after this time never will. */
export const GIVEN_UP_MS = 14 * DAY_MS;

const inMinor = (rupees: number): AnyMinor => Math.round(rupees * MINOR_PER_MAJOR);

/** Of a round from before rounds stored their terms. */
export const HOUSE_TERMS: RoundTerms = {
	leastStake: 0,
	mostStaked: LARGEST_STAKE_MINOR,
	mostPaid: LARGEST_PROVIDER_PAYMENT_MINOR,
	mostFree: LARGEST_FREE_WIN_MINOR,
};

/** The game's own limits, if they are narrower than the house's. */
export function termsOf({ minStake, maxStake, maxPayout, maxFreeWin }: ProviderGame): RoundTerms {
	const mostPaid = Math.min(inMinor(maxPayout), HOUSE_TERMS.mostPaid);
	return {
		leastStake: inMinor(minStake),
		mostStaked: Math.min(inMinor(maxStake), HOUSE_TERMS.mostStaked),
		mostPaid,
		mostFree: Math.min(maxFreeWin === null ? HOUSE_TERMS.mostFree : inMinor(maxFreeWin), mostPaid),
	};
}

/** A tip is no bet on the game, so only the house's limit applies. */
export const TIP_TERMS: RoundTerms = { ...HOUSE_TERMS, mostPaid: 0, mostFree: 0 };
