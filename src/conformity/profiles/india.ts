import type { Profile } from '#conformity/profiles/profile.ts';

/** The act was assented to on this day. */
const ENACTED = '2025-08-22';

export const india: Profile = {
	title: 'India',
	zone: 'Asia/Kolkata',
	needs: {
		India: 'The act forbids games for money, and leaves play money open.',
		Own: 'What remains is play money, under the rules of the house.',
	},
	leavesOut: {},
	values: {
		currency: [{ from: ENACTED, value: 'INR', clause: 'Own play money' }],
		pools: [{ from: ENACTED, value: ['DEMO', 'PLAY'], clause: 'India online money games' }],
	},
};
