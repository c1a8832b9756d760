import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { TextVersion } from '#contract/domain-setting.ts';
import { Timestamp } from '#contract/fields.ts';

export const TERMS_KINDS = ['TERMS', 'PRIVACY'] as const;

const Text = v.object({
	kind: v.picklist(TERMS_KINDS),
	version: v.string(),
	/** Where it is read; empty for none. */
	link: v.string(),
	/** When the player accepted it; null for not yet. */
	acceptedAt: v.nullable(Timestamp),
});

export const getTerms = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetTerms',
	auth: 'player',
	whileSuspended: true,
	quiet: true,
	summary: 'The terms and the privacy policy that hold now, and whether the player accepted them.',
	request: v.object({}),
	response: v.object({ texts: v.array(Text) }),
});

export const acceptTerms = defineCall({
	method: 'POST',
	path: 'Account/AcceptTerms',
	auth: 'player',
	whileSuspended: true,
	summary: 'Accepts the versions that the player read; others than those that hold now are refused.',
	request: v.strictObject({ terms: TextVersion, privacy: TextVersion }),
	response: v.object({ texts: v.array(Text) }),
});
