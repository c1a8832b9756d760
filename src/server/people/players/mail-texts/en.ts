/** What players read by mail, in English. `{…}` never stands in a text: values are arguments. */

interface MailText {
	subject: string;
	/** Paragraphs. */
	words: readonly string[];
}

interface StatementFigures {
	month: string;
	before: string;
	paidIn: string;
	paidOut: string;
	sports: string;
	casino: string;
	others: string;
	after: string;
}

/** @param site the brand's name */
export interface MailTexts {
	proveAddress: (site: string, values: { code: string; minutes: number }) => MailText;
	addressTaken: (site: string, values: object) => MailText;
	addressChanged: (site: string, values: object) => MailText;
	addressRemoved: (site: string, values: object) => MailText;
	passwordReset: (site: string, values: { code: string; minutes: number; userName: string }) => MailText;
	passwordChanged: (site: string, values: { at: string }) => MailText;
	mobileProven: (site: string, values: { at: string }) => MailText;
	limitsChanged: (site: string, values: { at: string }) => MailText;
	withdrawalPaid: (site: string, values: { amount: string; at: string }) => MailText;
	statement: (site: string, values: StatementFigures) => MailText;
	/** Below every message. */
	foot: (site: string) => string;
}

export const EN: MailTexts = {
	proveAddress: (site, { code, minutes }) => ({
		subject: `${code} is your code for ${site}`,
		words: [
			`${code} proves this address for your account at ${site}. It is good for ${minutes} minutes. Tell it to nobody.`,
			'If you did not ask for it, do nothing: the address is not used.',
		],
	}),
	addressTaken: (site) => ({
		subject: `This address is in use at ${site}`,
		words: [
			`Somebody entered this address for an account at ${site}. It belongs to another account of yours already, so no code was made.`,
			'If it was not you, do nothing.',
		],
	}),
	addressChanged: (site) => ({
		subject: `Your address at ${site} was changed`,
		words: [
			`Your account at ${site} has another mail address now. We write to this one no more.`,
			'If it was not you, write to support at once.',
		],
	}),
	addressRemoved: (site) => ({
		subject: `Your address at ${site} was removed`,
		words: [`Your account at ${site} has no mail address any more.`, 'If it was not you, write to support at once.'],
	}),
	passwordReset: (site, { code, minutes, userName }) => ({
		subject: `${code} is your code for a new password at ${site}`,
		words: [
			`${code} lets you choose a new password for ${userName} at ${site}. It is good for ${minutes} minutes. Tell it to nobody.`,
			'If you did not ask for it, do nothing: your password stays as it is.',
		],
	}),
	passwordChanged: (site, { at }) => ({
		subject: `Your password at ${site} was changed`,
		words: [`The password of your account was changed: ${at}.`, 'If it was not you, write to support at once.'],
	}),
	mobileProven: (site, { at }) => ({
		subject: `A mobile was proven for your account at ${site}`,
		words: [
			`A mobile number was proven for your account: ${at}. A code to it sets a new password.`,
			'If it was not you, write to support at once.',
		],
	}),
	limitsChanged: (site, { at }) => ({
		subject: `Your limits at ${site} were changed`,
		words: [`The limits of your account were changed: ${at}. You see them in your account.`],
	}),
	withdrawalPaid: (site, { amount, at }) => ({
		subject: `Your withdrawal from ${site} was paid`,
		words: [`${amount} was paid to your account at the bank: ${at}.`],
	}),
	statement: (site, { month, before, paidIn, paidOut, sports, casino, others, after }) => ({
		subject: `Your statement of ${month} at ${site}`,
		words: [
			`Balance at the beginning: ${before}`,
			`Paid in: ${paidIn}`,
			`Paid out: ${paidOut}`,
			`Bets: ${sports}`,
			`Casino: ${casino}`,
			`Bonuses, taxes and corrections: ${others}`,
			`Balance at the end: ${after}`,
			'Every single row is in your account under Statement.',
		],
	}),
	foot: (site) => `${site} sends this because your account has this address. Nobody reads answers to it.`,
};
