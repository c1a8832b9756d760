/** Settings of brands. */
import * as v from 'valibot';
import { Timestamp } from '#contract/fields.ts';
import { DomainName, Host } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { PROFILE_NAMES } from '#values/profile-names.ts';

const OnBrand = v.strictObject({ host: DomainName });

export const brandList = defineOperatorCall({
	permission: 'brands.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			host: v.string(),
			title: v.string(),
			theme: v.string(),
			pool: v.string(),
			allowSignUp: v.boolean(),
			siteSuspended: v.boolean(),
			version: v.number(),
		}),
	),
	summary: 'The brands the member works for.',
});

export const brandShow = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.object({
		setting: v.record(v.string(), v.unknown()),
		/** Changes, newest first. */
		history: v.array(
			v.object({
				seq: v.number(),
				at: v.string(),
				actor: v.string(),
				field: v.string(),
				before: v.unknown(),
				after: v.unknown(),
			}),
		),
	}),
	summary: 'A brand’s setting, and who changed what.',
});

export const brandSet = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({
		...OnBrand.entries,
		field: v.pipe(v.string(), v.maxLength(100)),
		value: v.pipe(v.string(), v.maxLength(20_000)),
	}),
	response: v.object({ host: v.string(), field: v.string(), value: v.unknown(), version: v.number() }),
	summary: 'Changes one field at once.',
});

/** A field through which money can be created or diverted. */
export const brandSetGuarded = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: brandSet.input,
	response: brandSet.response,
	summary: 'Changes a field that concerns money, or where players’ calls go.',
});

export const brandRollBack = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({
		...OnBrand.entries,
		/** The change, and its field. */
		seq: v.pipe(v.number(), v.safeInteger()),
		field: v.pipe(v.string(), v.maxLength(100)),
	}),
	response: v.object({ host: v.string(), field: v.string(), value: v.unknown(), version: v.number() }),
	summary: 'Sets a field to what it was before a change.',
});

export const brandAdd = defineOperatorCall({
	permission: 'brands.edit',
	about: 'platform',
	input: OnBrand,
	response: v.object({ host: v.string(), version: v.number() }),
	summary: 'Adds a brand in play money, with the defaults.',
});

export const realMoneyReadiness = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.object({
		host: v.string(),
		pool: v.string(),
		/** Nothing is missing. */
		isReady: v.boolean(),
		items: v.array(
			v.object({
				item: v.string(),
				isSet: v.boolean(),
				/** What is needed, in a sentence. */
				needs: v.string(),
				/** The field of the setting that sets it; null for what is set elsewhere. */
				field: v.nullable(v.string()),
				/** Where the documents say how. */
				document: v.nullable(v.string()),
			}),
		),
	}),
	summary: 'What a brand needs before it takes real money, and what of it is missing.',
});

/** Only owners have the permission, and the command line's key belongs to none. */
export const brandMakeReal = defineOperatorCall({
	permission: 'brands.make-real',
	confirm: 'brands.make-real',
	about: 'platform',
	input: OnBrand,
	response: v.object({ host: v.string(), pool: v.string(), version: v.number() }),
	summary: 'Makes a brand without players one of real money. It does not change back.',
});

/** Choosing one takes two members, so the command line's key, which belongs to none, does not have it. */
export const brandProfile = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, profile: v.picklist(PROFILE_NAMES), from: Timestamp }),
	response: v.object({
		host: v.string(),
		profiles: v.array(v.object({ profile: v.string(), from: v.string() })),
		version: v.number(),
	}),
	summary: 'Lets the profile of a jurisdiction hold on a brand from an instant on.',
});

/** Its secret is returned only once. */
export const createClient = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({
		name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
		redirectUri: v.pipe(v.string(), v.url('The address codes are sent to must be one.'), v.maxLength(500)),
		host: Host,
		/** Whether its tokens end with the player's log-out. */
		endsWithLogin: v.optional(v.boolean(), false),
	}),
	response: v.object({
		name: v.string(),
		host: v.string(),
		redirectUri: v.string(),
		endsWithLogin: v.boolean(),
		clientId: v.string(),
		clientSecret: v.string(),
	}),
	summary: 'Makes a back end that may exchange authorization codes, and answers its secret.',
});
