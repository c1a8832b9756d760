/**
 * The rules of a player's input, with the messages of the product specification, section 5. The server and the site's
 * forms use the same schemas.
 */
import * as v from 'valibot';
import { hasInvisible } from '#values/clean-text.ts';
import { MOBILE_PATTERN, normalMobile } from '#values/mobile.ts';

const LONGEST_PASSWORD = 256;

/** The sentences of the product specification; the site shows them in its own language. */
export const RULE_MESSAGES = {
	userNameRequired: 'username is a required field',
	passwordRequired: 'password is a required field',
	userNameInvalid: 'username is not valid.',
	passwordInvalid: 'password is not valid.',
	passwordShort: 'Password is too short - should be 8 chars minimum.',
	passwordWeak: 'Must Contain 8 Characters, One Uppercase, One Lowercase, One Number and one special case Character',
	passwordsDiffer: 'Passwords must match',
	mobileInvalid: 'mobile number is not valid',
	referralInvalid: 'referral code is not valid.',
	codeInvalid: 'Please Enter Otp code',
} as const;
export type RuleMessage = (typeof RULE_MESSAGES)[keyof typeof RULE_MESSAGES];

const required = (message: RuleMessage) => v.minLength<string, 1, string>(1, message);

/** Any text in a login form, because it is only compared. */
export const GivenName = v.config(v.pipe(v.string(), required(RULE_MESSAGES.userNameRequired), v.maxLength(256)), {
	abortPipeEarly: true,
});
export const GivenPassword = v.config(
	v.pipe(v.string(), required(RULE_MESSAGES.passwordRequired), v.maxLength(LONGEST_PASSWORD)),
	{
		abortPipeEarly: true,
	},
);

/**
 * Letters of any script, digits and . _ - @; stored as entered, compared by its folded form. It has at least one
 * visible letter or digit and no invisible characters, because readers could not tell such names apart.
 */
export const NewUserName = v.config(
	v.pipe(
		v.string(),
		v.normalize('NFKC'),
		v.trim(),
		required(RULE_MESSAGES.userNameRequired),
		v.regex(/^[\p{L}\p{M}\p{N}._@-]{3,32}$/u, RULE_MESSAGES.userNameInvalid),
		v.regex(/[\p{L}\p{N}]/u, RULE_MESSAGES.userNameInvalid),
		v.check((name) => !hasInvisible(name), RULE_MESSAGES.userNameInvalid),
	),
	{ abortPipeEarly: true },
);

/** Taken verbatim, neither trimmed nor normalised. */
export const NewPassword = v.config(
	v.pipe(
		v.string(),
		required(RULE_MESSAGES.passwordRequired),
		v.minLength(8, RULE_MESSAGES.passwordShort),
		v.maxLength(LONGEST_PASSWORD, RULE_MESSAGES.passwordInvalid),
		v.regex(/[a-z]/i, RULE_MESSAGES.passwordWeak),
		v.regex(/\d/, RULE_MESSAGES.passwordWeak),
		v.regex(/[@$!%*#?&]/, RULE_MESSAGES.passwordWeak),
	),
	{ abortPipeEarly: true },
);

/** The handler gets it as `+91` and ten digits. */
export const Mobile = v.config(
	v.pipe(v.string(), v.trim(), v.regex(MOBILE_PATTERN, RULE_MESSAGES.mobileInvalid), v.transform(normalMobile)),
	{ abortPipeEarly: true },
);

export const ReferralCode = v.pipe(v.string(), v.trim(), v.regex(/^[\w-]{0,32}$/, RULE_MESSAGES.referralInvalid));

/** Ids, secrets, codes and addresses of back ends: visible ASCII. */
export const Credential = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,500}$/, 'Must be 1 to 500 visible characters.'));

/** Six digits, which some clients send as a number. */
export const OneTimeCode = v.pipe(
	v.union([v.string(RULE_MESSAGES.codeInvalid), v.number(RULE_MESSAGES.codeInvalid)], RULE_MESSAGES.codeInvalid),
	v.transform((code) => String(code).trim()),
	v.regex(/^\d{6}$/, RULE_MESSAGES.codeInvalid),
);
