/** GLI-19, appendices A and B: how the system is run and kept safe. */
import type { Requirement } from '#conformity/requirement.ts';

export const GLI_19_OPERATION: readonly Requirement[] = [
	{
		clause: 'A.2.4',
		topic: 'restricted persons',
		kind: 'account',
		requirement: 'Staff, excluded persons and other restricted persons cannot play.',
		state: 'held',
		reason:
			'Excluded persons cannot. An account that is declared as a member’s, and each other account of that person, takes no stake and no deposit of real money unless the brand says otherwise. Others are restricted by a register that the profile names, or by an operator’s exclusion.',
		places: [
			'src/server/people/persons/staff-accounts.ts',
			'src/server/money/funds/protection/exclusions.ts',
			'src/server/money/funds/protection/real-money.ts',
		],
		tests: {
			'test/funds/real-money.test.ts': [
				'is closed to a member of staff, who can withdraw, until the brand lets staff play or the account is no member’s',
			],
			'test/persons/doors.test.ts': ['all doors answer alike, and at once, whatever the bar'],
			'test/operator/persons.test.ts': [
				'decides nothing about the linked account nor another one of the same person, and all else',
			],
		},
	},
	{
		clause: 'A.2.5',
		topic: 'test accounts',
		kind: 'account',
		requirement: 'Test accounts are kept apart from those of players.',
		state: 'part',
		reason:
			'Demo accounts have a pool of their own and are in no report. A test account for real money does not exist.',
		places: ['src/values/pools.ts'],
		tests: {
			'test/funds/demo-walk.test.ts': [
				'deposits, claims, bets, plays and withdraws, and operators’ figures are what they were',
			],
		},
	},
	{
		clause: 'A.3.6f',
		topic: 'adjustments',
		kind: 'wallet',
		requirement: 'An adjustment of a balance needs two members of staff and a reason.',
		state: 'held',
		reason: 'A second person approves it, and its reason code and postings are sealed.',
		places: ['src/server/money/funds/machines/adjustment.ts'],
		tests: {
			'test/calls/deposit-withdrawal.test.ts': ['adjust a balance by two persons, with a reason code'],
			'test/operator/two-persons.test.ts': ['is not confirmed by the member who proposed it, in any session or role'],
		},
	},
	{
		clause: 'A.4.4',
		topic: 'complaints',
		kind: 'account',
		requirement: 'Complaints are recorded and answered within a deadline.',
		state: 'held',
		reason:
			'A complaint is a ticket of the player with a deadline of the brand; past it, it is an alarm. Further messages delay nothing.',
		places: ['src/server/people/support/tickets.ts', 'src/server/process/health/work-checks.ts'],
		tests: {
			'test/calls/support.test.ts': [
				'is due by the brand’s days until it is closed with an answer; further messages delay nothing',
				'past its deadline is first in the queue, on Today and an alarm, until it is closed',
				'is in the journal as a hash and never as a text, and no row of it can be changed',
			],
		},
	},
	{
		clause: 'A.4.7',
		topic: 'retention',
		kind: 'report',
		requirement: 'Data is kept for the time that its kind asks for, and no longer.',
		state: 'part',
		reason: 'Receipts and bank details are erased after a set time. Other kinds are kept for ever.',
		places: ['src/server/money/funds/retention.ts'],
		tests: {
			'test/funds/retention.test.ts': [
				'erases a picture that belongs to no deposit after a day, and one of a deposit after the set time',
				'erases bank details to which nothing was withdrawn for the set time, and no others',
			],
		},
	},
	{
		clause: 'A.6.2',
		topic: 'alarm of returns',
		kind: 'report',
		requirement: 'A return out of range raises an alarm.',
		state: 'held',
		reason:
			'The check `returns` fails, and is an alarm, where luck explains the share of a prize less than once in a billion.',
		places: ['src/server/money/casino/deviating-bets.ts'],
		tests: {
			'test/games/deviating-bets.test.ts': [
				'counts of real rounds of two games are well',
				'a coin that falls on one side too often is an alarm that names its bets, whichever side it is',
			],
		},
	},
	{
		clause: 'A.7.3',
		topic: 'collusion',
		kind: 'betting',
		requirement: 'Play is watched for collusion.',
		state: 'held',
		reason: 'Matches beside the market between two accounts are listed, and accounts of one person are linked.',
		places: ['src/server/operators/suspicious-matches.ts', 'src/server/people/persons/person-graph.ts'],
		tests: {
			'test/operator/suspicious-matches.test.ts': [
				'counts matches beside the market, between the trades of others, however many there are in a row',
			],
			'test/operator/persons.test.ts': [
				'is told over any number of accounts, until an operator refutes a fact on the way',
			],
		},
	},
	{
		clause: 'A.8.1',
		topic: 'suspicious play',
		kind: 'report',
		requirement: 'Suspicious play is reported to the authority.',
		state: 'part',
		reason: 'Staff see it. No report for an authority is written.',
		places: ['src/server/operators/suspicious-matches.ts'],
		tests: {
			'test/operator/suspicious-matches.test.ts': [
				'shows staff of a brand only pairs with its players, and has 31 days at most',
			],
		},
	},
	{
		clause: 'B.2.3',
		topic: 'roles',
		kind: 'security',
		requirement: 'Members of staff do what their role allows, and log in with a second factor.',
		state: 'held',
		reason: 'Each call declares its permission, and every role is tried at every call.',
		places: ['src/values/staff-permissions.ts', 'src/server/operators/authorize.ts'],
		tests: {
			'test/operator/call-matrix.test.ts': [
				'of all brands makes the calls that the contract declares, and no others',
				'makes no call without the second factor, nor with a session that has expired or was revoked',
			],
		},
	},
	{
		clause: 'B.2.6',
		topic: 'verification logs',
		kind: 'log',
		requirement: 'Logs of verified components are kept for 90 days.',
		state: 'held',
		reason: 'Each comparison is a row of the journal, which is never erased and which the audit proves whole.',
		places: ['src/server/process/health/records.ts', 'src/server/process/health/release-files.ts'],
		tests: {
			'test/start/release-files.test.ts': [
				'each comparison is told, with the digest and the differences, and stands until the next',
				'each comparison is in the journal, also after a hundred days and starts of the server',
			],
		},
	},
	{
		clause: 'B.4',
		topic: 'encryption',
		kind: 'security',
		requirement: 'Connections are encrypted by TLS 1.2 or newer.',
		state: 'part',
		reason:
			'A proxy in front ends TLS for players. The stream of bots is encrypted here; no test tries an old version.',
		places: ['src/server/doors/bots-api/stream-server.ts'],
		tests: {
			'test/bots-api/stream-transport.test.ts': [
				'is encrypted or for this machine alone, and waits 15 s for an authentication',
			],
		},
	},
	{
		clause: 'B.6.5',
		topic: 'tamper-evident log',
		kind: 'log',
		requirement: 'A change of the audit log is evident.',
		state: 'held',
		reason: 'Ledger and journal are chains with a key outside the database; anchors detect a restored older end.',
		places: ['src/server/exchange/ledger/ledger-seal.ts', 'tools/audit-journal.ts', 'tools/audit-anchor.ts'],
		tests: {
			'test/ledger/seals.test.ts': [
				'that rewrites the entries and the chain',
				'that restores an older end of the chain',
				'collects heads, and detects a different database',
			],
		},
		evidence: 'npm run audit',
	},
	{
		clause: 'B.8',
		topic: 'releases',
		kind: 'security',
		requirement: 'Releases are approved, signed and recorded.',
		state: 'held',
		reason:
			'Where RELEASE_KEYS names approvers, no process starts without the signatures of two of them on its version and its files. Each start is in the journal. Installed packages are compared by the lockfile alone.',
		places: ['src/server/process/health/release-approval.ts', 'tools/release-sign.ts'],
		tests: {
			'test/start/release-approval.test.ts': [
				'is refused %s',
				'does not start with a changed byte or a single signature, and neither do gateway and standby',
				'starts with two signatures, and records version, digest and signers of each start',
				'starts without RELEASE_KEYS, records it, and the doctor says that the release is not signed',
				'signs for one after another, begins anew when a file changes, and checks as a start does',
			],
		},
		evidence: 'npm run operator -- doctor',
	},
];
