/** What every screen of the console has: the rail, who is logged in, search, the palette and the keys. */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useChanges } from '#console/api/changes.ts';
import { sessionCall } from '#console/api/operate.ts';
import { ME, useMe } from '#console/api/queries.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { KeysDialog } from '#console/parts/keys-dialog.tsx';
import { type MenuEntry, menuFor } from '#console/parts/menu.ts';
import { Palette } from '#console/parts/palette.tsx';
import { Rail } from '#console/parts/rail.tsx';
import { SavedViewsDialog } from '#console/parts/saved-views.tsx';
import { turnTheme } from '#console/parts/theme.ts';
import { AccountDialog } from '#console/screens/account-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { pageVersion } from '#ui/page-version.ts';
import { isDialogOpen } from '#ui/top-layer.ts';
import type { Permission } from '#values/staff-permissions.ts';

type Opened = 'views' | 'account' | 'keys' | 'palette' | null;

interface Keys {
	menu: readonly MenuEntry[];
	onSearch: () => void;
	onOpen: (opened: Opened) => void;
}

function useKeys({ menu, onSearch, onOpen }: Keys): void {
	const navigate = useNavigate();
	const isGoing = useRef(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			// Also while a field has the focus; a dialog is not left by it.
			if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !isDialogOpen()) {
				event.preventDefault();
				onOpen('palette');
				return;
			}
			if (!isFreeKey(event)) return;
			const wasGoing = isGoing.current;
			isGoing.current = event.key === 'g';
			const entry = wasGoing ? menu.find(({ key }) => key === event.key) : undefined;
			if (entry) void navigate({ to: entry.to });
			else if (event.key === '?') onOpen('keys');
			else if (event.key === '/') {
				event.preventDefault();
				onSearch();
			}
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, [menu, navigate, onSearch, onOpen]);
}

export function Frame(): ReactElement {
	const client = useQueryClient();
	const navigate = useNavigate();
	const { data: me } = useMe();
	useChanges();
	const search = useRef<HTMLInputElement>(null);
	const [opened, setOpened] = useState<Opened>(null);
	const [isRailOpen, setRailOpen] = useState(false);
	const may = (permission: Permission) => me?.permissions.includes(permission) ?? false;
	const sections = menuFor(me?.permissions ?? []);
	const menu = sections.flatMap(({ entries }) => entries);
	useKeys({ menu, onSearch: () => search.current?.focus(), onOpen: setOpened });
	const find = (event: FormEvent) => {
		event.preventDefault();
		const reference = search.current?.value.trim() ?? '';
		setRailOpen(false);
		if (reference !== '') void navigate({ to: '/find', search: { reference } });
	};
	const logOut = async () => {
		await sessionCall('log-out', {});
		client.clear();
		await client.invalidateQueries({ queryKey: ME });
	};
	const close = () => setOpened(null);
	const acts = [
		{ label: 'Saved views', run: () => setOpened('views') },
		{ label: 'Keys', hint: '?', run: () => setOpened('keys') },
		{ label: 'Dark or light', run: turnTheme },
		{ label: 'Log out', run: logOut },
	];
	return (
		<div className="frame">
			<a className="unseen" href="#content">
				Skip to the content
			</a>
			<header className="rail" data-open={isRailOpen || undefined}>
				<div className="rail-top">
					<strong>Backlay</strong>
					<Button size="small" variant="ghost" title="Ctrl K" onClick={() => setOpened('palette')}>
						Go to …
					</Button>
					<Button
						size="small"
						className="rail-toggle"
						aria-expanded={isRailOpen}
						onClick={() => setRailOpen(!isRailOpen)}
					>
						Menu
					</Button>
				</div>
				<div className="rail-body">
					{may('players.read') && (
						<search>
							<form onSubmit={find}>
								<input
									ref={search}
									className="filter-text"
									type="search"
									aria-label="Find a player or a reference"
									placeholder="Name or any reference  /"
								/>
							</form>
						</search>
					)}
					<Rail menu={sections} hasCounts={may('today.read')} onChosen={() => setRailOpen(false)} />
					<RailEnd name={me?.name ?? ''} onOpen={setOpened} onLogOut={() => void logOut()} />
				</div>
			</header>
			<main id="content" tabIndex={-1}>
				<Outlet />
			</main>
			{opened === 'views' && <SavedViewsDialog onClose={close} />}
			{opened === 'account' && <AccountDialog name={me?.name ?? ''} onClose={close} />}
			{opened === 'keys' && <KeysDialog menu={menu} onClose={close} />}
			{opened === 'palette' && (
				<Palette
					menu={menu}
					acts={acts}
					// A command may have opened another dialog in its place.
					onClose={() => setOpened((now) => (now === 'palette' ? null : now))}
				/>
			)}
		</div>
	);
}

interface RailEndProps {
	/** The member's. */
	name: string;
	onOpen: (opened: Opened) => void;
	onLogOut: () => void;
}

/** What a member does on every screen. */
function RailEnd({ name, onOpen, onLogOut }: RailEndProps): ReactElement {
	return (
		<div className="rail-end">
			<Button size="small" variant="ghost" onClick={() => onOpen('views')}>
				Views
			</Button>
			<Button size="small" variant="ghost" title="?" onClick={() => onOpen('keys')}>
				Keys
			</Button>
			<Button size="small" variant="ghost" onClick={turnTheme}>
				Dark or light
			</Button>
			<Button size="small" variant="ghost" title="Your password and security keys" onClick={() => onOpen('account')}>
				{name}
			</Button>
			<Button size="small" variant="ghost" onClick={onLogOut}>
				Log out
			</Button>
			<small className="text-muted">Version {pageVersion()}</small>
		</div>
	);
}
