/** A round of a game is one: the limits of its stakes and its payouts hold for all that a player stakes in it together. */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import type { Broken, Rule } from './rule.ts';
import { inMajor } from './rule.ts';

export const ROUNDS: Rule = {
	check: ({ happened, site }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what !== 'staked') return [];
			const { account, game, stake, payout, most, chips, isOfPerson = false } = one;
			const limits = isOfPerson ? undefined : site.limits[account.currency].get(game);
			const own = account.stakeLimit === null ? null : account.stakeLimit * MINOR_PER_MAJOR;
			const said = `${isOfPerson ? `the person of ${account}` : account} has ${inMajor(stake)} in ${chips} bets on one round of ${game}`;
			return [
				limits && stake > limits.stake ? { rule: 'a round takes the game’s largest stake at most', why: said } : null,
				limits && Math.max(payout, most) > limits.payout
					? {
							rule: 'a round pays the game’s largest payout at most',
							why: `${said}, which pay ${inMajor(Math.max(payout, most))}`,
						}
					: null,
				own !== null && stake > own
					? {
							rule: 'a round takes the player’s own largest stake at most',
							why: `${said}; the player’s limit is ${inMajor(own)}`,
						}
					: null,
			].filter((broken) => broken !== null);
		}),
};
