import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { AccountMenu } from '#web/features/frame/account-menu.tsx';
import { WalletBox } from '#web/features/frame/wallet-box.tsx';
import { openLoginDialog } from '#web/store/dialogs.ts';
import { useDomain } from '#web/store/domain.ts';
import { useLoading } from '#web/store/in-flight.ts';
import { useSession } from '#web/store/session.ts';
import { TEXTS } from '#web/texts.ts';

/** Logo, money and account; the thin line under it moves while calls are under way. */
export function TopBar(): ReactElement {
	const setting = useDomain((state) => state.setting);
	const user = useSession((state) => state.user);
	const loading = useLoading();
	return (
		<header className="sticky top-0 z-40 border-b border-line bg-surface-1 pt-[env(safe-area-inset-top)]">
			<div className="mx-auto flex h-14 max-w-[100rem] items-center gap-2 px-3 lg:gap-4 lg:px-5">
				<Link to="/matchlist/$id" params={{ id: '3' }} className="flex min-h-11 flex-none items-center">
					<img src={setting?.mainLogo} alt={setting?.domainTitle ?? ''} height={28} className="h-7 w-auto" />
				</Link>
				<div className="flex-1" />
				{user ? (
					<>
						<WalletBox />
						<AccountMenu name={user.userName} isDemo={user.isDemo} />
					</>
				) : (
					<Button variant="primary" onClick={() => openLoginDialog()}>
						<Icon solid>user</Icon>
						{TEXTS.frame.login}
					</Button>
				)}
			</div>
			{loading && <output className="loading-line" aria-label={TEXTS.app.loading} />}
		</header>
	);
}
