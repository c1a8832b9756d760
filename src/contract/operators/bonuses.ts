/** Campaigns of brands: their grants, creating one, stopping one. */
import * as v from 'valibot';
import { Campaign } from '#contract/domain-setting.ts';
import { Host } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const OnBrand = v.strictObject({ host: Host });

export const campaigns = defineOperatorCall({
	permission: 'bonuses.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	/** `given` is major units by the state of the grants. */
	response: v.array(v.looseObject({ ...Campaign.entries, given: v.record(v.string(), v.number()) })),
	summary: 'The campaigns of a brand with what they have given.',
});

export const campaignDryRun = defineOperatorCall({
	permission: 'bonuses.read',
	about: 'brand',
	looks: true,
	input: v.strictObject({ ...OnBrand.entries, campaign: Campaign }),
	response: v.object({
		id: v.string(),
		/** The evaluated players, newest first, and those it would be offered to. */
		surveyed: v.number(),
		players: v.number(),
		cost: v.number(),
		budget: v.number(),
	}),
	summary: 'Whom a campaign would be offered to today, and what it would cost.',
});

/** Money can be created by it. */
export const campaignDrawUp = defineOperatorCall({
	permission: 'bonuses.edit',
	confirm: 'bonuses.confirm',
	about: 'brand',
	input: campaignDryRun.input,
	response: v.object({ host: v.string(), campaigns: v.array(v.string()) }),
	summary: 'Adds a campaign to a brand, or replaces the one of its id.',
});

export const campaignStop = defineOperatorCall({
	permission: 'bonuses.edit',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, id: v.pipe(v.string(), v.maxLength(40)) }),
	response: v.object({ host: v.string(), campaigns: v.array(v.string()) }),
	summary: 'Stops a campaign: it is offered no more, and what was given stays.',
});
