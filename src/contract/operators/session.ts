/** The calls with which a member of staff logs in; they need a session at most, and no permission. */
import * as v from 'valibot';
import { StaffPassword } from '#contract/operators/staff.ts';

/** What a session still has to show: a code, the setting up of codes, or nothing. */
export const Stage = v.picklist(['CODE', 'ENROL', 'IN']);

const Code = v.pipe(
	v.string(),
	v.trim(),
	v.regex(/^(\d{6}|[0-9a-f]{16})$/, 'A code has six digits; a recovery code has sixteen characters.'),
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
	/** Who is logged in; the stage without a member while something is left to show. */
	me: {
		input: v.strictObject({}),
		response: v.object({
			stage: v.nullable(Stage),
			name: v.string(),
			permissions: v.array(v.string()),
			brands: v.nullable(v.array(v.string())),
			hasFactor: v.boolean(),
		}),
	},
	'change-password': {
		input: v.strictObject({ current: v.pipe(v.string(), v.maxLength(256)), next: StaffPassword }),
		response: v.object({ changed: v.boolean() }),
	},
	'log-out': { input: v.strictObject({}), response: v.object({ ended: v.boolean() }) },
} as const;

export type SessionCallName = keyof typeof SESSION_CALLS;
