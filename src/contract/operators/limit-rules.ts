/** Limits of markets that tighten themselves: the rules, and the markets that they hold down. */
import * as v from 'valibot';
import { Amount, type Major } from '#contract/fields.ts';
import { DomainName } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { CURRENCIES } from '#values/currency-codes.ts';
import type { Minor } from '#values/money.ts';
import { POOLS } from '#values/pools.ts';
import { SPORTS } from '#values/sports.ts';

const MOST_STEPS = 10;

const Watched = v.picklist(['HOUSE', 'PLAYER']);
const About = {
	/** Without one, every sport. */
	sport: v.optional(
		v.picklist(
			SPORTS.map(({ key }) => key),
			'There is no such sport.',
		),
	),
	/** Without one, every type. */
	marketType: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(40))),
	/** The brand whose players are watched, and whose limits are lowered; without one, all players. */
	brand: v.optional(DomainName),
	/** Whose money is watched; all amounts of the rule are in its currency. */
	pool: v.picklist(POOLS),
	/** HOUSE: what the house can lose in a market; PLAYER: the largest loss that one player can have in it. */
	watches: Watched,
};

/** A step as a client sends it. */
export interface SentStep {
	from: Major;
	maxStake: Major;
	maxExposure?: Major | null | undefined;
}
/** A step with integer minor units, as the handler receives it. */
export interface ReadStep {
	from: Minor;
	maxStake: Minor;
	maxExposure: Minor | null;
}

const Rising = 'Each step begins at a larger liability, and allows no more than the one before.';

const Steps: v.GenericSchema<SentStep[], ReadStep[]> = v.pipe(
	v.array(v.strictObject({ from: Amount, maxStake: Amount, maxExposure: v.optional(v.nullable(Amount), null) })),
	v.maxLength(MOST_STEPS, `A rule has ${MOST_STEPS} steps at most.`),
	v.check((steps) => steps.every(({ from }, at) => at === 0 || from > (steps[at - 1]?.from ?? 0)), Rising),
	v.check((steps) => steps.every(({ maxStake }, at) => at === 0 || maxStake <= (steps[at - 1]?.maxStake ?? 0)), Rising),
);

export const limitRuleSet = defineOperatorCall({
	permission: 'markets.trade',
	confirm: 'limits.confirm',
	about: 'platform',
	input: v.strictObject({
		...About,
		/** A step ends when what is watched falls below this share of its threshold, per cent. */
		relaxPercent: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(99)), 80),
		/** Rising; none removes the rule. */
		steps: Steps,
	}),
	response: v.object({ rules: v.number() }),
	summary: 'Sets or removes the rule by which limits of markets tighten as liability grows.',
});

export const limitRules = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({}),
	response: v.object({
		rules: v.array(
			v.object({
				/** Null stands for all. */
				sport: v.nullable(v.string()),
				marketType: v.nullable(v.string()),
				brand: v.nullable(v.string()),
				pool: v.string(),
				/** Of the pool, and of the amounts of the steps. */
				currency: v.picklist(CURRENCIES),
				watches: Watched,
				relaxPercent: v.number(),
				steps: v.array(v.object({ from: v.number(), maxStake: v.number(), maxExposure: v.nullable(v.number()) })),
			}),
		),
		/** Markets whose limits a step holds down, or an operator has set against one. */
		tightened: v.array(
			v.object({
				marketId: v.string(),
				market: v.string(),
				eventId: v.string(),
				event: v.string(),
				/** The brand whose players the limits are for; null for all players. */
				brand: v.nullable(v.string()),
				/** Of the brand; for all players the home currency, in which a market has its limits. */
				currency: v.picklist(CURRENCIES),
				/** 0 sets no limit. */
				base: v.object({ maxStake: v.number(), maxExposure: v.number() }),
				now: v.object({ maxStake: v.number(), maxExposure: v.number() }),
				steps: v.number(),
				/** An operator overruled every step that holds. */
				isOverruled: v.boolean(),
				at: v.string(),
			}),
		),
	}),
	summary: 'The rules by which limits of markets tighten, and the markets that they hold down.',
});
