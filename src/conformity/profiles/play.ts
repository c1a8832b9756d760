import type { Dated, WholeProfile } from '#conformity/profiles/profile.ts';
import type { ClauseName } from '#conformity/requirement.ts';
import { DOCUMENT_KINDS } from '#values/identity-documents.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';

/** The defaults of a setting are older than the first day that a profile could name. */
const always = <const T>(clause: ClauseName, value: T): readonly Dated<T>[] => [{ from: '2026-01-01', value, clause }];

const REAL_MONEY_ALONE = 'The clause protects money; play money is given and never redeemed.';

/** Today's defaults: coins that are given. */
export const play: WholeProfile = {
	title: 'Play money',
	zone: HOME_ZONE,
	needs: {
		Own: 'These are the rules of the house.',
		'GLI-19': 'Games, records and security are measured by it, although no law asks it of play money.',
		'GLI-33': 'Betting is measured by it, although no law asks it of play money.',
	},
	leavesOut: {
		'GLI-19 2.5.2': REAL_MONEY_ALONE,
		'GLI-19 2.5.4': REAL_MONEY_ALONE,
		'GLI-19 2.7.2': REAL_MONEY_ALONE,
		'GLI-19 2.7.3': REAL_MONEY_ALONE,
		'GLI-19 2.7.4': REAL_MONEY_ALONE,
		'GLI-19 A.4.4': REAL_MONEY_ALONE,
		'GLI-19 A.8.1': REAL_MONEY_ALONE,
	},
	values: {
		currency: always('Own play money', 'INR'),
		pools: always('Own play money', ['DEMO', 'PLAY']),
		smallestAge: always('Own identity', null),
		identity: always('Own identity', 'never'),
		documents: always('Own identity', DOCUMENT_KINDS),
		termsStored: always('Own identity', false),
		exclusionList: always('Own identity', null),
		depositLimits: always('Own limits', { day: 5_000_000, week: 20_000_000, month: 50_000_000 }),
		depositFrames: always('Own limits', 'rolling'),
		lossLimitDay: always('Own limits', null),
		stakeLimit: always('Own limits', null),
		raiseAfterHours: always('Own limits', 24),
		limitPrompt: always('Own limits', 'never'),
		limitReminderMonths: always('Own limits', null),
		realityCheckMinutes: always('Own reminder', 60),
		shortestCycleMs: always('Own games', null),
		turbo: always('Own games', false),
		autoplay: always('Own games', true),
		oneGameAtATime: always('Own games', false),
		celebratesSmallReturns: always('Own games', false),
		sessionFigures: always('Own games', 'one-press-away'),
		largestSlotStakes: always('Own games', null),
		stakeStep: always('Own betting', null),
		largestWin: always('Own betting', null),
		largestCommissionBp: always('Own betting', null),
		sharesBooks: always('Own betting', true),
		tellsLatePictures: always('Own betting', false),
		tellsPrograms: always('Own betting', false),
		tellsSimulatedPlayers: always('Own betting', true),
		housePlayers: always('Own betting', true),
		cancelsWithdrawals: always('Own withdrawals', false),
		taxes: always('Own play money', []),
		dayFileBy: always('Own data', null),
		exportsData: always('Own data', true),
		location: always('Own identity', { source: 'none', everyMinutes: null, flagsProxies: false }),
		logsInAgainAfterIdleMinutes: always('Own identity', null),
		locksAfter: always('Own identity', null),
		showsLastLogin: always('Own identity', false),
	},
};
