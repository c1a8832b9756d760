import type { Profile } from '#conformity/profiles/profile.ts';

/** The year of the decree on betting exchanges. */
const DECREED = '2013-03-18';

export const italy: Profile = {
	title: 'Italy',
	zone: 'Europe/Rome',
	needs: { Italy: 'A concession for an exchange is under it.' },
	leavesOut: {},
	values: {
		currency: [{ from: DECREED, value: 'EUR', clause: 'Italy stakes' }],
		stakeStep: [{ from: DECREED, value: 50, clause: 'Italy stakes' }],
		largestWin: [{ from: DECREED, value: 1_000_000, clause: 'Italy winnings' }],
		largestCommissionBp: [{ from: DECREED, value: 1_000, clause: 'Italy commission' }],
		sharesBooks: [{ from: DECREED, value: false, clause: 'Italy liquidity' }],
	},
};
