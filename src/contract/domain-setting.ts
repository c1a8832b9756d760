/**
 * The looks and flags of a brand: `GET /domain-settings/{host}.json`. A new flag is one line here with its default.
 * The server stores only the fields that a brand sets itself. Stored values have passed these rules, so a page may
 * show any of them.
 */

import * as v from 'valibot';
import { DatedRules } from '#contract/brand-rules.ts';
import { BONUS_KINDS } from '#contract/calls/bonus.ts';
import { SavedPreset } from '#contract/calls/user-stake.ts';
import { IN_MAJOR, Timestamp } from '#contract/fields.ts';
import { CURRENCIES, HOME_CURRENCY } from '#values/currency-codes.ts';
import { OF_AGE } from '#values/identity-documents.ts';
import { LANGUAGES } from '#values/languages.ts';
import { PROFILE_NAMES } from '#values/profile-names.ts';
import { isStreamAddress } from '#values/stream-address.ts';
import { THEMES } from '#values/themes.ts';
import { HOME_ZONE, isZone } from '#values/zoned-calendar.ts';

/** Text for a page, without markup. */
const words = (most: number) =>
	v.pipe(
		v.string('This is a text.'),
		v.maxLength(most, `At most ${most} characters.`),
		v.regex(/^[^<>\p{Cc}\p{Cs}]*$/u, 'No < or > and no control characters.'),
	);

/** A picture served with the site, because pages load pictures from no other origin; empty for none. */
const Picture = v.pipe(
	v.string('This is a path.'),
	v.maxLength(200),
	v.regex(/^(\/[\w-][\w.-]*)*$/, 'A path of this site, such as /brands/name/logo.svg, or nothing.'),
);

/** Empty, a path of the page's own origin, or a URL of another. */
const Service = v.pipe(
	v.string('This is an address.'),
	v.maxLength(500),
	v.regex(
		/^(\/(?!\/)[\w./-]*|https?:\/\/[\w.-]+(:\d{1,5})?(\/[\w./-]*)?)?$/,
		'An http address, a path that starts with one /, or nothing.',
	),
);

/** For services whose content a page plays. */
const StreamService = v.pipe(
	Service,
	v.check(
		(address) => !address.includes(':') || isStreamAddress(address),
		'An https address, a path that starts with one /, or nothing; http on this machine only.',
	),
);

const Link = v.pipe(
	v.string('This is a link.'),
	v.maxLength(500),
	v.regex(
		/^(https:\/\/[\w.-]+(\/[\w./%~?=&+@-]*)?|mailto:[\w.+-]+@[\w.-]+|tel:\+?\d{4,15})?$/,
		'An https:, mailto: or tel: link, or nothing.',
	),
);

const flag = (on: boolean) => v.optional(v.boolean('This is true or false.'), on);

const Locale = v.pipe(
	v.string(),
	v.regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'A language and a country, such as en-IN.'),
);

const TimeZone = v.pipe(v.string(), v.check(isZone, 'A time zone, such as Europe/London.'));

const SiteLanguage = v.picklist(LANGUAGES, `A language of the site: ${LANGUAGES.join(', ')}.`);

/** The presets of a player who has saved none (product specification, section 9). */
const DEFAULT_STAKES = [
	{ title: '100', value: 100 },
	{ title: '500', value: 500 },
	{ title: '1k', value: 1000 },
	{ title: '2k', value: 2000 },
	{ title: '3k', value: 3000 },
	{ title: '4k', value: 4000 },
	{ title: '5k', value: 5000 },
	{ title: '6k', value: 6000 },
];

/**
 * By name without the leading dashes: { brand: '#e11d48' }. A value can neither end its declaration nor load anything.
 */
const ThemeTokens = v.pipe(
	v.record(
		v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/, 'A token’s name, such as surface-1.')),
		v.pipe(v.string(), v.regex(/^(?!.*url)[\w#%(),. /-]{1,100}$/i, 'A colour.')),
	),
	v.check((tokens) => Object.keys(tokens).length <= 60, 'At most 60 tokens.'),
);

/** A card of the image slider; without a picture the site draws the sport's own. */
const Slide = v.strictObject({
	title: words(60),
	text: v.optional(words(140), ''),
	image: v.optional(Picture, ''),
	/** The path that the card links to. */
	path: v.optional(v.pipe(v.string(), v.regex(/^\/[\w./-]{0,100}$/, 'A path of this site.')), '/index'),
});

const Limit = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000)));

/** Default protection of players who set no limits themselves; whole major units, null for no limit. */
const PlayerProtection = v.strictObject({
	depositLimitDay: v.optional(Limit, 50_000),
	depositLimitWeek: v.optional(Limit, 200_000),
	depositLimitMonth: v.optional(Limit, 500_000),
	lossLimitDay: v.optional(Limit, null),
	stakeLimit: v.optional(Limit, null),
	/** How often a player is told the time spent on the site and the result so far. */
	realityCheckMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(1440)), 60),
});

const Whole = (least: number, most: number, otherwise: number) =>
	v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)), otherwise);

/**
 * When a withdrawal waits until the player's identity is verified; null for never. `aboveWithdrawal` adds the person's
 * other withdrawals of the last 24 hours, `aboveTotal` all of them: requested and not refused.
 */
const IdentityRules = v.strictObject({
	atFirstWithdrawal: v.optional(v.boolean('This is true or false.'), false),
	aboveWithdrawal: v.optional(Limit, null),
	aboveTotal: v.optional(Limit, null),
});

const SIMULATED_PAYEE = 'backlay@simulated';
/** Whether the payee stands for nothing but play money. */
export const isSimulatedPayee = (upiId: string): boolean => upiId === SIMULATED_PAYEE;

/** Deposits and withdrawals; amounts in whole major units. */
const Funds = v.strictObject({
	payeeName: v.optional(words(60), 'Backlay'),
	/** Empty: a deposit by UPI is not offered outside play money. */
	payeeUpiId: v.optional(
		v.pipe(v.string(), v.regex(/^([\w.-]{2,64}@[\w.-]{2,64})?$/, 'A UPI id, such as name@bank, or nothing.')),
		SIMULATED_PAYEE,
	),
	upiDeposits: flag(true),
	receiptDeposits: flag(true),
	withdrawals: flag(true),
	minDeposit: Whole(1, 10_000_000, 100),
	maxDeposit: Whole(1, 10_000_000, 50_000),
	minWithdrawal: Whole(1, 10_000_000, 100),
	maxWithdrawal: Whole(1, 10_000_000, 100_000),
	withdrawalsPerDay: Whole(0, 100, 3),
	/** A player may cancel a withdrawal before it is approved. */
	cancelWithdrawals: flag(false),
	/** How often a deposit must be bet before it can be withdrawn. */
	turnover: Whole(0, 10, 1),
	/** Per player and day: up to this amount, a withdrawal without doubts is approved automatically; 0 for none. */
	autoApproveUpTo: Whole(0, 10_000_000, 2_000),
	/** Per player and day: withdrawals, deposits and adjustments above it need two operators. */
	secondApprovalAbove: Whole(0, 10_000_000, 25_000),
	identity: v.optional(IdentityRules, {}),
});

/**
 * Deadlines of answers to players. The defaults are those of India's rules for intermediaries of 2021, rule 3(2)(a): a
 * complaint is acknowledged within 24 hours and disposed of within 15 days.
 */
const SupportRules = v.strictObject({
	/** Of an answer to a message. */
	answerHours: Whole(1, 720, 24),
	/** Of the end of a complaint. */
	complaintDays: Whole(1, 90, 15),
});

/** Deadlines of what compliance decides. */
const CaseRules = v.strictObject({
	/** Of a case, from its first fact on, and again from the one that opens it once more. */
	decideDays: Whole(1, 365, 14),
});

/** Requirements for real money; without all of them the pool REAL takes no bet, round, deposit or withdrawal. */
const RealMoneyRules = v.strictObject({
	/** The regulator's reference; empty for none. */
	licence: v.optional(words(80), ''),
	/** Allowed countries of players, by two letters such as GB. */
	countries: v.optional(
		v.pipe(v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'A country has two capital letters.'))), v.maxLength(250)),
		[],
	),
	/** The verifier of players' identity and age: operators. */
	identity: v.optional(v.picklist(['NONE', 'OPERATOR']), 'NONE'),
	/** The source of an address's country: a trusted proxy, which sends X-Country. */
	location: v.optional(v.picklist(['NONE', 'PROXY']), 'NONE'),
	/** The address of the terms and conditions; empty for none. */
	terms: v.optional(Link, ''),
	/** Players below it are not verified; null while it is not decided. */
	leastAge: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(OF_AGE), v.maxValue(30))), null),
	/** Accounts that are declared as a member of staff's, and others of the same person. */
	staffMayPlay: v.optional(v.boolean(), false),
});

/** Wins and transfers above these amounts are significant events; whole major units. */
const SignificantEvents = v.strictObject({
	/** Of a round, or of a player in a market after commission. */
	winAbove: Whole(1, 100_000_000, 100_000),
	/** Of a deposit that is credited, and of a withdrawal that is paid out. */
	transferAbove: Whole(1, 100_000_000, 50_000),
});

/** A bonus that players may claim; amounts in whole major units. */
export const Campaign = v.strictObject({
	id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/, 'An id in lower case, such as welcome-2026.')),
	title: v.pipe(words(80), v.minLength(1)),
	terms: v.optional(words(600), ''),
	kind: v.picklist(BONUS_KINDS),
	/** The granted amount of a welcome bonus, free coins and a free bet; the largest amount of the others. */
	amount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000_000), IN_MAJOR),
	/** Of the deposit, or of the net loss that a cashback partly returns. */
	percent: Whole(1, 200, 100),
	/** How often the amount has to be wagered; free coins and cashback are free immediately. */
	wagering: Whole(1, 10, 5),
	/** Per cent of the money at risk in a decided event that counts as wagered. */
	sportsWeight: Whole(0, 100, 100),
	/** Per cent of the money at risk in a decided round of the casino that counts as wagered. */
	casinoWeight: Whole(0, 100, 0),
	/** Of a cashback: days of the brand's calendar that are counted together. */
	period: Whole(1, 31, 7),
	days: Whole(1, 90, 14),
	/** The total of all active or released grants. */
	budget: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000), IN_MAJOR), 1_000_000),
	/** Null without an end. */
	until: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp())), null),
});

export type Campaign = v.InferOutput<typeof Campaign>;

/** The reward for a friend who registers with a player's code; amounts in whole major units, a reward of 0 for none. */
const ReferralRules = v.strictObject({
	reward: Whole(0, 100_000, 500),
	minDeposit: Whole(0, 10_000_000, 500),
	minWagered: Whole(0, 10_000_000, 1_000),
	/** A deposit counts after this time. */
	maturityHours: Whole(0, 720, 24),
	/** Of one referrer. */
	cap: Whole(0, 1_000, 20),
});

/** The name of a version of the terms or the privacy policy, such as 2026-11. */
export const TextVersion = v.pipe(
	v.string('This is a text.'),
	v.regex(/^[\w.-]{1,40}$/, 'A version has letters, digits, dots and dashes.'),
);

/** What players accept from an instant on. Two members announce it (`brand-terms`). */
export const LegalTexts = v.strictObject({
	from: Timestamp,
	terms: TextVersion,
	termsLink: v.optional(Link, ''),
	privacy: TextVersion,
	privacyLink: v.optional(Link, ''),
});
export type LegalTexts = v.InferOutput<typeof LegalTexts>;

export const DomainSetting = v.object({
	domain: v.string(),
	domainTitle: v.optional(v.pipe(words(60), v.minLength(1, 'A site has a name.')), 'Exchange'),
	favicon: v.optional(Picture, '/brands/default/favicon.svg'),
	description: v.optional(words(300), ''),
	allowSignUp: flag(false),
	skipVerification: flag(false),
	/** Visitors see markets, what is in play and the rules, read-only; without it those pages ask for a login. */
	visitorsMayLook: flag(false),
	/** The aviator domain: a login leads to the lobby, with the crash game in front. */
	startsWithCrash: flag(false),
	/** The sports are simulated, which the site says once, as a badge. */
	simulatedSports: flag(false),
	/** Refuses a second account for a mobile. */
	oneAccountPerMobile: flag(false),
	showSupportLink: flag(false),
	supportLink: v.optional(Link, ''),
	mainLogo: v.optional(Picture, '/brands/default/logo.svg'),
	/** Replaces `mainLogo` on the light theme; empty if that one works on both. */
	mainLogoLight: v.optional(Picture, ''),
	authBackgroundImage: v.optional(Picture, ''),
	authLogoImage: v.optional(Picture, '/brands/default/logo.svg'),
	authLogoImageLight: v.optional(Picture, ''),
	/** Behind the match above the list, and on slides that have no picture of their own. */
	heroImage: v.optional(Picture, ''),
	/** Base URL of the calls; empty means the page's own origin. */
	baseUrl: v.optional(Service, ''),
	siteSuspended: flag(false),
	/** Unmatched bets of the domain's players lapse when the site is suspended. */
	lapseBetsOnSuspension: flag(true),
	/** Limit of bets and replacements of one player per second. */
	betsPerSecond: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 50),
	/** Limit of one player's bets that are not settled, matched or not. */
	maxOpenBets: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20_000)), 2000),
	/** Whether players may let Crash bet round after round. */
	autoBet: flag(true),
	/** The largest multiplier of Crash: each bet is cashed out there at the latest; null for the game's own. */
	largestCrash: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10_000))), null),
	bonuses: v.optional(v.pipe(v.array(v.strictObject({ title: words(80), text: words(400) })), v.maxLength(20)), []),
	football: flag(true),
	tennis: flag(true),
	cricket: flag(true),
	kabaddi: flag(true),
	horseRacing: flag(true),
	trade: flag(true),
	/** The kind of its players' money; with the currency it is their pool. */
	pool: v.optional(v.picklist(['PLAY', 'REAL']), 'PLAY'),
	/** Of a brand that an engine of real money alone has: it takes none until two owners open it. */
	awaitsOwners: flag(false),
	currency: v.optional(v.picklist(CURRENCIES), HOME_CURRENCY),
	/** The days of limits, coins, cashbacks and reports are this zone's, unless the profile has one. */
	timeZone: v.optional(TimeZone, HOME_ZONE),
	/** Its region decides the format of dates. */
	locale: v.optional(Locale, 'en-IN'),
	/** The languages that players may choose from. */
	languages: v.optional(
		v.pipe(
			v.array(SiteLanguage, 'This is a list.'),
			v.minLength(1, 'A site has a language.'),
			v.check((languages) => new Set(languages).size === languages.length, 'Each language once.'),
		),
		['en'],
	),
	/** For visitors whose browsers ask for none of `languages`; one of them. */
	defaultLanguage: v.optional(SiteLanguage, 'en'),
	/** Class on <html>: dark (default) or light. */
	theme: v.optional(v.picklist(THEMES, 'The theme is dark or light.'), 'dark'),
	/** CSS variables that override the theme's. */
	themeTokens: v.optional(ThemeTokens, {}),
	hubUrl: v.optional(Service, '/hub'),
	casinoUrl: v.optional(Service, ''),
	paymentUrl: v.optional(Service, ''),
	/** Origin of match streams, so that a page that is open may play a stream that is configured later. */
	streamUrl: v.optional(StreamService, ''),
	/** Makes the site's client use the encoding mode. */
	encodeRequests: flag(false),
	news: v.optional(v.pipe(v.array(words(200)), v.maxLength(20)), []),
	/** The cards of the image slider; none means a card for each sport. */
	slides: v.optional(v.pipe(v.array(Slide), v.maxLength(8)), []),
	/** Shown to each visitor once a day in the welcome modal; null for none. */
	welcome: v.optional(v.nullable(v.strictObject({ title: words(60), text: words(400) })), null),
	defaultStakes: v.optional(v.pipe(v.array(SavedPreset), v.minLength(1), v.maxLength(12)), DEFAULT_STAKES),
	playerProtection: v.optional(PlayerProtection, {}),
	/** Play coins of a new account, in whole major units. */
	signUpCoins: Whole(0, 10_000_000, 20_000),
	/** A player's balance may be refilled up to this number of play coins, once a day. */
	dailyCoins: Whole(0, 10_000_000, 5_000),
	funds: v.optional(Funds, {}),
	support: v.optional(SupportRules, {}),
	significantEvents: v.optional(SignificantEvents, {}),
	cases: v.optional(CaseRules, {}),
	realMoney: v.optional(RealMoneyRules, {}),
	/** Profiles of jurisdictions in the order of their instants. Two members choose one (`brand-profile`). */
	profiles: v.optional(v.array(v.strictObject({ profile: v.picklist(PROFILE_NAMES), from: Timestamp })), []),
	/** Versions of the terms and the privacy policy in the order of their instants. */
	legalTexts: v.optional(v.array(LegalTexts), []),
	/** What these profiles say. The server derives it from them, and stores it nowhere. */
	rules: v.optional(v.array(DatedRules), []),
	campaigns: v.optional(v.pipe(v.array(Campaign), v.maxLength(20)), []),
	referral: v.optional(ReferralRules, {}),
	/** Rises with each change of the setting. */
	version: v.number(),
});
export type DomainSetting = v.InferOutput<typeof DomainSetting>;
