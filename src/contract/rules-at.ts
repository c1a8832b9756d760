/** Which rules and which zone hold at an instant. Apart from their schema, which the site's first screen does without. */
import type { BrandRules, DatedRules } from '#contract/brand-rules.ts';

/** A brand without a profile: its own flags decide. */
export const NO_RULES: BrandRules = {
	profile: null,
	zone: null,
	pools: ['DEMO', 'PLAY', 'REAL'],
	depositFrames: 'rolling',
	limitPrompt: 'never',
	limitReminderMonths: null,
	shortestCycleMs: null,
	oneGameAtATime: false,
	largestSlotStakes: null,
	realityCheckMinutes: null,
	autoplay: true,
	sessionFigures: 'one-press-away',
	stakeStep: null,
	largestWin: null,
	largestCommissionBp: null,
	location: { source: 'none', everyMinutes: null, flagsProxies: false },
	exclusionList: null,
	termsStored: false,
	logsInAgainAfterIdleMinutes: null,
	locksAfter: null,
	showsLastLogin: false,
	taxes: [],
	tellsLatePictures: false,
	tellsPrograms: false,
	cancelsWithdrawals: true,
};

/**
 * What a brand's profile says at an instant.
 * @param clock that of the exchange; not read for a brand without a profile, because every bet asks several times
 */
export function rulesAt({ rules }: { rules: readonly DatedRules[] }, clock: () => number): BrandRules {
	if (rules.length === 0) return NO_RULES;
	const nowMs = clock();
	return rules.findLast(({ from }) => Date.parse(from) <= nowMs) ?? NO_RULES;
}

/** The zone of a brand's days at an instant: that of its profile, or its own. */
export const zoneAt = (setting: { rules: readonly DatedRules[]; timeZone: string }, nowMs: number): string =>
	rulesAt(setting, () => nowMs).zone ?? setting.timeZone;
