import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, Suspense } from 'react';
import { ToastOutlet } from '#ui/toast-outlet.tsx';
import { BrandLook } from '#web/features/brand/brand-look.tsx';
import { LoadingOverlay } from '#web/features/brand/loading-overlay.tsx';
import { LoginOutlet } from '#web/routes/lazy-parts.ts';
import { isMaintenance } from '#web/routes/maintenance.ts';
import { useBrand } from '#web/store/brand.ts';
import { useDialogs } from '#web/store/dialogs.ts';
import { useLayout } from '#web/store/layout.ts';
import { TEXTS } from '#web/texts.ts';

/** The last route's title that has one. */
function useRouteTitle(): string | null {
	return useRouterState({
		select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title ?? null,
	});
}

/** Loaded when a dialog is first open. */
function Login(): ReactElement {
	const open = useDialogs((dialogs) => dialogs.open);
	return <Suspense fallback={null}>{open === 'login' && <LoginOutlet />}</Suspense>;
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
			{!suspended && <Login />}
			<ToastOutlet closeLabel={TEXTS.app.close} listLabel={TEXTS.app.notices} />
		</>
	);
}
