import type { Profile } from '#conformity/profiles/profile.ts';

export const uk: Profile = {
	title: 'United Kingdom',
	zone: 'Europe/London',
	needs: {
		RTS: 'A remote licence is under them.',
		LCCP: 'A licence is under them.',
		'UK law': 'It sets conditions of every licence.',
	},
	leavesOut: {},
	values: {
		currency: [{ from: '2007-09-01', value: 'GBP', clause: 'RTS 1A' }],
		smallestAge: [{ from: '2007-09-01', value: 18, clause: 'LCCP 3.2.11' }],
		identity: [{ from: '2019-05-07', value: 'before-activation', clause: 'LCCP 17.1.1' }],
		exclusionList: [
			{ from: '2020-03-31', value: { name: 'GAMSTOP', askedAt: ['sign-up', 'log-in'] }, clause: 'LCCP 3.5.5' },
		],
		depositFrames: [{ from: '2026-09-30', value: 'calendar', clause: 'RTS 12B' }],
		raiseAfterHours: [{ from: '2025-10-31', value: 24, clause: 'RTS 12B' }],
		limitPrompt: [{ from: '2025-10-31', value: 'first-deposit', clause: 'RTS 12A' }],
		limitReminderMonths: [{ from: '2025-10-31', value: 6, clause: 'RTS 12' }],
		shortestCycleMs: [{ from: '2025-01-17', value: 5_000, clause: 'RTS 14G' }],
		turbo: [{ from: '2025-01-17', value: false, clause: 'RTS 14E' }],
		autoplay: [{ from: '2025-01-17', value: false, clause: 'RTS 8' }],
		celebratesSmallReturns: [{ from: '2025-01-17', value: false, clause: 'RTS 14F' }],
		sessionFigures: [{ from: '2025-01-17', value: 'in-sight', clause: 'RTS 2E' }],
		largestSlotStakes: [
			{ from: '2025-04-09', value: [{ fromAge: 18, stake: 500 }], clause: 'UK law online slots stake limits 2025' },
			{
				from: '2025-05-21',
				value: [
					{ fromAge: 18, stake: 200 },
					{ fromAge: 25, stake: 500 },
				],
				clause: 'UK law online slots stake limits 2025',
			},
		],
		tellsLatePictures: [{ from: '2007-09-01', value: true, clause: 'RTS 15A' }],
		tellsPrograms: [{ from: '2007-09-01', value: true, clause: 'RTS 16' }],
		cancelsWithdrawals: [{ from: '2021-10-31', value: false, clause: 'RTS 14B' }],
	},
};
