/** What a brand's profile says about play, with the instant from which it holds. The server and the site obey the same. */
import * as v from 'valibot';
import { Timestamp } from '#contract/fields.ts';
import { POOLS } from '#values/pools.ts';
import { PROFILE_NAMES } from '#values/profile-names.ts';

/** Amounts are in minor units. What no clause decides is left to the brand's own flags. */
export const BrandRules = v.object({
	/** Null while the brand has chosen none. */
	profile: v.nullable(v.picklist(PROFILE_NAMES)),
	/** The time zone of the calendar's days, such as Europe/London. */
	zone: v.string(),
	/** The kinds of money that are allowed. */
	pools: v.array(v.picklist(POOLS)),
});
export type BrandRules = v.InferOutput<typeof BrandRules>;

export const DatedRules = v.object({ from: Timestamp, ...BrandRules.entries });
type DatedRules = v.InferOutput<typeof DatedRules>;

/** A brand without a profile. */
export const NO_RULES: BrandRules = { profile: null, zone: 'Asia/Kolkata', pools: [...POOLS] };

/**
 * What a brand's profile says at an instant.
 * @param nowMs by the clock of the exchange
 */
export const rulesAt = ({ rules }: { rules: readonly DatedRules[] }, nowMs: number): BrandRules =>
	rules.findLast(({ from }) => Date.parse(from) <= nowMs) ?? NO_RULES;
