/** The remote technical standards of the United Kingdom. */
import type { Requirement } from '#conformity/requirement.ts';

const LIMITS = 'src/server/money/funds/protection/person-limits.ts';
const PROTECTION_TEST = 'test/calls/protection.test.ts';
const RECORD_TEST = 'test/calls/bet-record.test.ts';
const RULES_SCREEN = 'src/web/features/rules/rules-screen.tsx';
const RULES_SHOWN: Requirement['tests'] = {
	'test/browser/visitors.test.ts': ['shows the market, what is in play and the rules, and asks for a login elsewhere'],
};
const SOUNDS_TEST = 'test/web/casino-sounds.test.ts';
const RULES_TEST = 'test/web/rules-page.test.ts';
const FREE_PLAY_TEST = 'test/funds/free-play.test.ts';
const FREE_PLAY =
	'a round of demo coins, and one of real money, has the outcome and the payout that its seeds and the game alone give';
const ROUND_RESULT = 'src/games/round-result.ts';
const SEEDS_TEST = 'test/games/player-seeds.test.ts';

export const UK_RTS: readonly Requirement[] = [
	{
		clause: '1A',
		topic: 'balance',
		kind: 'account',
		requirement: 'The balance is in sight on every page.',
		state: 'part',
		reason: 'It stands at the top of every page unless a brand’s flag hides it.',
		places: ['src/web/features/frame/wallet-box.tsx'],
		tests: {
			'test/web/stored-state.test.ts': ['changes the shown balance, the stored user info and the stored open bets'],
			'test/browser/domains.test.ts': ['each layout flag hides its part of the frame, and shows it again'],
		},
	},
	{
		clause: '1B',
		topic: 'three months',
		kind: 'account',
		requirement: 'Three months of account history can be seen at once.',
		state: 'held',
		reason: 'Statement, history and profit and loss take any period.',
		places: ['src/server/calls/transaction.ts', 'src/server/calls/bet-history.ts'],
		tests: {
			[RECORD_TEST]: [
				'getTransactionHistory: success, three months of rows are one answer, and a shorter time has those of it',
				'getTransactionHistory: success, the rows sum to the balance and each has the balance after it',
			],
		},
	},
	{
		clause: '1B',
		topic: 'twelve months',
		kind: 'account',
		requirement: 'Twelve months of account history can be had on request.',
		state: 'part',
		reason: 'The player’s own export has everything. An old month that was detached is attached again for it.',
		places: ['src/server/money/funds/export-data.ts', 'tools/months.ts'],
		tests: {
			[PROTECTION_TEST]: ['exportData: success with every file, and no formula in a cell'],
			'test/ledger/months.test.ts': [
				'detaches the oldest month and attaches it again: the audit holds each time, and no row and no turnover is lost',
			],
		},
	},
	{
		clause: '1B',
		topic: 'win and loss',
		kind: 'account',
		requirement: 'The history says what was won and lost over a period.',
		state: 'held',
		reason: 'Sums stand over all rows of the period, by the brand’s day.',
		places: ['src/server/calls/profit-loss.ts'],
		tests: {
			[RECORD_TEST]: ['getUserProfitLoss: success, each settled market with its sums over all and by the brand’s day'],
		},
	},
	{
		clause: '1C',
		topic: 'net deposits',
		kind: 'account',
		requirement: 'A player sees the net deposits of all time.',
		state: 'held',
		reason: 'The page of limits has them: all that was paid in, less all that was paid out.',
		places: ['src/server/money/funds/player-standing.ts', 'src/web/features/protection/protection-screen.tsx'],
		tests: {
			[PROTECTION_TEST]: [
				'getProtection: success, net deposits are all that was paid in less all that was paid out',
				'getProtection: success with the domain’s defaults for a player without own limits',
			],
		},
	},
	{
		clause: '2A',
		topic: 'conversion',
		kind: 'betting',
		requirement: 'Units other than money are shown with their worth.',
		state: 'held',
		reason: 'A brand has one currency, chips are amounts of it, and each page has its sign alone. Nothing converts.',
		places: ['src/values/pools.ts', 'src/web/currency.ts'],
		tests: {
			'test/web/units.test.ts': ['every amount of the wire is kept to the minor unit'],
			'test/web/format.test.ts': ['%s minor units are written %s'],
			'test/browser/currencies.test.ts': ['each page of a brand in yen has its sign alone'],
		},
	},
	{
		clause: '2',
		topic: 'price changes',
		kind: 'betting',
		requirement: 'A player chooses whether a bet at a changed price is accepted.',
		state: 'held',
		reason: 'The odds policy is the player’s choice, and the slip asks by it.',
		places: ['src/web/betting/odds-policy.ts'],
		tests: {
			'test/web/odds-policy.test.ts': [
				'asks about a worse price unless the player accepts any, and then takes the offered one',
			],
			'test/browser/slip.test.ts': ['moved odds are confirmed or followed, as the player’s policy says'],
		},
	},
	{
		clause: '2E',
		topic: 'net position',
		kind: 'game',
		requirement: 'The net position since the session’s start is in sight during play.',
		state: 'held',
		reason: 'Time and net position stand in the head of each game where the profile asks for it.',
		places: ['src/web/features/casino/session-button.tsx', 'src/web/store/play-time.ts'],
		tests: {
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
			'test/web/play-time.test.ts': ['begins with the player’s standing and goes on while the site is open'],
		},
	},
	{
		clause: '3',
		topic: 'rules without betting',
		kind: 'game',
		requirement: 'The rules can be read without placing a bet.',
		state: 'held',
		reason: 'Visitors read them where the brand lets them look, and players everywhere.',
		places: [RULES_SCREEN],
		tests: RULES_SHOWN,
	},
	{
		clause: '3',
		topic: 'odds without betting',
		kind: 'game',
		requirement: 'The likelihood of winning can be read without placing a bet.',
		state: 'held',
		reason: 'The list of games has each return, for visitors too, as the definition has it.',
		places: ['src/server/calls/casino.ts', 'src/web/features/casino/pay-table.tsx'],
		tests: {
			'test/calls/casino.test.ts': ['getCasinoGames: success, for visitors too, with the returns of the definitions'],
			'test/games/fair-tool.test.ts': ['README.md lists the games as their definitions have them'],
		},
		evidence: 'npm run fair -- games',
	},
	{
		clause: '4',
		topic: 'time-critical events',
		kind: 'betting',
		requirement: 'Players are told where speed decides, and how slow lines weigh.',
		state: 'held',
		reason: 'The rules tell of the delay of bets in play, and those of Crash of slow lines.',
		places: [RULES_SCREEN, 'src/games/crash/crash.ts'],
		tests: {
			...RULES_SHOWN,
			[RULES_TEST]: [
				'the rules tell of the delay of bets in play, of void bets and of commission',
				'every game has its own rules and those of the house below it, and Crash tells what a slow line costs',
			],
			'test/browser/profile.test.ts': [
				'tells below Crash that a slow line is a disadvantage, and links from the home page to the limits',
			],
		},
	},
	{
		clause: '5',
		topic: 'published rules',
		kind: 'betting',
		requirement: 'Results follow from published rules.',
		state: 'held',
		reason: 'The rules are a page; settlement is compared with a slow second exchange and with worked examples.',
		places: [RULES_SCREEN, 'src/engine/settle-market.ts'],
		tests: {
			...RULES_SHOWN,
			[RULES_TEST]: ['the rules tell of the delay of bets in play, of void bets and of commission'],
			'test/engine/settlement.test.ts': [
				'fills the pot from the losers’ exposure, pays the winners from it and takes commission from their cash',
			],
		},
		evidence: 'npm run reference',
	},
	{
		clause: '6',
		topic: 'free play',
		kind: 'game',
		requirement: 'Free play is decided like play for money.',
		state: 'held',
		reason: 'A definition knows no pool, and all pools share the rounds of tables and Crash.',
		places: ['src/games/all-games.ts', 'src/server/money/casino/rounds.ts'],
		tests: {
			[FREE_PLAY_TEST]: [FREE_PLAY],
			'test/games/simulated-returns.test.ts': ['%s returns what its pay table says, within four standard errors'],
		},
	},
	{
		clause: '7A',
		topic: 'unpredictable',
		kind: 'game',
		requirement: 'Outcomes are random and cannot be predicted.',
		state: 'held',
		reason:
			'Draws are even, pass a battery of tests, and follow from a secret whose hash alone is public. No laboratory looked.',
		places: ['src/games/fair-draw.ts'],
		tests: {
			'test/games/fair-draw.test.ts': [
				'of %i, counted over all 16-bit words',
				'is the hash of the server seed, and no round is computed from the hash',
			],
			'test/conformity/battery.test.ts': ['finds nothing in the generators of the house', 'finds that %s'],
			'test/calls/casino.test.ts': ['reveals no seed of a later round, when both are requested at once'],
		},
		evidence: 'npm run conformity -- --pack FOLDER',
	},
	{
		clause: '7B',
		topic: 'in order',
		kind: 'game',
		requirement: 'Outcomes are used in the order in which they were drawn.',
		state: 'held',
		reason: 'Each round takes the next nonce, and a verifier finds one that is missing or repeated.',
		places: ['src/server/money/casino/player-seeds.ts', 'src/games/pair-proof.ts'],
		tests: { [SEEDS_TEST]: ['cannot skip a nonce whose result it does not like, nor play one twice'] },
	},
	{
		clause: '7C',
		topic: 'not adaptive',
		kind: 'game',
		requirement: 'Chances do not follow from earlier rounds.',
		state: 'held',
		reason: 'An outcome is a function of seeds and choices.',
		places: [ROUND_RESULT],
		tests: {
			'test/games/fair-draw.test.ts': ['leaves every nonce and client seed its own words'],
			'test/calls/tables.test.ts': ['placeTableBet: success at each table, and a verifier finds what was paid'],
		},
	},
	{
		clause: '7D',
		topic: 'odds unchanged',
		kind: 'game',
		requirement: 'The odds of a live game are not changed while it is played.',
		state: 'part',
		reason:
			'Odds are code, so a change is a release; a pair of seeds keeps its rule over one. No test changes a pay table.',
		places: [ROUND_RESULT],
		tests: {
			[SEEDS_TEST]: [
				'a pair of the old rule stays in use and is labelled, and the one after it is announced before it ends',
			],
		},
	},
	{
		clause: '8',
		topic: 'single commitment',
		kind: 'game',
		requirement: 'The player commits to each round singly; there is no autoplay.',
		state: 'part',
		reason:
			'The profile takes auto-bet off the page of Crash, and a key that is held down is one press. A program of a player’s own could press.',
		places: ['src/web/features/casino/crash/auto-bet-fields.tsx', 'src/web/features/casino/game-frame.tsx'],
		tests: {
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
		},
	},
	{
		clause: '10',
		topic: 'interruptions',
		kind: 'game',
		requirement: 'The policy for interrupted play is fair, published and obeyed.',
		state: 'held',
		reason: 'Each kind of game has one rule, over restarts.',
		places: ['src/games/abandoned-round.ts', 'src/server/money/casino/left-rounds.ts'],
		tests: {
			'test/calls/left-rounds.test.ts': [
				'a day after the last decision a cashable round is cashed out, another hand stands, and an untouched stake goes back',
			],
			'test/games/round-limits.test.ts': ['$name says what holds for its rounds'],
		},
	},
	{
		clause: '12A',
		topic: 'prompt',
		kind: 'account',
		requirement: 'A player is asked for a limit at sign-up or before the first deposit.',
		state: 'held',
		reason:
			'The server takes no deposit before the player chose a limit, or none; the site asks on the way to the first one.',
		places: [LIMITS, 'src/web/features/protection/limit-question.tsx'],
		tests: {
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
			'test/funds/profile-limits.test.ts': [
				'asks before the first deposit for a limit, which may be none, and again after six months',
			],
		},
	},
	{
		clause: '12A',
		topic: 'free text',
		kind: 'account',
		requirement: 'A limit is any amount that the player types.',
		state: 'held',
		reason: 'Each limit is a field for an amount.',
		places: ['src/web/features/protection/limit-row.tsx'],
		tests: {
			'test/browser/rewards-and-limits.test.ts': [
				'a lower limit counts at once, a higher one after a day and a confirmation',
			],
		},
	},
	{
		clause: '12A',
		topic: 'links',
		kind: 'account',
		requirement: 'Home page and deposit page link to the limits.',
		state: 'held',
		reason: 'The deposit page links to the limits, and the footer below every page does.',
		places: ['src/web/features/cashier/deposit-screen.tsx', 'src/web/features/brand/site-footer.tsx'],
		tests: {
			'test/web/brand-frame.test.ts': ['the foot of every page links to the limits and to the rules'],
			'test/browser/profile.test.ts': [
				'tells below Crash that a slow line is a disadvantage, and links from the home page to the limits',
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
		},
	},
	{
		clause: '12',
		topic: 'reminder',
		kind: 'account',
		requirement: 'A player is reminded of the limits every six months.',
		state: 'held',
		reason: 'The server says when six months have passed since the last answer, and the site asks then on every page.',
		places: [LIMITS, 'src/web/features/protection/limit-question.tsx'],
		tests: {
			'test/browser/profile.test.ts': [
				'reminds a player of the limits six months after the last answer, until the player looks at them or goes on',
			],
			'test/funds/profile-limits.test.ts': [
				'asks before the first deposit for a limit, which may be none, and again after six months',
			],
		},
	},
	{
		clause: '12B',
		topic: 'gross deposit limit',
		kind: 'account',
		requirement:
			'A limit of gross deposits over fixed calendar frames is offered, is called “deposit limit”, and is as prominent as others.',
		state: 'held',
		reason:
			'Deposits count since midnight, Monday and the first of the month in the zone of the profile. The limits are called so, come first, and look like every other limit.',
		places: ['src/server/money/funds/deposit-limits.ts', LIMITS, 'src/web/features/protection/limit-row.tsx'],
		tests: {
			'test/web/limits-page.test.ts': [
				'deposit limits come first, are called so over the days of a calendar, and look like every other limit',
			],
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
			'test/funds/profile-limits.test.ts': [
				'counts deposits of the last 24 hours until calendar frames begin, and then those since midnight in London',
			],
			'test/values/zoned-calendar.test.ts': ['each day of a year begins with its first instant, in %s'],
		},
	},
	{
		clause: '12B',
		topic: 'raise',
		kind: 'account',
		requirement: 'A limit is raised after 24 hours, and lowered at once.',
		state: 'held',
		reason: 'The player confirms a raise after a day.',
		places: [LIMITS],
		tests: {
			[PROTECTION_TEST]: [
				'setLimits: success, a lower limit counts at once, a higher one after a day and a confirmation',
			],
		},
	},
	{
		clause: '13',
		topic: 'reality check',
		kind: 'account',
		requirement: 'A player is told the time played and the result at intervals.',
		state: 'held',
		reason:
			'The page tells length, stakes and result after the chosen time, over reloads and tabs, and the player goes on or leaves.',
		places: ['src/web/features/protection/reality-check.tsx'],
		tests: {
			'test/browser/rewards-and-limits.test.ts': ['after the chosen time the site shows its length and the result'],
		},
	},
	{
		clause: '13',
		topic: 'elapsed time',
		kind: 'account',
		requirement: 'The elapsed time is in sight as hours, minutes and seconds.',
		state: 'held',
		reason: 'It stands in the head of each game where the profile asks for it.',
		places: ['src/web/features/casino/session-button.tsx'],
		tests: {
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
			'test/web/result-text.test.ts': ['tells the time since the session’s start in hours, minutes and seconds'],
		},
	},
	{
		clause: '14A',
		topic: 'no urging',
		kind: 'game',
		requirement: 'No game urges a player to go on or to win losses back.',
		state: 'held',
		reason: 'A result is one sentence, without an offer. What games say is read for words that urge, in English.',
		places: ['src/web/features/casino/result-text.ts', 'src/web/texts/en/casino.ts'],
		tests: {
			'test/web/casino-words.test.ts': ['no game %s'],
			'test/web/unrevealed-wins.test.ts': [
				'tells no result before its game does, and is the balance as soon as nothing is shown, however games overlap',
			],
		},
	},
	{
		clause: '14B',
		topic: 'withdrawals',
		kind: 'wallet',
		requirement: 'A player cannot cancel a withdrawal.',
		state: 'held',
		reason: 'The profile forbids it, whatever a brand’s flag says.',
		places: ['src/server/money/funds/withdrawals/may-cancel.ts'],
		tests: {
			'test/calls/profile-play.test.ts': [
				'cancels no withdrawal in the United Kingdom, though the brand allows it and the withdrawal began before',
			],
		},
	},
	{
		clause: '14E',
		topic: 'no turbo',
		kind: 'game',
		requirement: 'A player cannot make a round shorter.',
		state: 'held',
		reason:
			'No game offers it in any word or label. A device that asks for less motion is told the result as late as others.',
		places: ['src/web/features/casino/use-round.ts', 'src/web/texts/en/casino.ts'],
		tests: {
			'test/web/casino-words.test.ts': ['no game %s'],
			'test/browser/profile.test.ts': ['a device that asks for less motion makes no round shorter'],
		},
	},
	{
		clause: '14F',
		topic: 'no celebration',
		kind: 'game',
		requirement: 'A return at or below the stake is not celebrated.',
		state: 'held',
		reason:
			'One rule decides words, colour and sound of a result. All bets of a player on one round count together, the two of Crash, too.',
		places: ['src/web/features/casino/result-text.ts', 'src/web/features/casino/crash/crash-store.ts'],
		tests: {
			[SOUNDS_TEST]: [
				'a table sounds like a win where all bets of its round are paid more than they cost, once',
				'Crash sounds like a win once both bets of a round are paid more than both cost',
			],
			'test/web/result-text.test.ts': ['calls a return at or below the stake no win'],
		},
	},
	{
		clause: '14G',
		topic: 'five seconds',
		kind: 'game',
		requirement: 'Five seconds lie between the starts of two rounds, and each needs a press of its own.',
		state: 'part',
		reason:
			'The server refuses a round that starts earlier, and the button waits. Shared rounds have their own pace; rounds at providers are not held to it.',
		places: ['src/server/money/casino/rounds.ts', 'src/web/features/casino/game-frame.tsx'],
		tests: {
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
			'test/calls/profile-play.test.ts': [
				'starts no round within five seconds of the last one, in whichever game, and lets open rounds go on',
			],
		},
	},
	{
		clause: '15A',
		topic: 'late pictures',
		kind: 'betting',
		requirement: 'Players are told that pictures of a match in play may be late.',
		state: 'held',
		reason: 'A stream has the notice below it where the profile asks for it, and none where it does not.',
		fromMemory: true,
		places: ['src/web/features/market/watch/watch-part.tsx'],
		tests: {
			'test/browser/stream.test.ts': ['one that is not there says so, and the prices beside it go on'],
		},
	},
	{
		clause: '16',
		topic: 'programs',
		kind: 'betting',
		requirement: 'Players are told that programs may bet against them.',
		state: 'held',
		reason: 'The rules say so where the profile asks for it.',
		fromMemory: true,
		places: [RULES_SCREEN],
		tests: {
			[RULES_TEST]: ['the rules tell of programs under a profile that asks for it, and under no other'],
			'test/browser/profile.test.ts': [
				'asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs',
			],
		},
	},
];
