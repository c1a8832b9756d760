import type { Profile } from '#conformity/profiles/profile.ts';

/** The market opened on this day. */
const OPENED = '2022-04-04';

export const ontario: Profile = {
	title: 'Ontario',
	zone: 'America/Toronto',
	needs: {
		AGCO: 'The Registrar’s standards are a condition of registration.',
		'GLI-19': 'The laboratories that certify games and systems measure by it.',
		'GLI-33': 'The laboratories that certify betting measure by it.',
	},
	leavesOut: {},
	values: {
		currency: [{ from: OPENED, value: 'CAD', clause: 'AGCO eligible players' }],
		smallestAge: [{ from: OPENED, value: 19, clause: 'AGCO eligible players' }],
		identity: [{ from: OPENED, value: 'before-activation', clause: 'GLI-19 2.5.2' }],
		shortestCycleMs: [{ from: OPENED, value: 2_500, clause: 'AGCO slots: autoplay and speed' }],
		autoplay: [{ from: OPENED, value: false, clause: 'AGCO slots: autoplay and speed' }],
		termsStored: [{ from: OPENED, value: true, clause: 'GLI-19 2.5.2' }],
		oneGameAtATime: [{ from: OPENED, value: true, clause: 'GLI-19 4.3.3e' }],
		housePlayers: [{ from: OPENED, value: false, clause: 'GLI-19 4.11.1' }],
		location: [
			{ from: OPENED, value: { source: 'address', everyMinutes: 30, flagsProxies: true }, clause: 'GLI-19 2.7.3' },
		],
		logsInAgainAfterIdleMinutes: [{ from: OPENED, value: 30, clause: 'GLI-19 2.5.4' }],
		locksAfter: [{ from: OPENED, value: { failures: 3, withinMinutes: 30 }, clause: 'GLI-19 2.5.3' }],
		showsLastLogin: [{ from: OPENED, value: true, clause: 'GLI-19 2.5.3' }],
	},
};
