/** Which changes of a brand's setting need a second member. */

/**
 * Fields that one member changes alone: looks, words and parts of the site. Everything else may move money or send it
 * elsewhere.
 */
const ALONE: ReadonlySet<string> = new Set([
	'domainTitle',
	'favicon',
	'description',
	'allowSignUp',
	'visitorsMayLook',
	'startsWithCrash',
	'showSupportLink',
	'mainLogo',
	'mainLogoLight',
	'authBackgroundImage',
	'authLogoImage',
	'authLogoImageLight',
	'heroImage',
	'siteSuspended',
	'football',
	'tennis',
	'cricket',
	'kabaddi',
	'horseRacing',
	'trade',
	'locale',
	'languages',
	'defaultLanguage',
	'theme',
	'themeTokens',
	'news',
	'slides',
	'welcome',
	'defaultStakes',
]);

/** @param field of the contract's setting, or a part of one such as `funds.minDeposit` */
export const isSetAlone = (field: string): boolean => ALONE.has(field.split('.')[0] ?? '');
