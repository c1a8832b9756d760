/** What every screen of the console has: the menu, who is logged in, search, and the keys. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useChanges } from '#console/api/changes.ts';
import { sessionCall } from '#console/api/operate.ts';
import { ME, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { isFreeKey } from '#console/parts/free-key.ts';
import { SavedViewsDialog } from '#console/parts/saved-views.tsx';
import { keptTheme, wear } from '#console/parts/theme.ts';
import { AccountDialog } from '#console/screens/account-dialog.tsx';
import type { Permission } from '#values/staff-permissions.ts';

interface Entry {
	to:
		| '/today'
		| '/markets'
		| '/results'
		| '/players'
		| '/payments'
		| '/documents'
		| '/casino'
		| '/bonuses'
		| '/brands'
		| '/staff'
		| '/audit'
		| '/reports';
	label: string;
	/** After `g`. */
	key: string;
	permission: Permission;
}

const MENU: readonly Entry[] = [
	{ to: '/today', label: 'Today', key: 't', permission: 'today.read' },
	{ to: '/markets', label: 'Markets', key: 'm', permission: 'markets.read' },
	{ to: '/results', label: 'Proposals', key: 'r', permission: 'today.read' },
	{ to: '/players', label: 'Players', key: 'p', permission: 'players.read' },
	{ to: '/payments', label: 'Payments', key: 'y', permission: 'payments.read' },
	{ to: '/documents', label: 'Documents', key: 'd', permission: 'documents.read' },
	{ to: '/casino', label: 'Casino', key: 'c', permission: 'casino.read' },
	{ to: '/bonuses', label: 'Bonuses', key: 'o', permission: 'bonuses.read' },
	{ to: '/brands', label: 'Brands', key: 'b', permission: 'brands.read' },
	{ to: '/staff', label: 'Staff', key: 's', permission: 'staff.read' },
	{ to: '/audit', label: 'Audit', key: 'a', permission: 'audit.read' },
	{ to: '/reports', label: 'Reports', key: 'e', permission: 'reports.read' },
];

/** Keys of single screens, for the list of keys. */
const MORE_KEYS = [
	['/', 'Search players'],
	['?', 'These keys'],
	['Enter', 'Open the row'],
	['Shift S', 'On an event: suspend all its markets'],
	['f', 'On an event: price its fancies'],
	['n', 'On an event: open a fancy'],
	['b', 'On an event: price its bookmaker markets'],
	['o', 'On an event: open a bookmaker market'],
	['k', 'On a payment: claim it'],
	['l', 'On a payment: release it'],
] as const;

function useKeys(menu: readonly Entry[], onSearch: () => void, onHelp: () => void): void {
	const navigate = useNavigate();
	const pending = useRef(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (!isFreeKey(event)) return;
			const wasPending = pending.current;
			pending.current = event.key === 'g';
			const entry = wasPending ? menu.find(({ key }) => key === event.key) : undefined;
			if (entry) void navigate({ to: entry.to });
			else if (event.key === '?') onHelp();
			else if (event.key === '/') {
				event.preventDefault();
				onSearch();
			}
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, [menu, navigate, onSearch, onHelp]);
}

export function Frame(): ReactElement {
	const client = useQueryClient();
	const navigate = useNavigate();
	const { data: me } = useMe();
	useChanges();
	const search = useRef<HTMLInputElement>(null);
	const [isHelpOpen, setHelpOpen] = useState(false);
	const [areViewsOpen, setViewsOpen] = useState(false);
	const [isAccountOpen, setAccountOpen] = useState(false);
	const menu = MENU.filter(({ permission }) => me?.permissions.includes(permission));
	useKeys(
		menu,
		() => search.current?.focus(),
		() => setHelpOpen(true),
	);
	const find = (event: FormEvent) => {
		event.preventDefault();
		const query = search.current?.value.trim() ?? '';
		if (query !== '') void navigate({ to: '/players', search: { query } });
	};
	const logOut = async () => {
		await sessionCall('log-out', {});
		client.clear();
		await client.invalidateQueries({ queryKey: ME });
	};
	return (
		<>
			<a className="skip" href="#content">
				Skip to the content
			</a>
			<header className="bar">
				<strong>Backlay</strong>
				<nav aria-label="Console">
					{menu.map(({ to, label, key }) => (
						<Link key={to} to={to} title={`g ${key}`} activeProps={{ 'aria-current': 'page' }}>
							{label}
						</Link>
					))}
				</nav>
				{me?.permissions.includes('players.read') && (
					<search>
						<form onSubmit={find}>
							<input ref={search} type="search" aria-label="Search players" placeholder="Name, mobile, id, UTR  /" />
						</form>
					</search>
				)}
				<button type="button" onClick={() => setViewsOpen(true)}>
					Views
				</button>
				<button type="button" title="Your password and security keys" onClick={() => setAccountOpen(true)}>
					{me?.name}
				</button>
				<button type="button" onClick={() => wear(keptTheme() === 'dark' ? 'light' : 'dark')}>
					Dark or light
				</button>
				<button type="button" onClick={() => void logOut()}>
					Log out
				</button>
			</header>
			<main id="content" tabIndex={-1}>
				<Outlet />
			</main>
			{areViewsOpen && <SavedViewsDialog onClose={() => setViewsOpen(false)} />}
			{isAccountOpen && <AccountDialog name={me?.name ?? ''} onClose={() => setAccountOpen(false)} />}
			{isHelpOpen && (
				<Dialog title="Keys" onClose={() => setHelpOpen(false)}>
					<dl className="keys">
						{menu.map(({ label, key }) => (
							<div key={key}>
								<dt>g {key}</dt>
								<dd>{label}</dd>
							</div>
						))}
						{MORE_KEYS.map(([key, what]) => (
							<div key={key}>
								<dt>{key}</dt>
								<dd>{what}</dd>
							</div>
						))}
					</dl>
				</Dialog>
			)}
		</>
	);
}
