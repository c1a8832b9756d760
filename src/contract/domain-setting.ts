/** What a brand looks like and may do: `GET /domain-settings/{host}.json`. A new flag is one line here with its default. */

import * as v from 'valibot';
import { StakePreset } from '#contract/calls/account.ts';

export const DomainSetting = v.object({
	domain: v.string(),
	domainTitle: v.string(),
	favicon: v.string(),
	description: v.string(),
	allowSignUp: v.boolean(),
	skipVerification: v.boolean(),
	showSupportLink: v.boolean(),
	supportLink: v.string(),
	mainLogo: v.string(),
	authBackgroundImage: v.string(),
	authLogoImage: v.string(),
	/** Where the calls go; empty means the page's own origin. */
	baseUrl: v.string(),
	siteSuspended: v.boolean(),
	bonuses: v.array(v.object({ title: v.string(), text: v.string() })),
	football: v.boolean(),
	tennis: v.boolean(),
	cricket: v.boolean(),
	kabaddi: v.boolean(),
	horseRacing: v.boolean(),
	trade: v.boolean(),
	pool: v.picklist(['PLAY', 'REAL']),
	currency: v.string(),
	locale: v.string(),
	/** Class on <html>: dark (default) or light. */
	theme: v.picklist(['dark', 'light']),
	/** CSS variables that override the theme's, by name without the leading dashes: { brand: '#e11d48' }. */
	themeTokens: v.record(v.string(), v.string()),
	hubUrl: v.string(),
	casinoUrl: v.string(),
	paymentUrl: v.string(),
	streamUrl: v.string(),
	encodeRequests: v.boolean(),
	news: v.array(v.string()),
	defaultStakes: v.array(StakePreset),
	/** Rises with each change of the setting. */
	version: v.number(),
});
export type DomainSetting = v.InferOutput<typeof DomainSetting>;
