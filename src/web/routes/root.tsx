import { Outlet, useBlocker, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactElement, Suspense } from 'react';
import { ToastOutlet } from '#ui/toast-outlet.tsx';
import { BrandLook } from '#web/features/brand/brand-look.tsx';
import { LoadingOverlay } from '#web/features/brand/loading-overlay.tsx';
import { LoginDialog } from '#web/routes/lazy-parts.ts';
import { isMaintenance } from '#web/routes/maintenance.ts';
import { useBrand } from '#web/store/brand.ts';
import { closeLoginDialog, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { firstGameAfterLogin } from '#web/store/first-game.ts';
import { useLayout } from '#web/store/layout.ts';
import { useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

/** The last route's title that has one. */
function useRouteTitle(): string | null {
	return useRouterState({
		select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title ?? null,
	});
}

/** What a visitor pressed before is in front of the new player on a phone, as it is in the column of a wide screen. */
function showPickedPrice(): void {
	if (useSlip.getState().selections.length > 0) showSlipSheet(true);
}

function LoginOutlet(): ReactElement | null {
	const step = useDialogs(({ login }) => login);
	const router = useRouter();
	// Back closes the dialog and stays on the screen below it.
	useBlocker({
		shouldBlockFn: ({ action }) => {
			if (action !== 'BACK') return false;
			closeLoginDialog();
			return true;
		},
		disabled: step === 'closed',
		enableBeforeUnload: false,
	});
	if (step === 'closed') return null;
	async function onLoggedIn(): Promise<void> {
		const { afterLogin } = useDialogs.getState();
		closeLoginDialog();
		const href = (await firstGameAfterLogin()) ?? afterLogin;
		if (href !== null && href !== router.state.location.href) await router.navigate({ href });
		// The slip's sheet has an entry of its own on the way back, so that it comes after the navigation.
		showPickedPrice();
	}
	const leaveFor = (path: '/' | '/inplay') => () => {
		closeLoginDialog();
		void router.navigate({ to: path }).then(showPickedPrice);
	};
	return (
		<Suspense fallback={null}>
			<LoginDialog
				step={step}
				onLoggedIn={() => void onLoggedIn()}
				onVerified={leaveFor('/')}
				onSkipped={leaveFor('/inplay')}
			/>
		</Suspense>
	);
}

/** The view waits for the domain setting and shows no screen of a suspended site; dialogs and toasts are beside it. */
export function Root(): ReactElement {
	const loaded = useBrand((state) => state.loaded);
	const suspended = useBrand((state) => state.suspended);
	const overlay = useLayout((layout) => layout.overlay);
	const atMaintenance = useRouterState({ select: ({ location }) => isMaintenance(location) });
	const routeTitle = useRouteTitle();
	return (
		<>
			<BrandLook routeTitle={routeTitle} />
			{loaded && (atMaintenance || !suspended) ? <Outlet /> : <LoadingOverlay />}
			{overlay && <LoadingOverlay />}
			{!suspended && <LoginOutlet />}
			<ToastOutlet closeLabel={TEXTS.app.close} listLabel={TEXTS.app.notices} />
		</>
	);
}
