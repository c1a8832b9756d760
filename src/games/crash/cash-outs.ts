/** The payout of a bet on a flight, and the multiplier at which the house's limits end it. */
import { centsAt, crashMs, MOST_CENTS } from '#games/crash/flight.ts';
import { LARGEST_PAYOUT_MINOR } from '#values/house-limits.ts';

/** The smallest multiplier that pays: 1.01x. */
export const LEAST_CENTS = 101;

/** A bet in the form for its result; minor units and hundredths. */
export interface FlyingBet {
	stake: number;
	/** The player's total stake in the round, this bet included. */
	staked: number;
	/** Null without an automatic cash-out. */
	autoCents: number | null;
	/** The largest payout of a player in a round; that of the home currency by default. */
	mostPaid?: number;
}

/** Minor units, rounded down once. @param step minor units of the smallest coin */
export const crashPayout = (stake: number, cents: number, step = 1): number =>
	Math.floor((stake * cents) / (100 * step)) * step;

/** The multiplier at which the player's bets together would reach a round's largest payout, or the end of the table. */
const capCents = (staked: number, mostPaid: number): number =>
	Math.min(MOST_CENTS, Math.floor((mostPaid * 100) / staked));

/** The multiplier at which the bet cashes out automatically. */
export const targetCents = ({ staked, autoCents, mostPaid = LARGEST_PAYOUT_MINOR }: Omit<FlyingBet, 'stake'>): number =>
	Math.min(autoCents ?? MOST_CENTS, capCents(staked, mostPaid));

/**
 * The multiplier at which all open bets are cashed out, so that the house stays within its limit: the largest one at
 * which the payouts fit. It never falls while bets are cashed out, because each then counts for less than before.
 * @param bets the open bets, each with its largest multiplier
 * @param mostPayout minor units that they may be paid together
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

/** The state of a flight when the server stopped. */
interface Interruption {
	table: Int32Array;
	crashCents: number;
	/** The last durable tick, milliseconds of flight. */
	tickMs: number;
	/** The limit of the open bets' combined payout. */
	mostPayout: number;
}

/**
 * The results of bets that were open when the server stopped, in hundredths; null for a lost bet, 100 for a returned
 * stake. An automatic cash-out follows from the final result. Another bet is lost if the flight is known to have ended;
 * otherwise it is cashed out at the last known tick.
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
