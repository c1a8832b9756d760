/** The rights of the operator's staff: named permissions, and the built-in roles that are sets of them. */

const PERMISSIONS = {
	'today.read': 'See what waits, and the day’s figures',
	'markets.read': 'See markets, books and risk',
	'markets.trade': 'Suspend, resume, turn in-play, close, limit and open markets; remove runners',
	'results.propose': 'Propose results, voids and resettlements',
	'results.confirm': 'Confirm results, voids and resettlements that another member proposed',
	'players.read': 'See players, their bets, money and log-ins',
	'players.note': 'Add notes about a player',
	'players.edit': 'Set limits and sports of a player',
	'players.protect': 'Freeze a player',
	'documents.read': 'See players’ identity documents',
	'documents.decide': 'Accept and reject identity documents',
	'payments.read': 'See deposits, withdrawals and payments',
	'payments.decide': 'Approve and reject what waits in the payment queue',
	'payments.take-over': 'Take over a payment that another member has claimed',
	'payments.adjust': 'Request adjustments of a balance',
	'books.read': 'See the trial balance and the findings of reconciliation',
	'books.edit': 'Enter provider settlements and import reports',
	'casino.read': 'See rounds, returns and providers',
	'casino.edit': 'End rounds that a provider left open',
	'bonuses.read': 'See bonuses and campaigns',
	'bonuses.edit': 'Propose and stop campaigns',
	'bonuses.confirm': 'Confirm campaigns that another member proposed',
	'brands.read': 'See the settings of brands',
	'brands.edit': 'Change the looks and flags of brands, and propose changes that concern money',
	'brands.confirm': 'Confirm changes of brands that concern money',
	'brands.make-real': 'Propose and confirm that a brand takes real money',
	'staff.read': 'See staff, roles and sessions',
	'staff.edit': 'Add and remove staff, and propose roles',
	'staff.confirm': 'Confirm a change of roles that another member proposed',
	'audit.read': 'Read the journal',
	'reports.read': 'See reports',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

const READS = PERMISSION_NAMES.filter((name) => name.endsWith('.read'));

/** The built-in roles. A member with several roles has the permissions of all of them. */
export const STAFF_ROLES: Readonly<Record<string, readonly Permission[]>> = {
	owner: PERMISSION_NAMES,
	trader: ['today.read', 'markets.read', 'markets.trade', 'results.propose', 'results.confirm', 'reports.read'],
	payments: [
		'today.read',
		'players.read',
		'players.note',
		'payments.read',
		'payments.decide',
		'payments.adjust',
		'books.read',
	],
	'payments approver': [
		'today.read',
		'players.read',
		'payments.read',
		'payments.decide',
		'payments.take-over',
		'books.read',
		'books.edit',
		'reports.read',
	],
	support: ['today.read', 'players.read', 'players.note', 'payments.read', 'bonuses.read', 'casino.read'],
	risk: ['today.read', 'markets.read', 'players.read', 'players.note', 'players.edit', 'payments.read', 'reports.read'],
	compliance: [
		'today.read',
		'players.read',
		'players.note',
		'players.edit',
		'players.protect',
		'documents.read',
		'documents.decide',
		'payments.read',
		'audit.read',
	],
	casino: [
		'today.read',
		'casino.read',
		'casino.edit',
		'bonuses.read',
		'bonuses.edit',
		'bonuses.confirm',
		'reports.read',
	],
	auditor: READS,
};
