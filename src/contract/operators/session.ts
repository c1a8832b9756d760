/** The log-in calls of staff; they need a session at most, and no permission. */
import * as v from 'valibot';
import { FactorCode as Code, KeyAnswer, KeyName, KeyOptions } from '#contract/factor-fields.ts';
import { PermissionName } from '#contract/operators/fields.ts';
import { StaffPassword } from '#contract/operators/staff.ts';

/** The next step of a session: a code, the setting up of codes, or none. */
const Stage = v.picklist(['CODE', 'ENROL', 'IN']);

const ViewName = v.pipe(
	v.string(),
	v.trim(),
	v.minLength(1, 'Give the view a name.'),
	v.maxLength(60),
	v.regex(/^\P{Cc}*$/u, 'A name has no control characters.'),
);
/** Never another site: it starts with exactly one slash. */
const ViewAddress = v.pipe(
	v.string(),
	v.maxLength(2_000),
	v.regex(/^\/(?!\/)[\w\-./~%?=&+,:@!$'()*;[\]]*$/, 'A view is a path of the console.'),
);

export const SESSION_CALLS = {
	/** Begins a session. */
	'log-in': {
		input: v.strictObject({
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
			password: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
		}),
		response: v.object({ stage: Stage }),
	},
	/** The address of the company's log-in, which the browser then opens. */
	'begin-sign-on': { input: v.strictObject({}), response: v.object({ url: v.string() }) },
	/** Begins a session by what the browser brought back from there. */
	'finish-sign-on': {
		input: v.strictObject({
			state: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
			code: v.optional(v.pipe(v.string(), v.maxLength(4_000))),
			iss: v.optional(v.pipe(v.string(), v.maxLength(500))),
			error: v.optional(v.pipe(v.string(), v.maxLength(500))),
		}),
		response: v.object({ stage: Stage }),
	},
	/** Checks the code of the app, or a recovery code. */
	'show-code': {
		input: v.strictObject({ code: Code, remember: v.optional(v.boolean(), false) }),
		response: v.object({ stage: Stage }),
	},
	/** The secret for the app, as text, address and QR code. */
	'begin-enrolment': {
		input: v.strictObject({}),
		response: v.object({ secret: v.string(), uri: v.string(), qr: v.string() }),
	},
	/** Checks the first code. Recovery codes are returned only once. */
	'finish-enrolment': {
		input: v.strictObject({ code: Code }),
		response: v.object({ recoveryCodes: v.array(v.string()) }),
	},
	/** The challenge for a security key in place of a code: WebAuthn's options, as the browser takes them. */
	'begin-key': { input: v.strictObject({}), response: KeyOptions },
	/** Checks a security key in place of a code. */
	'show-key': {
		input: v.strictObject({ response: KeyAnswer, remember: v.optional(v.boolean(), false) }),
		response: v.object({ stage: Stage }),
	},
	/** The member's own keys. */
	keys: {
		input: v.strictObject({}),
		response: v.array(
			v.object({
				keyId: v.string(),
				name: v.string(),
				createdAt: v.string(),
				lastUsedAt: v.nullable(v.string()),
			}),
		),
	},
	'begin-adding-key': { input: v.strictObject({}), response: KeyOptions },
	'finish-adding-key': {
		input: v.strictObject({ name: KeyName, response: KeyAnswer }),
		response: v.object({ added: v.boolean() }),
	},
	/** Removes one of the member's keys, with a code of the app or a recovery code. */
	'remove-key': {
		input: v.strictObject({ keyId: v.pipe(v.string(), v.maxLength(1400)), code: Code }),
		response: v.object({ removed: v.boolean() }),
	},
	/** The member's saved views, by name. */
	views: { input: v.strictObject({}), response: v.array(v.object({ name: v.string(), address: v.string() })) },
	/** Saves a screen with its filters under a name, replacing one of that name. */
	'save-view': {
		input: v.strictObject({ name: ViewName, address: ViewAddress }),
		response: v.object({ saved: v.boolean() }),
	},
	'remove-view': { input: v.strictObject({ name: ViewName }), response: v.object({ removed: v.boolean() }) },
	/** The logged-in member; only the stage while a step is open. */
	me: {
		input: v.strictObject({}),
		response: v.object({
			stage: v.nullable(Stage),
			name: v.string(),
			permissions: v.array(PermissionName),
			brands: v.nullable(v.array(v.string())),
			hasFactor: v.boolean(),
			/** Whether a security key is accepted in place of a code. */
			hasKeys: v.boolean(),
			/** What members call the company's log-in; null without one. */
			signOn: v.nullable(v.string()),
			/** The time zone of the books' days; empty while a step is open. */
			booksZone: v.string(),
		}),
	},
	'change-password': {
		input: v.strictObject({ current: v.pipe(v.string(), v.maxLength(256)), next: StaffPassword }),
		response: v.object({ changed: v.boolean() }),
	},
	'log-out': { input: v.strictObject({}), response: v.object({ ended: v.boolean() }) },
} as const;

export type SessionCallName = keyof typeof SESSION_CALLS;
