import type { Profile } from '#conformity/profiles/profile.ts';

/** The licensed market opened on this day. */
const OPENED = '2025-01-01';

export const brazil: Profile = {
	title: 'Brazil',
	zone: 'America/Sao_Paulo',
	needs: {
		Brazil: 'A licence is under law and ordinance.',
		'GLI-19': 'The ordinance asks for a certificate of a laboratory, which measures by it.',
		'GLI-33': 'The ordinance asks for a certificate of a laboratory, which measures by it.',
	},
	leavesOut: {},
	values: {
		currency: [{ from: OPENED, value: 'BRL', clause: 'Brazil day file' }],
		smallestAge: [{ from: OPENED, value: 18, clause: 'Brazil age' }],
		identity: [{ from: OPENED, value: 'before-activation', clause: 'Brazil identity' }],
		termsStored: [{ from: OPENED, value: true, clause: 'GLI-19 2.5.2' }],
		oneGameAtATime: [{ from: OPENED, value: true, clause: 'GLI-19 4.3.3e' }],
		taxes: [{ from: OPENED, value: [{ name: 'BR_GGR', base: 'REVENUE', rateBp: 1_200 }], clause: 'Brazil tax' }],
		housePlayers: [{ from: OPENED, value: false, clause: 'GLI-19 4.11.1' }],
		dayFileBy: [{ from: OPENED, value: '06:00', clause: 'Brazil day file' }],
		logsInAgainAfterIdleMinutes: [{ from: OPENED, value: 30, clause: 'GLI-19 2.5.4' }],
		locksAfter: [{ from: OPENED, value: { failures: 3, withinMinutes: 30 }, clause: 'GLI-19 2.5.3' }],
		showsLastLogin: [{ from: OPENED, value: true, clause: 'GLI-19 2.5.3' }],
	},
};
