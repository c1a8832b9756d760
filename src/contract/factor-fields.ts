/** Fields of second factors and passkeys, of players and staff alike. */
import * as v from 'valibot';

/** How many keys one person may have. */
export const MOST_PASSKEYS = 10;

/** A code of an app, or a recovery code. */
export const FactorCode = v.pipe(
	v.string(),
	v.trim(),
	v.regex(/^(\d{6}|[0-9a-f]{16})$/, 'A code has six digits; a recovery code has sixteen characters.'),
);

/** As its owner calls it. */
export const KeyName = v.pipe(
	v.string(),
	v.trim(),
	v.minLength(1),
	v.maxLength(60),
	v.regex(/^\P{Cc}*$/u, 'A name has no control characters.'),
);

/** WebAuthn's options, as the browser takes them. */
export const KeyOptions = v.looseObject({ challenge: v.string() });

const Base64Url = v.pipe(v.string(), v.regex(/^[\w-]*$/), v.maxLength(20_000));

/** The browser's data about a key, as JSON (WebAuthn, level 3). */
export const KeyAnswer = v.looseObject({
	id: Base64Url,
	rawId: Base64Url,
	type: v.literal('public-key'),
	response: v.looseObject({ clientDataJSON: Base64Url }),
});
