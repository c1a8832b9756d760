import type { Profile } from '#conformity/profiles/profile.ts';

/** The act was assented to on this day. */
const ENACTED = '2025-08-22';

/** Before the act, which leaves nothing that they apply to. */
const WITHHOLDING = { name: 'IN_194BA', base: 'NET_WINNINGS', rateBp: 3_000 } as const;
const GOODS_AND_SERVICES = { name: 'IN_GST', base: 'DEPOSITS', rateBp: 2_800 } as const;

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
		taxes: [
			{ from: '2023-04-01', value: [WITHHOLDING], clause: 'India tax on winnings' },
			{ from: '2023-10-01', value: [WITHHOLDING, GOODS_AND_SERVICES], clause: 'India tax on deposits' },
		],
		pools: [{ from: ENACTED, value: ['DEMO', 'PLAY'], clause: 'India online money games' }],
	},
};
