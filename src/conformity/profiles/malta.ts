import type { Profile } from '#conformity/profiles/profile.ts';

/** The directive came into force on this day. */
const IN_FORCE = '2018-08-01';

export const malta: Profile = {
	title: 'Malta',
	zone: 'Europe/Malta',
	needs: {
		MGA: 'A remote licence is under it.',
		'GLI-19': 'The laboratories that certify games and systems measure by it.',
		'GLI-33': 'The laboratories that certify betting measure by it.',
	},
	leavesOut: {},
	values: {
		currency: [{ from: IN_FORCE, value: 'EUR', clause: 'MGA limits' }],
		smallestAge: [{ from: IN_FORCE, value: 18, clause: 'MGA minors' }],
		raiseAfterHours: [{ from: IN_FORCE, value: 24, clause: 'MGA limits' }],
		realityCheckMinutes: [{ from: IN_FORCE, value: 60, clause: 'MGA reality check' }],
		termsStored: [{ from: IN_FORCE, value: true, clause: 'GLI-19 2.5.2' }],
		oneGameAtATime: [{ from: IN_FORCE, value: true, clause: 'GLI-19 4.3.3e' }],
		housePlayers: [{ from: IN_FORCE, value: false, clause: 'GLI-19 4.11.1' }],
		logsInAgainAfterIdleMinutes: [{ from: IN_FORCE, value: 30, clause: 'GLI-19 2.5.4' }],
		locksAfter: [{ from: IN_FORCE, value: { failures: 3, withinMinutes: 30 }, clause: 'GLI-19 2.5.3' }],
		showsLastLogin: [{ from: IN_FORCE, value: true, clause: 'GLI-19 2.5.3' }],
	},
};
