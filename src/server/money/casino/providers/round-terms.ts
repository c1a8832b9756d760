/**
 * The limits of a round at a provider: those of the game when the round began, in the player's currency. Amounts are minor
 * units.
 */

import type { RoundTerms } from '#server/exchange/order/workflow-data.ts';
import type { ProviderGame } from '#server/money/casino/providers/provider.ts';
import { limitIn } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { LARGEST_FREE_WIN_MINOR, LARGEST_PROVIDER_PAYMENT_MINOR, LARGEST_STAKE_MINOR } from '#values/house-limits.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/** A provider that has not ended a round after this time never will. */
export const GIVEN_UP_MS = 14 * DAY_MS;

const inMinor = (currency: Currency, rupees: number): AnyMinor =>
	limitIn(currency, Math.round(rupees * MINOR_PER_MAJOR));

/** In the home currency; also of a round from before rounds stored their terms. */
export const HOUSE_TERMS: RoundTerms = {
	leastStake: 0,
	mostStaked: LARGEST_STAKE_MINOR,
	mostPaid: LARGEST_PROVIDER_PAYMENT_MINOR,
	mostFree: LARGEST_FREE_WIN_MINOR,
};

function houseTermsIn(currency: Currency): RoundTerms {
	const { leastStake, mostStaked, mostPaid, mostFree } = HOUSE_TERMS;
	return {
		leastStake,
		mostStaked: limitIn(currency, mostStaked),
		mostPaid: limitIn(currency, mostPaid),
		mostFree: limitIn(currency, mostFree),
	};
}

/** The game's own limits, if they are narrower than the house's. A game names them in the home currency. */
export function termsOf(
	{
		minStake,
		maxStake,
		maxPayout,
		maxFreeWin,
	}: Pick<ProviderGame, 'minStake' | 'maxStake' | 'maxPayout' | 'maxFreeWin'>,
	currency: Currency,
): RoundTerms {
	const house = houseTermsIn(currency);
	const mostPaid = Math.min(inMinor(currency, maxPayout), house.mostPaid);
	return {
		leastStake: inMinor(currency, minStake),
		mostStaked: Math.min(inMinor(currency, maxStake), house.mostStaked),
		mostPaid,
		mostFree: Math.min(maxFreeWin === null ? house.mostFree : inMinor(currency, maxFreeWin), mostPaid),
	};
}

/** A tip is no bet on the game, so only the house's limit applies. */
export const tipTerms = (currency: Currency): RoundTerms => ({ ...houseTermsIn(currency), mostPaid: 0, mostFree: 0 });
