import { Link } from '@tanstack/react-router';
import { type ReactElement, Suspense, useLayoutEffect } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { WalletBox } from '#web/features/frame/wallet-box.tsx';
import { useBrand } from '#web/store/brand.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { useLoading } from '#web/store/in-flight.ts';
import { useLayout } from '#web/store/layout.ts';
import { useLogo } from '#web/store/look.ts';
import { useSession } from '#web/store/session.ts';
import { withTexts } from '#web/texts/held.ts';
import { TEXTS } from '#web/texts.ts';

/** A visitor has none. */
const AccountMenu = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/frame/account-menu.tsx'))).AccountMenu,
}));

/** "/" opens the search, unless it is typed somewhere. It is heard from the first paint on: the dialog comes when it is loaded. */
function useSearchKey(): void {
	useLayoutEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const typing = event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog');
			if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			openDialog('search');
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, []);
}

/** Looks like a field where there is room for one; the search itself opens over the screen. */
function SearchButton(): ReactElement {
	useSearchKey();
	return (
		<button type="button" className="search-button" aria-keyshortcuts="/" onClick={() => openDialog('search')}>
			<Icon solid>magnifying-glass</Icon>
			<span className="unseen">{TEXTS.searchBar.open}</span>
			<span aria-hidden="true" className="search-hint">
				{TEXTS.searchBar.hint}
			</span>
			<kbd aria-hidden="true">/</kbd>
		</button>
	);
}

function Account(): ReactElement {
	const user = useSession((state) => state.user);
	const walletBox = useLayout((layout) => layout.walletBox);
	if (!user) {
		return (
			<Button variant="primary" onClick={() => openDialog('login')}>
				<Icon solid>user</Icon>
				{TEXTS.frame.login}
			</Button>
		);
	}
	return (
		<>
			{walletBox && <WalletBox />}
			<Suspense fallback={<span className="size-11 flex-none lg:w-32" />}>
				<AccountMenu name={user.userName} isDemo={user.isDemo} />
			</Suspense>
		</>
	);
}

/** A separate component, because it appears and disappears with each call. */
function LoadingLine(): ReactElement | null {
	return useLoading() ? <output className="loading-line" aria-label={TEXTS.app.loading} /> : null;
}

/** Logo, search, money and account; the thin line under it moves while calls are in flight. */
export function TopBar(): ReactElement | null {
	const title = useBrand((state) => state.setting?.domainTitle ?? '');
	const simulated = useBrand((state) => state.setting?.simulatedSports === true);
	const logo = useLogo();
	const { topHeader, search } = useLayout();
	if (!topHeader) return null;
	return (
		<header className="top-header">
			<div className="mx-auto flex h-14 max-w-[100rem] items-center gap-1 px-3 md:gap-2 lg:gap-4 lg:px-5">
				<button
					type="button"
					className="icon-button -ml-2 max-xl:hidden"
					aria-label={TEXTS.menu.open}
					onClick={() => openDialog('menu')}
				>
					<Icon solid size="lg">
						bars
					</Icon>
				</button>
				<Link to="/matchlist/$id" params={{ id: '3' }} className="flex min-h-11 min-w-0 items-center">
					<img src={logo} alt={title} height={28} className="top-logo" />
				</Link>
				{simulated && (
					<span className="site-badge max-lg:hidden" title={TEXTS.brand.simulatedHint}>
						{TEXTS.brand.simulated}
					</span>
				)}
				<div className="flex min-w-11 flex-1 justify-end md:justify-center">{search && <SearchButton />}</div>
				<Account />
			</div>
			<LoadingLine />
		</header>
	);
}
