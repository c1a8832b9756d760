/** What a bet on a flight is paid, and where the house's limits end it. */
import { centsAt, crashMs, MOST_CENTS } from '#games/crash/flight.ts';
import { LARGEST_PAYOUT_PAISE } from '#values/house-limits.ts';

/** The smallest multiplier that pays: 1.01x. */
export const LEAST_CENTS = 101;

/** A bet as its result needs it; paise and hundredths. */
export interface FlyingBet {
	stake: number;
	/** All that its player staked in the round, this bet included. */
	staked: number;
	/** Null without an automatic cash-out. */
	autoCents: number | null;
}

/** Paise, rounded down once. */
export const crashPayout = (stake: number, cents: number): number => Math.floor((stake * cents) / 100);

/** Where all bets of a player would be paid the largest payout of a round together, or the end of the table. */
const capCents = (staked: number): number => Math.min(MOST_CENTS, Math.floor((LARGEST_PAYOUT_PAISE * 100) / staked));

/** Where the bet is cashed out without its player. */
export const targetCents = ({ staked, autoCents }: Omit<FlyingBet, 'stake'>): number =>
	Math.min(autoCents ?? MOST_CENTS, capCents(staked));

/**
 * The multiplier at which everybody still flying is cashed out, so that the house pays no more than it may: the largest
 * one at which the payouts fit. It never falls while bets are cashed out, because each then counts for less than before.
 * @param bets those that fly, each with the multiplier that it reaches at most
 * @param mostPayout paise that they may be paid together
 */
export function forcedCents(bets: readonly { stake: number; mostCents: number }[], mostPayout: number): number {
	const fits = (cents: number): boolean => {
		let paid = 0;
		for (const { stake, mostCents } of bets) paid += crashPayout(stake, Math.min(cents, mostCents));
		return paid <= mostPayout;
	};
	let [low, high] = [LEAST_CENTS, MOST_CENTS];
	if (fits(high)) return high;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (fits(middle)) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** How a flight stood when the server was lost. */
interface Interruption {
	table: Int32Array;
	crashCents: number;
	/** The last durable tick, milliseconds of flight. */
	tickMs: number;
	/** What the bets that still flew may be paid together. */
	mostPayout: number;
}

/**
 * What bets come to that flew when the server was lost, in hundredths; null for a lost bet, 100 for a stake that goes
 * back. An automatic cash-out follows from the result that was certain. Another bet is lost when the flight is known to
 * have ended; otherwise it is cashed out at the last tick that is known.
 */
export function interruptedCents(
	bets: readonly FlyingBet[],
	{ table, crashCents, tickMs, mostPayout }: Interruption,
): (number | null)[] {
	const hasEnded = tickMs >= crashMs(table, crashCents);
	const reached = centsAt(table, tickMs);
	const flying = bets.map((bet) => {
		const isOpenEnded = bet.autoCents === null && !hasEnded;
		return { stake: bet.stake, mostCents: isOpenEnded ? Math.min(reached, targetCents(bet)) : targetCents(bet) };
	});
	const most = forcedCents(flying, mostPayout);
	return flying.map(({ mostCents }) => {
		const cents = Math.min(mostCents, most);
		return cents <= crashCents ? Math.max(100, cents) : null;
	});
}
