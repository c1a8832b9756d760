/**
 * The rules of a player's input, with the messages of the product specification, section 5. The server and the site's
 * forms use the same schemas.
 */
import * as v from 'valibot';
import { hasInvisible } from '#values/clean-text.ts';
import { MOBILE_PATTERN, normalMobile } from '#values/mobile.ts';

export const LONGEST_PASSWORD = 256;

/** The message for a field that fails without one of its own. */
const invalid = (field: string): string => `${field} is not valid.`;

const required = (field: string) => v.minLength<string, 1, string>(1, `${field} is a required field`);

/** Any text in a login form, because it is only compared. */
export const GivenName = v.config(v.pipe(v.string(), required('username'), v.maxLength(256)), { abortPipeEarly: true });
export const GivenPassword = v.config(v.pipe(v.string(), required('password'), v.maxLength(LONGEST_PASSWORD)), {
	abortPipeEarly: true,
});

/**
 * Letters of any script, digits and . _ - @; stored as entered, compared by its folded form. It has at least one
 * visible letter or digit and no invisible characters, because readers could not tell such names apart.
 */
export const NewUserName = v.config(
	v.pipe(
		v.string(),
		v.normalize('NFKC'),
		v.trim(),
		required('username'),
		v.regex(/^[\p{L}\p{M}\p{N}._@-]{3,32}$/u, invalid('username')),
		v.regex(/[\p{L}\p{N}]/u, invalid('username')),
		v.check((name) => !hasInvisible(name), invalid('username')),
	),
	{ abortPipeEarly: true },
);

const WEAK = 'Must Contain 8 Characters, One Uppercase, One Lowercase, One Number and one special case Character';

/** Taken verbatim, neither trimmed nor normalised. */
export const NewPassword = v.config(
	v.pipe(
		v.string(),
		required('password'),
		v.minLength(8, 'Password is too short - should be 8 chars minimum.'),
		v.maxLength(LONGEST_PASSWORD, invalid('password')),
		v.regex(/[a-z]/i, WEAK),
		v.regex(/\d/, WEAK),
		v.regex(/[@$!%*#?&]/, WEAK),
	),
	{ abortPipeEarly: true },
);

export const MISMATCH = 'Passwords must match';

/** The handler gets it as `+91` and ten digits. */
export const Mobile = v.config(
	v.pipe(v.string(), v.trim(), v.regex(MOBILE_PATTERN, 'mobile number is not valid'), v.transform(normalMobile)),
	{ abortPipeEarly: true },
);

export const ReferralCode = v.pipe(v.string(), v.trim(), v.regex(/^[\w-]{0,32}$/, invalid('referral code')));

/** Ids, secrets, codes and addresses of back ends: visible ASCII. */
export const Credential = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,500}$/, 'Must be 1 to 500 visible characters.'));

const NO_CODE = 'Please Enter Otp code';

/** Six digits, which some clients send as a number. */
export const OneTimeCode = v.pipe(
	v.union([v.string(NO_CODE), v.number(NO_CODE)], NO_CODE),
	v.transform((code) => String(code).trim()),
	v.regex(/^\d{6}$/, NO_CODE),
);
