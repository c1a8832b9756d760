/** The calls with which a member of staff logs in; they need a session at most, and no permission. */
import * as v from 'valibot';
import { PermissionName } from '#contract/operators/fields.ts';
import { StaffPassword } from '#contract/operators/staff.ts';

/** What a session still has to show: a code, the setting up of codes, or nothing. */
const Stage = v.picklist(['CODE', 'ENROL', 'IN']);

const Code = v.pipe(
	v.string(),
	v.trim(),
	v.regex(/^(\d{6}|[0-9a-f]{16})$/, 'A code has six digits; a recovery code has sixteen characters.'),
);

const KeyOptions = v.looseObject({ challenge: v.string() });
const Base64Url = v.pipe(v.string(), v.regex(/^[\w-]*$/), v.maxLength(20_000));
/** What the browser gives for a key, as JSON (WebAuthn, level 3). */
const KeyAnswer = v.looseObject({
	id: Base64Url,
	rawId: Base64Url,
	type: v.literal('public-key'),
	response: v.looseObject({ clientDataJSON: Base64Url }),
});

const ViewName = v.pipe(
	v.string(),
	v.trim(),
	v.minLength(1, 'Give the view a name.'),
	v.maxLength(60),
	v.regex(/^\P{Cc}*$/u, 'A name has no control characters.'),
);
/** Never another site: one slash begins it. */
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
	/** Shows the code of the app, or a recovery code. */
	'show-code': {
		input: v.strictObject({ code: Code, remember: v.optional(v.boolean(), false) }),
		response: v.object({ stage: Stage }),
	},
	/** The secret for the app, as text, address and QR code. */
	'begin-enrolment': {
		input: v.strictObject({}),
		response: v.object({ secret: v.string(), uri: v.string(), qr: v.string() }),
	},
	/** Shows the first code. Recovery codes are answered this once. */
	'finish-enrolment': {
		input: v.strictObject({ code: Code }),
		response: v.object({ recoveryCodes: v.array(v.string()) }),
	},
	/** What a security key has to sign in place of a code: the options of WebAuthn, as the browser takes them. */
	'begin-key': { input: v.strictObject({}), response: KeyOptions },
	/** Shows a security key in place of a code. */
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
		input: v.strictObject({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)), response: KeyAnswer }),
		response: v.object({ added: v.boolean() }),
	},
	/** Removes one of the member's keys; a code of the app, or a recovery code, is shown for it. */
	'remove-key': {
		input: v.strictObject({ keyId: v.pipe(v.string(), v.maxLength(1400)), code: Code }),
		response: v.object({ removed: v.boolean() }),
	},
	/** The member's saved views, by name. */
	views: { input: v.strictObject({}), response: v.array(v.object({ name: v.string(), address: v.string() })) },
	/** Keeps a screen with its filters under a name, in place of one of that name. */
	'save-view': {
		input: v.strictObject({ name: ViewName, address: ViewAddress }),
		response: v.object({ saved: v.boolean() }),
	},
	'remove-view': { input: v.strictObject({ name: ViewName }), response: v.object({ removed: v.boolean() }) },
	/** Who is logged in; the stage without a member while something is left to show. */
	me: {
		input: v.strictObject({}),
		response: v.object({
			stage: v.nullable(Stage),
			name: v.string(),
			permissions: v.array(PermissionName),
			brands: v.nullable(v.array(v.string())),
			hasFactor: v.boolean(),
			/** Whether a security key may be shown in place of a code. */
			hasKeys: v.boolean(),
		}),
	},
	'change-password': {
		input: v.strictObject({ current: v.pipe(v.string(), v.maxLength(256)), next: StaffPassword }),
		response: v.object({ changed: v.boolean() }),
	},
	'log-out': { input: v.strictObject({}), response: v.object({ ended: v.boolean() }) },
} as const;

export type SessionCallName = keyof typeof SESSION_CALLS;
