/** The limits of a round at a provider: those of the game when the round began. Amounts are paise. */

import type { RoundTerms } from '#server/exchange/order/workflow-data.ts';
import type { ProviderGame } from '#server/money/casino/providers/provider.ts';
import { LARGEST_FREE_WIN_PAISE, LARGEST_PROVIDER_PAYMENT_PAISE, LARGEST_STAKE_PAISE } from '#values/house-limits.ts';
import { type AnyPaise, PAISE } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/** A provider that has not ended a round after this time never will. */
export const GIVEN_UP_MS = 14 * DAY_MS;

const inPaise = (rupees: number): AnyPaise => Math.round(rupees * PAISE);

/** Of a round from before rounds stored their terms. */
export const HOUSE_TERMS: RoundTerms = {
	leastStake: 0,
	mostStaked: LARGEST_STAKE_PAISE,
	mostPaid: LARGEST_PROVIDER_PAYMENT_PAISE,
	mostFree: LARGEST_FREE_WIN_PAISE,
};

/** The game's own limits, if they are narrower than the house's. */
export function termsOf({ minStake, maxStake, maxPayout, maxFreeWin }: ProviderGame): RoundTerms {
	const mostPaid = Math.min(inPaise(maxPayout), HOUSE_TERMS.mostPaid);
	return {
		leastStake: inPaise(minStake),
		mostStaked: Math.min(inPaise(maxStake), HOUSE_TERMS.mostStaked),
		mostPaid,
		mostFree: Math.min(maxFreeWin === null ? HOUSE_TERMS.mostFree : inPaise(maxFreeWin), mostPaid),
	};
}

/** A tip is no bet on the game, so only the house's limit applies. */
export const TIP_TERMS: RoundTerms = { ...HOUSE_TERMS, mostPaid: 0, mostFree: 0 };
