/** What Backlay itself asks of play money: the profile `play` names these clauses. */
import type { Requirement } from '#conformity/requirement.ts';

const DEFAULTS = 'src/contract/domain-setting.ts';
const PROTECTION_TEST = 'test/calls/protection.test.ts';
const DEFAULT_LIMITS = 'getProtection: success with the domain’s defaults for a player without own limits';

export const OWN_RULES: readonly Requirement[] = [
	{
		clause: 'play money',
		topic: 'pools',
		kind: 'wallet',
		requirement: 'Coins are given, never bought or redeemed; a brand has play money unless it says otherwise.',
		state: 'held',
		reason: 'Pools never meet, and the mint gives no real money.',
		places: ['src/values/pools.ts', 'src/engine/transfer.ts', DEFAULTS],
		tests: {
			'test/engine/transfer.test.ts': ['makes no real money from the mint'],
			'test/engine/market-life.test.ts': ['have books of their own in one market'],
		},
	},
	{
		clause: 'identity',
		topic: 'play needs none',
		kind: 'account',
		requirement: 'Play for coins needs no identity and no location.',
		state: 'held',
		reason: 'A demo player bets at once; a brand may ask for identity at withdrawals.',
		places: ['src/server/money/funds/protection/real-money.ts', DEFAULTS],
		tests: {
			'test/calls/account.test.ts': ['loginAsDemoUser: success, each call creates a new player with play money'],
			'test/funds/real-money.test.ts': [
				'asks a demo player for no identity and for no country: the first bet and the first round are taken from anywhere',
			],
		},
	},
	{
		clause: 'limits',
		topic: 'defaults',
		kind: 'account',
		requirement: 'Limits of deposits hold for players who set none, also in play money.',
		state: 'held',
		reason: 'The brand’s defaults answer where a player has no limit.',
		places: ['src/server/money/funds/protection/person-limits.ts', DEFAULTS],
		tests: {
			[PROTECTION_TEST]: [DEFAULT_LIMITS],
			'test/domains/domain-settings.test.ts': ['changes the protection of players without own limits'],
		},
	},
	{
		clause: 'limits',
		topic: 'change',
		kind: 'account',
		requirement: 'A limit is lowered at once and raised after a day.',
		state: 'held',
		reason: 'The player confirms a raise after a day.',
		places: ['src/server/money/funds/protection/person-limits.ts'],
		tests: {
			[PROTECTION_TEST]: [
				'setLimits: success, a lower limit counts at once, a higher one after a day and a confirmation',
			],
		},
	},
	{
		clause: 'reminder',
		topic: 'hourly',
		kind: 'account',
		requirement: 'A player is told time and result every hour.',
		state: 'held',
		reason: 'The default is 60 minutes.',
		places: ['src/web/features/protection/reality-check.tsx', DEFAULTS],
		tests: {
			[PROTECTION_TEST]: [DEFAULT_LIMITS],
			'test/browser/rewards-and-limits.test.ts': ['after the chosen time the site shows its length and the result'],
		},
	},
	{
		clause: 'withdrawals',
		topic: 'stand',
		kind: 'wallet',
		requirement: 'A player cannot cancel a withdrawal, unless the brand allows it.',
		state: 'held',
		reason: 'The flag is off by default.',
		places: ['src/server/money/funds/withdrawals/withdrawals.ts', DEFAULTS],
		tests: {
			'test/calls/deposit-withdrawal.test.ts': [
				'cancelWithdrawal: refusal where the domain does not allow it, and success where it does',
			],
		},
	},
	{
		clause: 'games',
		topic: 'pace',
		kind: 'game',
		requirement: 'A return at or below the stake is not celebrated, and no game offers to make a round shorter.',
		state: 'held',
		reason: 'One rule decides words, colour and sound of a result. What games say is read for such offers, in English.',
		places: ['src/web/features/casino/result-text.ts', 'src/web/texts/en/casino.ts'],
		tests: {
			'test/web/result-text.test.ts': ['calls a return at or below the stake no win'],
			'test/web/casino-sounds.test.ts': [
				'a table sounds like a win where all bets of its round are paid more than they cost, once',
				'Crash sounds like a win once both bets of a round are paid more than both cost',
			],
			'test/web/casino-words.test.ts': ['no game %s'],
		},
	},
	{
		clause: 'games',
		topic: 'auto-bet',
		kind: 'game',
		requirement: 'Crash may bet round after round, up to limits that the player sets, where the brand allows it.',
		state: 'held',
		reason: 'It ends by itself at its limits; nothing plays when the page is closed.',
		places: ['src/web/features/casino/crash/auto-bet.ts', DEFAULTS],
		tests: {
			'test/web/auto-bet.test.ts': [
				'auto-bet ends after %s',
				'auto-bet never passes a limit that the player set (random rounds)',
			],
			'test/browser/crash.test.ts': [
				'a bet pressed in flight waits for the next round, and auto-bet ends by itself',
				'auto-bet counts a loss that came while the line was down, and stops at the limit',
			],
		},
	},
	{
		clause: 'betting',
		topic: 'crowd told',
		kind: 'betting',
		requirement: 'A site with simulated sports says once that the other players are simulated.',
		state: 'held',
		reason: 'A badge at the top says so, and one at the foot on a phone.',
		places: ['src/web/features/frame/top-bar.tsx', 'src/web/features/brand/site-footer.tsx', DEFAULTS],
		tests: {
			'test/web/brand-frame.test.ts': [
				'a site says at its top and at its foot that sports and other players are simulated, if they are',
			],
			'test/browser/looks.test.ts': ['says once that its sports are simulated, and in no row'],
		},
	},
	{
		clause: 'data',
		topic: 'own data',
		kind: 'report',
		requirement: 'A player can take along all data of the account.',
		state: 'held',
		reason: 'The export has a file for each kind; what it leaves out is listed with the reason.',
		places: ['src/server/money/funds/export-data.ts'],
		tests: {
			[PROTECTION_TEST]: ['exportData: success with every file, and no formula in a cell'],
			'test/funds/retention.test.ts': [
				'gives the player everything that is kept, and no secret',
				'exports every table with something about single players, or says why not',
				'exports each row of the player, and none of another one',
			],
		},
	},
];
