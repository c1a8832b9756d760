/** GLI-19, chapter 2, 2.8 and 2.9: records and reports. */
import type { Requirement } from '#conformity/requirement.ts';

const PROTECTION_TEST = 'test/calls/protection.test.ts';
const JOURNAL = 'src/server/platform/postgres/journal.ts';
const JOURNAL_TEST = 'test/operator/journal.test.ts';
const EVENTS = 'src/server/operators/significant-events/significant-events.ts';
const EVENTS_TEST = 'test/operator/significant-events.test.ts';

export const GLI_19_RECORDS: readonly Requirement[] = [
	{
		clause: '2.8.1(b)',
		topic: 'export',
		kind: 'report',
		requirement: 'All data kept can be exported.',
		state: 'part',
		reason: 'A player gets all data of the account. An authority has reports and the database itself, and no export.',
		places: ['src/server/money/funds/export-data.ts'],
		tests: {
			[PROTECTION_TEST]: ['exportData: success with every file, and no formula in a cell'],
			'test/funds/retention.test.ts': ['gives the player everything that is kept, and no secret'],
		},
	},
	{
		clause: '2.8.2',
		topic: 'round record',
		kind: 'log',
		requirement: 'A round’s record has its id, times, stake, balances, choices, result and place.',
		state: 'part',
		reason: 'Balances follow from the postings, and the place is not recorded.',
		places: ['src/server/money/casino/rounds.ts'],
		tests: {
			'test/calls/casino.test.ts': [
				'playRound: success, stake and payout move at once and the answer is durable',
				'getRounds: success, newest first, by game and by page',
			],
		},
	},
	{
		clause: '2.8.3',
		topic: 'pay tables',
		kind: 'report',
		requirement: 'A game’s record has its exact return, rounds, turnover, and since when it is live.',
		state: 'held',
		reason:
			'The report of games has all of it. The journal says since when a game has its pay table; games of other providers are their provider’s.',
		places: ['src/server/operators/casino-acts.ts', 'src/server/money/casino/live-games.ts'],
		tests: {
			'test/games/live-games.test.ts': [
				'notes at the first start all games, and later the game alone whose pay table is another one',
			],
			'test/operator/reports.test.ts': [
				'shows what its games took and paid, beside the exact return and how far luck goes',
			],
		},
		evidence: 'npm run fair -- games',
	},
	{
		clause: '2.8.5',
		topic: 'player record',
		kind: 'log',
		requirement: 'A player’s record has identity, limits, exclusions, log-ins and acceptance of terms.',
		state: 'part',
		reason: 'The date of birth is stated by the reviewer of a document, and not stored; accepted terms are.',
		places: ['src/server/operators/player-page.ts', 'src/server/money/funds/export-data.ts'],
		tests: {
			'test/funds/retention.test.ts': ['gives the player everything that is kept, and no secret'],
			'test/calls/terms.test.ts': [
				'acceptTerms: success, play goes on, until a new version holds, and each acceptance is kept with time and brand',
			],
			[JOURNAL_TEST]: ['records the state of a player and a market'],
		},
	},
	{
		clause: '2.8.7',
		topic: 'parameters',
		kind: 'log',
		requirement: 'Each change of a parameter is logged with its author, time, and the values before and after.',
		state: 'held',
		reason: 'An act is a chained row of the journal; what concerns money needs two members.',
		places: [JOURNAL, 'src/server/operators/act-record.ts'],
		tests: {
			[JOURNAL_TEST]: ['records the actor, address, act and state of a domain before and after'],
			'test/operator/two-persons.test.ts': ['that concerns money is refused to one member, and made by two'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'failed log-ins',
		kind: 'log',
		requirement: 'Failed log-ins are significant events.',
		state: 'held',
		reason: 'Those of players and of staff are in the list of significant events; players see their own.',
		places: [EVENTS, 'src/server/people/players/login-attempts.ts'],
		tests: {
			[EVENTS_TEST]: ['failed log-ins are, of players and of staff; those that succeed are not'],
			'test/calls/password.test.ts': ['getUserLoginAttempts: success, newest first, all or by result, in pages'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'large wins',
		kind: 'log',
		requirement: 'Wins above an amount are significant events.',
		state: 'held',
		reason:
			'A win above the amount of its brand is in the list, by the amount that held when it happened. Two members change the amount.',
		places: [EVENTS, 'src/server/operators/significant-events/amounts.ts'],
		tests: {
			[EVENTS_TEST]: [
				'a win is one if it is larger than the amount that two members had agreed upon when it happened',
				'a round of the casino is one by what it won, and not by what it paid',
			],
		},
	},
	{
		clause: '2.8.8',
		topic: 'overrides',
		kind: 'log',
		requirement: 'Overrides by staff are significant events.',
		state: 'held',
		reason:
			'Every act of staff and of the command line is a row of the journal, refused ones too. The list has those that correct, bar or change, each once, and every adjustment of the ledger.',
		places: ['src/server/operators/significant-events/journal-kinds.ts', JOURNAL],
		tests: {
			[EVENTS_TEST]: [
				'every act that a member can make is significant or of every day',
				'acts that change, correct or bar are, and each once, with the state before and after',
				'every adjustment is one, every balance below zero, and deposits and payouts above the amount',
			],
			[JOURNAL_TEST]: ['records refusals, and never a password'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'personal data',
		kind: 'log',
		requirement: 'Views and changes of personal data are significant events.',
		state: 'part',
		reason:
			'Views of documents and changed log-in and payout data are in the list. That a member looked at another page of a player is not recorded.',
		places: ['src/server/operators/document-acts.ts', JOURNAL],
		tests: {
			'test/calls/identity.test.ts': [
				'are shown with number and pictures to compliance alone, and each view is recorded',
			],
			[JOURNAL_TEST]: ['has a row for a changed password and for a token that was used twice'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'large transfers',
		kind: 'log',
		requirement: 'Deposits and withdrawals above an amount are significant events.',
		state: 'held',
		reason: 'A deposit as it is credited and a withdrawal as it is paid out, by the amount of the brand at that time.',
		places: [EVENTS],
		tests: {
			[EVENTS_TEST]: ['every adjustment is one, every balance below zero, and deposits and payouts above the amount'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'components',
		kind: 'log',
		requirement:
			'Lost contact with a component, a jump of the clock, a changed program and a replaced source of chance are significant events.',
		state: 'held',
		reason:
			'Alarms of the checks, jumps and digests are rows of the journal, chains are rows of their own; the list has all of them.',
		places: ['src/server/process/health/records.ts', 'src/server/process/health/alarms.ts', EVENTS],
		tests: {
			[EVENTS_TEST]: ['what the process finds about itself is, and another digest of the release than the one before'],
			'test/start/health.test.ts': [
				'is in the journal with its beginning and its end, in order, also when the journal was away meanwhile',
			],
		},
	},
	{
		clause: '2.9',
		topic: 'game results',
		kind: 'report',
		requirement: 'A report compares each game’s exact return with the actual one.',
		state: 'held',
		reason: 'It also says how far luck alone goes in 999 of 1,000 periods.',
		places: ['src/server/operators/casino-acts.ts'],
		tests: {
			'test/operator/reports.test.ts': [
				'shows what its games took and paid, beside the exact return and how far luck goes',
			],
		},
	},
	{
		clause: '2.9',
		topic: 'liability',
		kind: 'report',
		requirement: 'A report has what is owed to players and what they could still win.',
		state: 'part',
		reason:
			'Trial balance and house exposure have it as of now, and the end of each day has what is owed, proven to each player. No report of past days has what they could win.',
		places: [
			'src/server/operators/house-exposure.ts',
			'src/server/operators/day-books.ts',
			'src/server/money/liabilities/make-trees.ts',
		],
		tests: {
			'test/reference/house-exposure.test.ts': ['agrees by outcome and at its worst in markets %s'],
			'test/operator/reports.test.ts': ['close as the trial balance of the same day does'],
			'test/public-log/liabilities.test.ts': [
				'has what the postings say up to a batch, while players bet, and passes the audit',
			],
			'test/funds/reconciliation.test.ts': ['a trial balance comes to zero, today and before there was anything'],
		},
	},
	{
		clause: '2.9.5',
		topic: 'event report',
		kind: 'report',
		requirement: 'A report lists significant events with the values before and after.',
		state: 'held',
		reason:
			'One list of the console, by period, kind, brand and player, with the state before and after, as page and file. Members of single brands see these alone.',
		places: [EVENTS, 'src/console/screens/significant-events-screen.tsx'],
		tests: {
			[EVENTS_TEST]: [
				'a win is one if it is larger than the amount that two members had agreed upon when it happened',
				'a member of single brands sees the events of these alone, and what is refused to a member is one of its own',
				'pages hold each event once, the newest first, also those of one instant',
			],
		},
		evidence: 'npm run operator -- significant-events',
	},
];
