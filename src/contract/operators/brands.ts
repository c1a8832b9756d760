/** Settings of brands. */
import * as v from 'valibot';
import { PICTURE_FIELDS } from '#contract/brand-picture.ts';
import { LegalTexts } from '#contract/domain-setting.ts';
import { Timestamp } from '#contract/fields.ts';
import { DomainName, Host, NumberId } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { CURRENCIES, HOME_CURRENCY } from '#values/currency-codes.ts';
import { PROFILE_NAMES } from '#values/profile-names.ts';

const OnBrand = v.strictObject({ host: DomainName });
const FieldName = v.pipe(v.string(), v.maxLength(100));
const FieldValue = v.pipe(v.string(), v.maxLength(20_000));
/** A text for a text field, otherwise JSON. */
const Change = v.strictObject({ field: FieldName, value: FieldValue });
const Changes = v.pipe(v.array(Change), v.minLength(1, 'Name a field.'), v.maxLength(100));
const Version = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Instant = v.pipe(v.string(), v.isoTimestamp('A time looks like 2026-11-22T18:30:00Z.'));
/** The flags of a setting that show a sport. */
export const SPORT_FIELDS = ['cricket', 'football', 'tennis', 'kabaddi', 'horseRacing', 'trade'] as const;
/** A picture of five megabytes in base64, and the JSON around it. */
const LARGEST_UPLOAD = 7_000_000;

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
				/** The server stopped before it noted the end of the act: the field is as the next start found it. */
				isInterrupted: v.boolean(),
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
		field: FieldName,
		value: FieldValue,
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
		field: FieldName,
	}),
	response: v.object({ host: v.string(), field: v.string(), value: v.unknown(), version: v.number() }),
	summary: 'Sets a field to what it was before a change, unless a later change has set it since.',
});

export const brandPicture = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	largestBody: LARGEST_UPLOAD,
	input: v.strictObject({
		...OnBrand.entries,
		field: v.picklist(PICTURE_FIELDS, 'This field takes no picture.'),
		/** The file as base64, without a data: prefix. */
		image: v.pipe(
			v.string(),
			v.minLength(1, 'There is no picture.'),
			v.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'The picture is not base64.'),
		),
	}),
	response: brandSet.response,
	summary: 'Uploads a picture, JPEG, PNG or WebP, and shows it on the site.',
});

export const brandPictureRemove = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, field: brandPicture.input.entries.field }),
	response: brandSet.response,
	summary: 'Sets a picture back to the one that comes with the site.',
});

const Changed = v.object({ host: v.string(), version: v.number() });

export const brandChange = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	/** The version that the member saw: another one refuses the change. */
	input: v.strictObject({ ...OnBrand.entries, seen: Version, changes: Changes }),
	response: Changed,
	summary: 'Changes fields together at once.',
});

/** Fields of which at least one concerns money. */
export const brandChangeGuarded = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: brandChange.input,
	response: Changed,
	summary: 'Changes fields together, of which some concern money.',
});

/** A draft is looked at for ten minutes. */
export const brandPreview = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	looks: true,
	/** No changes show the site as it is. */
	input: v.strictObject({ ...OnBrand.entries, changes: v.optional(v.pipe(v.array(Change), v.maxLength(100)), []) }),
	response: v.object({ secret: v.string() }),
	summary: 'A secret by which the brand’s site shows a draft in a frame of the console. Nothing is saved.',
});

export const brandVersions = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.object({
		/** The present one. */
		version: v.number(),
		/** Those before it, newest first. */
		former: v.array(v.object({ version: v.number(), replacedAt: v.string() })),
	}),
	summary: 'The kept versions of a brand’s setting.',
});

export const brandDifferences = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	/** An earlier version of the brand, or another brand of the member's; one of the two. */
	input: v.strictObject({ ...OnBrand.entries, version: v.optional(Version), otherHost: v.optional(DomainName) }),
	response: v.object({
		/** The brand's present version, for a change. */
		version: v.number(),
		differences: v.array(
			v.object({
				field: v.string(),
				here: v.unknown(),
				there: v.unknown(),
				/** As a change takes it. */
				text: v.string(),
				/** One member may set it. */
				isAlone: v.boolean(),
				/** Why the brand cannot take it over; null if it can. */
				problem: v.nullable(v.string()),
			}),
		),
	}),
	summary: 'Field by field, what differs from an earlier version or from another brand.',
});

export const brandSchedule = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, at: Instant, changes: Changes }),
	response: v.object({ host: v.string(), scheduleId: v.string(), at: v.string() }),
	summary: 'Changes fields together at an instant.',
});

export const brandScheduleGuarded = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: brandSchedule.input,
	response: brandSchedule.response,
	summary: 'Changes fields together at an instant, of which some concern money.',
});

export const brandScheduleWithdraw = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, scheduleId: NumberId }),
	response: v.object({ host: v.string(), scheduleId: v.string() }),
	summary: 'Withdraws a scheduled change that has not been made.',
});

export const brandSchedules = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.array(
		v.object({
			scheduleId: v.string(),
			at: v.string(),
			changes: v.array(v.object({ field: v.string(), value: v.string() })),
			state: v.picklist(['WAITING', 'DONE', 'REFUSED', 'WITHDRAWN']),
			/** The code of the refusal; null without one. */
			outcome: v.nullable(v.string()),
			/** What the refusal says; null without one. */
			reason: v.nullable(v.string()),
			by: v.string(),
		}),
	),
	summary: 'Scheduled changes of a brand: those that wait, the next first, then the newest.',
});

/** Sports of a new brand. */
const Sport = v.picklist(SPORT_FIELDS, `A sport of the site: ${SPORT_FIELDS.join(', ')}.`);

export const brandAdd = defineOperatorCall({
	permission: 'brands.edit',
	about: 'platform',
	input: v.strictObject({
		...OnBrand.entries,
		title: v.optional(FieldValue),
		/** The first is for visitors whose browsers ask for none of them. */
		languages: v.optional(v.pipe(v.array(FieldValue), v.minLength(1, 'A site has a language.'), v.maxLength(20))),
		/** Those that the site shows; all of them by default. */
		sports: v.optional(v.pipe(v.array(Sport), v.maxLength(SPORT_FIELDS.length))),
		/** A brand whose rules of bets, registration, money and protection it takes over. */
		rulesOf: v.optional(DomainName),
		/** Of its players' money; it never changes. */
		currency: v.optional(v.picklist(CURRENCIES, `A currency: ${CURRENCIES.join(', ')}.`), HOME_CURRENCY),
	}),
	response: v.object({ host: v.string(), version: v.number() }),
	summary: 'Adds a brand in play money; two owners make it one of real money.',
});

export const realMoneyReadiness = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.object({
		host: v.string(),
		pool: v.string(),
		/** It takes real money already. */
		isOpen: v.boolean(),
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

/** As with a profile, it takes two members. */
export const brandTerms = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: v.strictObject({ ...OnBrand.entries, ...LegalTexts.entries }),
	response: v.object({ host: v.string(), legalTexts: v.array(LegalTexts), version: v.number() }),
	summary: 'Lets versions of the terms and the privacy policy hold on a brand from an instant on.',
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
