/** What laws ask beyond the standards. Their clauses were written from memory. */
import type { Requirement } from '#conformity/requirement.ts';

const REAL_MONEY = 'src/server/money/funds/protection/real-money.ts';
const PROFILE_STAKES = 'src/server/calls/profile-stakes.ts';
const PROFILE_PLAY_TEST = 'test/calls/profile-play.test.ts';
const IDENTITY_TEST = 'test/calls/identity.test.ts';
const OF_AGE: Pick<Requirement, 'kind' | 'state' | 'reason' | 'fromMemory' | 'places' | 'tests'> = {
	kind: 'account',
	state: 'part',
	reason: 'A document of a minor is refused. The date of birth is not stored.',
	fromMemory: true,
	places: ['src/values/identity-documents.ts'],
	tests: { [IDENTITY_TEST]: ['of a minor are not accepted, and operators do not decide about themselves'] },
};
const VERIFIED_FIRST: Pick<Requirement, 'kind' | 'state' | 'reason' | 'fromMemory' | 'places' | 'tests'> = {
	kind: 'account',
	state: 'part',
	reason: 'The pool REAL takes no bet before an operator verified the player. The account opens before.',
	fromMemory: true,
	places: [REAL_MONEY],
	tests: {
		'test/funds/real-money.test.ts': [
			'opens when licence, countries, identity and location are there, and is closed by each that is not',
		],
	},
};
/** Nothing of it is built. */
const NOTHING: Pick<Requirement, 'state' | 'fromMemory' | 'places' | 'tests'> = {
	state: 'not held',
	fromMemory: true,
	places: [],
	tests: {},
};
const LIST_ASKED: Pick<Requirement, 'state' | 'reason' | 'fromMemory' | 'places' | 'tests'> = {
	state: 'part',
	reason: 'A bridge that the operator connects is asked, by the mobile alone. No register was connected yet.',
	fromMemory: true,
	places: ['src/server/people/players/exclusion-lists.ts', REAL_MONEY],
	tests: {
		'test/funds/exclusion-list.test.ts': [
			'opens no account to a person in the register, nor while it is silent, and tells only who has the mobile',
			'takes no stake of a player whom the register names since, lets the balance leave, and says it in the journal once',
			'takes a stake only if the last question was answered, within a day, with no; seed %s',
		],
	},
};
const RAISED_LATER: Pick<Requirement, 'kind' | 'state' | 'reason' | 'fromMemory' | 'places' | 'tests'> = {
	kind: 'account',
	state: 'held',
	reason: 'A lower limit counts at once, and a raise after a day and a confirmation.',
	fromMemory: true,
	places: ['src/server/money/funds/protection/person-limits.ts'],
	tests: {
		'test/calls/protection.test.ts': [
			'setLimits: success, a lower limit counts at once, a higher one after a day and a confirmation',
		],
	},
};

export const UK_LCCP: readonly Requirement[] = [
	{ ...OF_AGE, clause: '3.2.11', topic: 'age', requirement: 'Players are 18 or older.' },
	{
		...VERIFIED_FIRST,
		clause: '17.1.1',
		topic: 'identity',
		requirement: 'Name, address and date of birth are verified before a player may gamble.',
	},
	{
		...LIST_ASKED,
		clause: '3.5.5',
		topic: 'exclusion list',
		kind: 'account',
		requirement: 'The national self-exclusion scheme is asked about each player.',
	},
];

export const UK_LAW: readonly Requirement[] = [
	{
		clause: 'online slots stake limits 2025',
		topic: 'largest stake',
		kind: 'game',
		requirement: 'A round of an online slot takes £5 at most, and £2 of players younger than 25.',
		state: 'part',
		reason:
			'Each game of a provider counts as a slot, and the house has none. A player counts as being as old as an operator read, and older only after whole years.',
		fromMemory: true,
		places: ['src/server/calls/profile-stakes.ts', 'src/server/calls/stake-admission.ts'],
		tests: {
			'test/calls/profile-games.test.ts': [
				'takes stakes in games of providers up to those of the player’s age, which counts as the least that it can be',
			],
		},
	},
];

export const ONTARIO: readonly Requirement[] = [
	{
		...NOTHING,
		clause: 'eligible players',
		topic: 'age',
		kind: 'account',
		requirement: 'Players are 19 or older.',
		reason: 'A document is refused below 18, in every country.',
	},
	{
		...NOTHING,
		clause: 'slots: autoplay and speed',
		topic: 'autoplay',
		kind: 'game',
		requirement: 'Online slots have no autoplay, and 2.5 seconds lie between the starts of two games.',
		reason: 'There is no slot game of the house, and no rule for games of providers.',
	},
	{
		...VERIFIED_FIRST,
		clause: 'location',
		topic: 'location',
		kind: 'security',
		requirement: 'Players are inside the province, as checked while they play.',
		reason: 'The pool REAL asks for the country of each request. A province is not known.',
	},
];

export const MALTA: readonly Requirement[] = [
	{ ...OF_AGE, clause: 'minors', topic: 'age', requirement: 'Players are 18 or older.' },
	{
		...RAISED_LATER,
		clause: 'limits',
		topic: 'limits',
		requirement: 'Players set limits of deposits, losses and stakes; lower ones count at once.',
	},
	{
		clause: 'reality check',
		topic: 'reality check',
		kind: 'account',
		requirement: 'A player is told the time played and the result at intervals.',
		state: 'held',
		reason:
			'The page tells length, stakes and result, and the player goes on or leaves. The player chooses the time, up to that of the profile.',
		fromMemory: true,
		places: ['src/web/features/protection/reality-check.tsx', 'src/server/calls/protection.ts'],
		tests: {
			'test/browser/rewards-and-limits.test.ts': ['after the chosen time the site shows its length and the result'],
			[PROFILE_PLAY_TEST]: ['reminds a player at least as often as the profile says, and counts stakes for it'],
		},
	},
];

const WITHHELD_TAX = 'src/server/money/funds/taxes/withheld-tax.ts';
const CLOSED_TAXES = 'src/server/money/funds/taxes/closed-taxes.ts';
const TAX_TEST = 'test/funds/taxes.test.ts';

export const BRAZIL: readonly Requirement[] = [
	{
		clause: 'tax',
		topic: 'gross gaming revenue',
		kind: 'report',
		requirement: '12 % of the gross gaming revenue is owed.',
		state: 'held',
		reason: 'A member posts the tax of a month that is over; a month in which players won owes nothing.',
		places: ['src/values/taxes.ts', CLOSED_TAXES],
		tests: {
			[TAX_TEST]: [
				'Italy and Brazil: each month owes by the profile of its days, 20 % of commission and 12 % of revenue',
			],
		},
	},
	{ ...OF_AGE, clause: 'age', topic: 'age', requirement: 'Players are 18 or older.' },
	{
		...VERIFIED_FIRST,
		clause: 'identity',
		topic: 'identity',
		requirement: 'Identity is verified, with the face, before an account is active.',
	},
	{
		...NOTHING,
		clause: 'day file',
		topic: 'by six',
		kind: 'report',
		requirement: 'The file of a day is sent by 06:00 of the next one.',
		reason: 'Day books exist for operators. No file of the authority’s form is written.',
	},
	{
		...NOTHING,
		clause: 'day file',
		topic: 'quality',
		kind: 'report',
		requirement: 'The file of a day passes checks of structure and of quality.',
		reason: 'No file of the authority’s form is written.',
	},
];

export const ITALY: readonly Requirement[] = [
	{
		clause: 'tax',
		topic: 'exchange',
		kind: 'report',
		requirement: 'A fifth of the commission is owed.',
		state: 'held',
		reason: 'A member posts the tax of a month that is over, from the postings of commission and their reversals.',
		places: ['src/values/taxes.ts', CLOSED_TAXES],
		tests: {
			[TAX_TEST]: [
				'Italy and Brazil: each month owes by the profile of its days, 20 % of commission and 12 % of revenue',
			],
		},
	},
	{
		clause: 'stakes',
		topic: 'steps',
		kind: 'betting',
		requirement: 'Stakes are multiples of €0.50.',
		state: 'part',
		reason: 'A bet in euros of another stake is refused. The step was not compared with the text of the decree.',
		fromMemory: true,
		places: [PROFILE_STAKES],
		tests: {
			[PROFILE_PLAY_TEST]: ['takes stakes in steps and wins up to a sum, and leaves bets of before as they are'],
			'test/funds/two-countries.test.ts': [
				'begins each profile at its instant, beside bets, rounds and limits under way',
			],
		},
	},
	{
		clause: 'winnings',
		topic: 'largest win',
		kind: 'betting',
		requirement: 'A bet wins €10,000 at most.',
		state: 'part',
		reason: 'A bet that wins more at its price is refused; one that is matched at better odds can win more.',
		fromMemory: true,
		places: [PROFILE_STAKES],
		tests: {
			[PROFILE_PLAY_TEST]: ['takes stakes in steps and wins up to a sum, and leaves bets of before as they are'],
		},
	},
	{
		clause: 'commission',
		topic: 'ceiling',
		kind: 'betting',
		requirement: 'The commission is 10 % at most.',
		state: 'held',
		reason: 'A market that takes more takes no bet of the brand’s players. Bets of before are settled by its terms.',
		fromMemory: true,
		places: ['src/server/calls/profile-stakes.ts'],
		tests: {
			[PROFILE_PLAY_TEST]: [
				'takes no bet where the market takes more commission than is allowed, and leaves bets of before',
			],
		},
	},
	{
		clause: 'singles',
		topic: 'singles',
		kind: 'betting',
		requirement: 'An exchange takes single bets alone.',
		state: 'part',
		reason:
			'A bet names one runner of one market: the call has no other form. Each way is two bets, and no test tries more.',
		fromMemory: true,
		places: ['src/contract/calls/bet.ts'],
		tests: { 'test/calls/bet.test.ts': ['placeBetV2: success, an unmatched back holds its stake'] },
	},
	{
		...NOTHING,
		clause: 'liquidity',
		topic: 'pools',
		kind: 'betting',
		requirement: 'Players of other countries do not bet in the same books.',
		reason: 'Books are kept apart by DEMO, PLAY and REAL, and not by country.',
	},
];

export const INDIA: readonly Requirement[] = [
	{
		clause: 'online money games',
		topic: 'no real money',
		kind: 'wallet',
		requirement: 'No online game for money is offered.',
		state: 'held',
		reason: 'The pool REAL takes no deposit, bet or round on a brand of this profile. What is open is decided.',
		fromMemory: true,
		places: [REAL_MONEY],
		tests: {
			'test/operator/brand-profile.test.ts': [
				'closes real money in India: an open round is decided, what is paid arrives, and the balance leaves',
			],
		},
	},
	{
		clause: 'tax on winnings',
		topic: 'section 194BA',
		kind: 'wallet',
		requirement:
			'From 1 April 2023, 30 % of the net winnings of rule 133 are withheld at each withdrawal and at the end of the financial year.',
		state: 'held',
		reason:
			'The tax and what is paid out are one batch. A member posts the tax of a year that is over; paying it to the authority is left to the member.',
		places: ['src/values/taxes.ts', WITHHELD_TAX, CLOSED_TAXES],
		tests: {
			[TAX_TEST]: ['India: 30 % of net winnings is withheld from each withdrawal in one batch, and at the year’s end'],
		},
	},
	{
		clause: 'tax on deposits',
		topic: 'rule 31B',
		kind: 'report',
		requirement: 'From 1 October 2023, 28 % of the deposits is owed; what is returned to a player is not deducted.',
		state: 'held',
		reason: 'A member posts the tax of a month that is over. The house bears it, and deposits are credited whole.',
		places: ['src/values/taxes.ts', CLOSED_TAXES],
		tests: { [TAX_TEST]: ['India: 28 % of a month’s deposits is owed, once, and borne by the house'] },
	},
];

export const BETSTOP: readonly Requirement[] = ['opening', 'log-in', 'bet'].map((moment) => ({
	...LIST_ASKED,
	clause: moment,
	topic: 'exclusion list',
	kind: 'account',
	requirement: `The national register is asked at each ${moment}.`,
}));
