import type { Profile } from '#conformity/profiles/profile.ts';

/** The year of the decree on betting exchanges. */
const DECREED = '2013-03-18';

/** It came into force on this day. */
const IN_FORCE = '2013-05-24';

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
		taxes: [
			{ from: IN_FORCE, value: [{ name: 'IT_EXCHANGE', base: 'COMMISSION', rateBp: 2_000 }], clause: 'Italy tax' },
		],
		sharesBooks: [{ from: DECREED, value: false, clause: 'Italy liquidity' }],
	},
};
