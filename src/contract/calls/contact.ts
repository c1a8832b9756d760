import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { GivenName, GivenPassword, NewPassword, OneTimeCode, RULE_MESSAGES } from '#contract/player-rules.ts';
import { isMailAddress } from '#values/mail-address.ts';

/** What a player may switch off; what guards the account is told always. */
const Notices = { limits: v.boolean(), withdrawals: v.boolean(), statement: v.boolean() };

export const MailAddress = v.pipe(
	v.string(),
	v.trim(),
	v.maxLength(254),
	v.check(isMailAddress, 'Enter a mail address.'),
);

export const getContact = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetContact',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s mail address, proven or waiting for its code, and what is told by mail.',
	request: v.object({}),
	response: v.object({
		/** Whether the site sends mail. */
		isOffered: v.boolean(),
		address: v.nullable(v.string()),
		/** Waits for its code; counts for nothing. */
		unproven: v.nullable(v.string()),
		notices: v.object(Notices),
	}),
});

export const setMailAddress = defineCall({
	method: 'POST',
	path: 'Account/SetMailAddress',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Sends a code to a new mail address; the answer does not say whether another account has it.',
	request: v.strictObject({ address: MailAddress, password: GivenPassword }),
	response: v.null(),
});

export const proveMailAddress = defineCall({
	method: 'POST',
	path: 'Account/ProveMailAddress',
	auth: 'player',
	whileSuspended: true,
	perMinute: 20,
	summary: 'Proves the new mail address by its code: from then on it is the contact and a name to log in with.',
	request: v.strictObject({ otp: OneTimeCode }),
	response: v.null(),
});

export const removeMailAddress = defineCall({
	method: 'POST',
	path: 'Account/RemoveMailAddress',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Removes the mail address, and one that waits for its code.',
	request: v.strictObject({ password: GivenPassword }),
	response: v.null(),
});

export const setMailNotices = defineCall({
	method: 'POST',
	path: 'Account/SetMailNotices',
	auth: 'player',
	whileSuspended: true,
	summary: 'Says what is told by mail; changes of the password and of the address are told always.',
	request: v.strictObject(Notices),
	response: v.null(),
});

export const sendResetCode = defineCall({
	method: 'POST',
	path: 'Account/SendResetCode',
	auth: 'none',
	whileSuspended: true,
	perMinute: 10,
	summary:
		'Sends a code for a new password to the proven mail address or mobile; the answer does not say whether there is one.',
	request: v.strictObject({ userNameOrEmailAddress: GivenName, by: v.picklist(['MAIL', 'MOBILE']) }),
	response: v.null(),
});

export const resetPassword = defineCall({
	method: 'POST',
	path: 'Account/ResetPassword',
	auth: 'none',
	whileSuspended: true,
	perMinute: 20,
	summary: 'Sets a new password by the code that was sent, and ends the player’s logins.',
	request: v.pipe(
		v.strictObject({
			userNameOrEmailAddress: GivenName,
			otp: OneTimeCode,
			newPassword: NewPassword,
			confirmPassword: v.string(),
		}),
		v.forward(
			v.partialCheck(
				[['newPassword'], ['confirmPassword']],
				({ newPassword, confirmPassword }) => newPassword === confirmPassword,
				RULE_MESSAGES.passwordsDiffer,
			),
			['confirmPassword'],
		),
	),
	response: v.null(),
});
