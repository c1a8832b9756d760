/** The rules of a brand's profiles, by the instants from which they hold. */
import * as v from 'valibot';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import { type Dated, type Profile, valueOn } from '#conformity/profiles/profile.ts';
import { BrandRules } from '#contract/brand-rules.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { NO_RULES } from '#contract/rules-at.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { startOfDate } from '#values/zoned-calendar.ts';

type ChosenProfile = DomainSetting['profiles'][number];

/** The values of `play` are the defaults of a brand's own flags, which may differ; it binds by its pools alone. */
const mayBind = (name: ProfileName, field: string): boolean => name !== 'play' || field === 'pools';

/** What a profile says on a day, such as 2026-09-30. */
function rulesOn(name: ProfileName, day: string): BrandRules {
	const profile: Profile = PROFILES[name];
	const { values, zone } = profile;
	const decided = Object.entries(values).flatMap(([field, dated]: [string, readonly Dated<unknown>[]]) => {
		const held = field in NO_RULES && mayBind(name, field) ? valueOn(dated, day) : null;
		return held ? [[field, held.value]] : [];
	});
	const binding = mayBind(name, 'zone') ? zone : null;
	return v.parse(BrandRules, { ...NO_RULES, ...Object.fromEntries(decided), profile: name, zone: binding });
}

/**
 * Each profile holds from its instant until the next one's, and a new value of it from the beginning of its day in the
 * profile's zone.
 * @param profiles in the order of their instants
 */
export function datedRules(profiles: readonly ChosenProfile[]): DomainSetting['rules'] {
	return profiles.flatMap(({ profile: name, from }, at) => {
		const { values, zone }: Profile = PROFILES[name];
		const fromMs = Date.parse(from);
		const untilMs = Date.parse(profiles[at + 1]?.from ?? '') || Number.POSITIVE_INFINITY;
		const all: (readonly Dated<unknown>[])[] = Object.values(values);
		const days = [...new Set(all.flatMap((dated) => dated.map((one) => one.from)))].sort();
		const starts = days.map((day) => ({ day, atMs: startOfDate(day, zone) })).filter(({ atMs }) => atMs < untilMs);
		const before = starts.findLast(({ atMs }) => atMs <= fromMs);
		const later = starts.filter(({ atMs }) => atMs > fromMs);
		return [
			{ from, ...rulesOn(name, before?.day ?? '') },
			...later.map(({ day, atMs }) => ({ from: new Date(atMs).toISOString(), ...rulesOn(name, day) })),
		];
	});
}
