/** GLI-19, chapter 2, 2.8 and 2.9: records and reports. */
import type { Requirement } from '#conformity/requirement.ts';

const PROTECTION_TEST = 'test/calls/protection.test.ts';
const JOURNAL = 'src/server/platform/postgres/journal.ts';
const JOURNAL_TEST = 'test/operator/journal.test.ts';

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
		state: 'part',
		reason: 'Since when a game is live is not recorded.',
		places: ['src/server/operators/casino-acts.ts'],
		tests: {
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
		reason: 'Accepted terms and the date of birth are not recorded.',
		places: ['src/server/operators/player-page.ts', 'src/server/money/funds/export-data.ts'],
		tests: {
			'test/funds/retention.test.ts': ['gives the player everything that is kept, and no secret'],
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
		state: 'part',
		reason: 'Players see their own, and the journal has those of staff. No test reads the rows of staff.',
		places: ['src/server/people/players/login-attempts.ts', JOURNAL],
		tests: {
			'test/calls/password.test.ts': ['getUserLoginAttempts: success, newest first, all or by result, in pages'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'large wins',
		kind: 'log',
		requirement: 'Wins above an amount are significant events.',
		state: 'not held',
		reason: 'The lobby shows the largest win of a day. No amount makes a win an event for staff.',
		places: [],
		tests: {},
	},
	{
		clause: '2.8.8',
		topic: 'overrides',
		kind: 'log',
		requirement: 'Overrides by staff are significant events.',
		state: 'held',
		reason: 'Every act of staff and of the command line is a row of the journal, refused ones too.',
		places: [JOURNAL],
		tests: {
			[JOURNAL_TEST]: ['records refusals, and never a password', 'keeps its order through parallel acts and a restart'],
		},
	},
	{
		clause: '2.8.8',
		topic: 'personal data',
		kind: 'log',
		requirement: 'Views and changes of personal data are significant events.',
		state: 'part',
		reason: 'Views of documents are journalled. Other pages of a player are not.',
		places: ['src/server/operators/document-acts.ts', JOURNAL],
		tests: {
			'test/calls/identity.test.ts': [
				'are shown with number and pictures to compliance alone, and each view is recorded',
			],
			[JOURNAL_TEST]: ['has a row for a changed password and for a token that was used twice'],
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
		state: 'part',
		reason: 'The journal has acts and changes. Large wins and failures of the clock are not in it.',
		places: [JOURNAL, 'src/server/operators/journal-acts.ts'],
		tests: {
			[JOURNAL_TEST]: [
				'records the actor, address, act and state of a domain before and after',
				'records the state of a player and a market',
			],
		},
	},
];
