/**
 * What each setting of a brand is called, means and is counted in, by its path. The schema beside it has the bounds. The
 * types fail when a setting has no words.
 */
import type { DomainSetting } from '#contract/domain-setting.ts';

/** Objects whose parts are set one by one. */
type Composite = 'cases' | 'funds' | 'playerProtection' | 'realMoney' | 'referral' | 'significantEvents' | 'support';
type PartOf<Name extends Composite> = `${Name}.${keyof DomainSetting[Name] & string}`;

/** Fields that change, with each part of a composite one. */
export type SettingPath =
	| Exclude<
			keyof DomainSetting,
			'domain' | 'version' | 'pool' | 'awaitsOwners' | 'currency' | 'profiles' | 'legalTexts' | 'rules' | Composite
	  >
	| Exclude<{ [Name in Composite]: PartOf<Name> }[Composite], 'funds.identity'>
	| `funds.identity.${keyof DomainSetting['funds']['identity'] & string}`;

export const SETTING_GROUPS = {
	name: 'Name and words',
	pictures: 'Pictures',
	colours: 'Colours',
	languages: 'Languages',
	site: 'The site',
	sports: 'Sports',
	registration: 'Registration',
	bets: 'Rules of bets',
	coins: 'Play coins',
	money: 'Deposits and withdrawals',
	protection: 'Protection of players',
	bonuses: 'Bonuses',
	addresses: 'Addresses',
	real: 'Real money',
} as const;
type SettingGroup = keyof typeof SETTING_GROUPS;

export interface SettingWords {
	group: SettingGroup;
	label: string;
	/** One sentence. */
	help: string;
	/** What a number counts; empty for none. */
	unit: string;
}

const words = (group: SettingGroup, label: string, help: string, unit = ''): SettingWords => ({
	group,
	label,
	help,
	unit,
});

/** The unit of amounts: the brand's own currency. */
export const OF_BRAND = 'in the brand’s currency';

export const SETTING_WORDS: { readonly [Path in SettingPath]: SettingWords } = {
	domainTitle: words('name', 'Name of the site', 'Stands in the head, in titles and on the installed app.'),
	description: words('name', 'Description', 'Search engines and link previews show it.'),
	news: words('name', 'News', 'Lines that run above the list.'),
	slides: words('name', 'Slides', 'Cards above the list; without any, each sport has one.'),
	welcome: words('name', 'Welcome', 'A visitor sees it once a day.'),
	supportLink: words('name', 'Support', 'The address that the support link opens.'),
	showSupportLink: words('name', 'Support link', 'The menu shows the support link.'),

	mainLogo: words('pictures', 'Logo', 'Stands in the head of every page.'),
	mainLogoLight: words('pictures', 'Logo on light', 'Replaces the logo in the light theme.'),
	favicon: words('pictures', 'Icon', 'Stands in browsers’ tabs and on the installed app; a square.'),
	authLogoImage: words('pictures', 'Logo of the log-in page', 'Stands above the log-in form.'),
	authLogoImageLight: words('pictures', 'Log-in logo on light', 'Replaces that logo in the light theme.'),
	authBackgroundImage: words('pictures', 'Picture of the log-in page', 'Fills the page behind the log-in form.'),
	heroImage: words('pictures', 'Picture above the list', 'Stands behind the match in play and on slides without one.'),

	theme: words('colours', 'Theme', 'What visitors see first; each player may choose the other.'),
	themeTokens: words('colours', 'Colours', 'Replace the theme’s own, such as brand for the accent.'),

	languages: words('languages', 'Languages', 'Players choose from these.'),
	defaultLanguage: words('languages', 'First language', 'For visitors whose browsers ask for none of the languages.'),
	locale: words('languages', 'Region', 'Decides how dates are written, such as en-IN.'),
	timeZone: words('languages', 'Time zone', 'Days of limits, coins, cashbacks and reports, such as Europe/London.'),

	siteSuspended: words('site', 'Under maintenance', 'Nobody can bet, and every page says so.'),
	lapseBetsOnSuspension: words('site', 'Maintenance lapses bets', 'Unmatched bets lapse when maintenance begins.'),
	visitorsMayLook: words('site', 'Open to visitors', 'Visitors see markets and rules without a log-in.'),
	startsWithCrash: words('site', 'Starts with Crash', 'A log-in leads to the casino’s lobby.'),
	simulatedSports: words('site', 'Simulated sports', 'A badge says that matches are simulated.'),
	encodeRequests: words('site', 'Encoded requests', 'The site sends its requests encoded.'),

	cricket: words('sports', 'Cricket', 'The site shows cricket.'),
	football: words('sports', 'Football', 'The site shows football.'),
	tennis: words('sports', 'Tennis', 'The site shows tennis.'),
	kabaddi: words('sports', 'Kabaddi', 'The site shows kabaddi.'),
	horseRacing: words('sports', 'Horse racing', 'The site shows horse racing.'),
	trade: words('sports', 'Trading', 'The site shows markets on prices.'),

	allowSignUp: words('registration', 'Sign-up', 'Visitors may open an account.'),
	skipVerification: words('registration', 'Without a code', 'A mobile counts as verified without a code.'),
	oneAccountPerMobile: words('registration', 'One account a mobile', 'A mobile opens no second account.'),

	betsPerSecond: words('bets', 'Bets a second', 'The most bets and replacements of one player.', 'a second'),
	maxOpenBets: words('bets', 'Open bets', 'The most bets of one player that are not settled.', 'bets'),
	defaultStakes: words('bets', 'Stakes to press', 'The buttons that a new player has in the slip.'),
	autoBet: words('bets', 'Automatic bets', 'Players may let Crash bet round after round.'),
	largestCrash: words(
		'bets',
		'Largest Crash',
		'Each bet on Crash is cashed out there at the latest; null for none.',
		'times',
	),

	signUpCoins: words('coins', 'Coins of a new account', 'Play coins that an account begins with.', OF_BRAND),
	dailyCoins: words('coins', 'Daily coins', 'A balance may be refilled up to it once a day.', OF_BRAND),

	'funds.payeeName': words('money', 'Payee', 'The name that players pay to.'),
	'funds.payeeUpiId': words('money', 'Payee’s UPI id', 'The account that players pay to; empty for none.'),
	'funds.upiDeposits': words('money', 'Deposits by UPI', 'Players may deposit by UPI.'),
	'funds.receiptDeposits': words('money', 'Deposits by receipt', 'Players may send the receipt of a payment.'),
	'funds.withdrawals': words('money', 'Withdrawals', 'Players may ask for withdrawals.'),
	'funds.minDeposit': words('money', 'Smallest deposit', 'A smaller one is refused.', OF_BRAND),
	'funds.maxDeposit': words('money', 'Largest deposit', 'A larger one is refused.', OF_BRAND),
	'funds.minWithdrawal': words('money', 'Smallest withdrawal', 'A smaller one is refused.', OF_BRAND),
	'funds.maxWithdrawal': words('money', 'Largest withdrawal', 'A larger one is refused.', OF_BRAND),
	'funds.withdrawalsPerDay': words('money', 'Withdrawals a day', 'The most that one player may ask for.', 'a day'),
	'funds.cancelWithdrawals': words('money', 'Cancelling withdrawals', 'A player may cancel one that is not approved.'),
	'funds.turnover': words('money', 'Turnover', 'How often a deposit is bet before it can be withdrawn.', 'times'),
	'funds.autoApproveUpTo': words(
		'money',
		'Approved automatically',
		'A player’s withdrawals of a day without doubts, up to it; 0 for none.',
		OF_BRAND,
	),
	'funds.secondApprovalAbove': words(
		'money',
		'Two operators above',
		'A player’s payments of a day above it need two operators.',
		OF_BRAND,
	),
	'funds.identity.atFirstWithdrawal': words(
		'money',
		'Identity at the first withdrawal',
		'The first withdrawal waits until the identity is verified.',
	),
	'funds.identity.aboveWithdrawal': words(
		'money',
		'Identity above, a day',
		'Withdrawals of 24 hours above it wait for the identity; null for never.',
		OF_BRAND,
	),
	'funds.identity.aboveTotal': words(
		'money',
		'Identity above, in all',
		'All withdrawals together above it wait for the identity; null for never.',
		OF_BRAND,
	),

	'playerProtection.depositLimitDay': words('protection', 'Deposits a day', 'Until a player sets another.', OF_BRAND),
	'playerProtection.depositLimitWeek': words('protection', 'Deposits a week', 'Until a player sets another.', OF_BRAND),
	'playerProtection.depositLimitMonth': words(
		'protection',
		'Deposits a month',
		'Until a player sets another.',
		OF_BRAND,
	),
	'playerProtection.lossLimitDay': words(
		'protection',
		'Loss a day',
		'Until a player sets another; null for none.',
		OF_BRAND,
	),
	'playerProtection.stakeLimit': words('protection', 'Stake', 'Until a player sets another; null for none.', OF_BRAND),
	'playerProtection.realityCheckMinutes': words(
		'protection',
		'Reality check',
		'How often a player is told the time and the result so far.',
		'minutes',
	),

	bonuses: words('bonuses', 'Bonus texts', 'What the page of bonuses says.'),
	campaigns: words('bonuses', 'Campaigns', 'Bonuses that players may claim.'),
	'referral.reward': words('bonuses', 'Reward for a friend', 'What a referrer receives; 0 for none.', OF_BRAND),
	'referral.minDeposit': words('bonuses', 'Friend’s deposit', 'What the friend deposits at least.', OF_BRAND),
	'referral.minWagered': words('bonuses', 'Friend’s bets', 'What the friend wagers at least in sports.', OF_BRAND),
	'referral.maturityHours': words(
		'bonuses',
		'Deposit counts after',
		'How long ago the friend’s deposit was paid.',
		'hours',
	),
	'referral.cap': words('bonuses', 'Friends of one player', 'The most rewards of one referrer.', 'friends'),

	baseUrl: words('addresses', 'Calls', 'Where the site’s calls go; empty for the site’s own host.'),
	hubUrl: words('addresses', 'Hub', 'Where live prices come from.'),
	casinoUrl: words('addresses', 'Casino', 'Where the casino’s games come from; empty for the site’s own host.'),
	paymentUrl: words('addresses', 'Payments', 'Where payments go; empty for the site’s own host.'),
	streamUrl: words('addresses', 'Streams', 'The origin of the matches’ streams.'),

	'support.answerHours': words('name', 'Answers within', 'A player’s message is overdue after it.', 'hours'),
	'cases.decideDays': words('protection', 'Cases within', 'A case of compliance is overdue after it.', 'days'),
	'support.complaintDays': words('name', 'Complaints within', 'A complaint is overdue after it.', 'days'),

	'significantEvents.winAbove': words('money', 'Large win', 'A win above it is a significant event.', OF_BRAND),
	'significantEvents.transferAbove': words(
		'money',
		'Large transfer',
		'A deposit or payout above it is a significant event.',
		OF_BRAND,
	),

	'realMoney.licence': words('real', 'Licence', 'The regulator’s reference.'),
	'realMoney.countries': words('real', 'Countries', 'Players come from these, such as GB.'),
	'realMoney.identity': words('real', 'Identity', 'What verifies identity and age.'),
	'realMoney.location': words('real', 'Location', 'What tells the country of an address.'),
	'realMoney.terms': words('real', 'Terms', 'The address of the terms and conditions.'),
	'realMoney.leastAge': words('real', 'Least age', 'Younger players are not verified.', 'years'),
	'realMoney.staffMayPlay': words('real', 'Staff may play', 'Otherwise accounts declared as staff’s take no stake.'),
};
