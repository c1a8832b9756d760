/** The profiles of a brand after a choice. What has begun to hold stays on record. */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { ProfileName } from '#values/profile-names.ts';

/**
 * @param nowMs by the clock of the exchange; profiles that are to begin later give way
 * @throws Refused VALIDATION_FAILED for an instant that has passed: bets since then were taken by other rules
 */
export function withProfile(
	profiles: DomainSetting['profiles'],
	{ profile, fromMs }: { profile: ProfileName; fromMs: number },
	nowMs: number,
): DomainSetting['profiles'] {
	if (fromMs <= nowMs)
		throw new Refused('VALIDATION_FAILED', {}, 'A profile holds from an instant that is still to come.');
	const begun = profiles.filter(({ from }) => Date.parse(from) <= nowMs);
	return [...begun, { profile, from: new Date(fromMs).toISOString() }];
}
