/** The console's screens as the rail, the keys and the palette name them. */
import type { ResultOf } from '#console/api/operate.ts';
import type { Permission } from '#values/staff-permissions.ts';

export interface MenuEntry {
	to:
		| '/today'
		| '/floor'
		| '/markets'
		| '/results'
		| '/desk'
		| '/limits'
		| '/find'
		| '/players'
		| '/payments'
		| '/documents'
		| '/messages'
		| '/cases'
		| '/casino'
		| '/bonuses'
		| '/brands'
		| '/staff'
		| '/audit'
		| '/significant'
		| '/system'
		| '/reports';
	label: string;
	/** After `g`. */
	key: string;
	permission: Permission;
	/** How many wait there for a person. */
	waiting?: (today: ResultOf<'today'>) => number;
}

interface MenuSection {
	title: string;
	entries: readonly MenuEntry[];
}

const MENU: readonly MenuSection[] = [
	{
		title: 'Waiting',
		entries: [
			{
				to: '/today',
				label: 'Today',
				key: 't',
				permission: 'today.read',
				waiting: ({ findings, stopped }) => findings.length + stopped.length,
			},
			{
				to: '/results',
				label: 'Proposals',
				key: 'r',
				permission: 'today.read',
				waiting: ({ proposals }) => proposals,
			},
			{
				to: '/payments',
				label: 'Payments',
				key: 'y',
				permission: 'payments.read',
				waiting: ({ waiting }) => waiting.reduce((sum, { count }) => sum + count, 0),
			},
			{ to: '/documents', label: 'Documents', key: 'd', permission: 'documents.read' },
			{
				to: '/messages',
				label: 'Messages',
				key: 'i',
				permission: 'support.read',
				waiting: ({ tickets }) => tickets.waiting,
			},
			{
				to: '/cases',
				label: 'Cases',
				key: 'k',
				permission: 'cases.read',
				waiting: ({ cases }) => cases.open,
			},
		],
	},
	{
		title: 'Trading',
		entries: [
			{
				to: '/markets',
				label: 'Markets',
				key: 'm',
				permission: 'markets.read',
				waiting: ({ withoutResult }) => withoutResult.length,
			},
			{ to: '/desk', label: 'Result desk', key: 'u', permission: 'markets.read' },
			{ to: '/floor', label: 'Trading floor', key: 'f', permission: 'markets.read' },
			{ to: '/limits', label: 'Limits', key: 'l', permission: 'markets.read' },
			{ to: '/casino', label: 'Casino', key: 'c', permission: 'casino.read' },
		],
	},
	{
		title: 'Players',
		entries: [
			{ to: '/find', label: 'Where is the money', key: 'w', permission: 'players.read' },
			{ to: '/players', label: 'Players', key: 'p', permission: 'players.read' },
			{ to: '/bonuses', label: 'Bonuses', key: 'o', permission: 'bonuses.read' },
		],
	},
	{
		title: 'House',
		entries: [
			{ to: '/brands', label: 'Brands', key: 'b', permission: 'brands.read' },
			{ to: '/reports', label: 'Reports', key: 'e', permission: 'reports.read' },
			{ to: '/staff', label: 'Staff', key: 's', permission: 'staff.read' },
			{ to: '/significant', label: 'Significant events', key: 'x', permission: 'audit.read' },
			{ to: '/audit', label: 'Audit', key: 'a', permission: 'audit.read' },
			{
				to: '/system',
				label: 'System',
				key: 'h',
				permission: 'audit.read',
				waiting: ({ alarms }) => alarms.length,
			},
		],
	},
];

/** The sections that a member sees. */
export const menuFor = (permissions: readonly Permission[]): MenuSection[] =>
	MENU.map(({ title, entries }) => ({
		title,
		entries: entries.filter(({ permission }) => permissions.includes(permission)),
	})).filter(({ entries }) => entries.length > 0);
