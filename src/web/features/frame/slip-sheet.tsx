import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { BottomSheet } from '#ui/bottom-sheet.tsx';
import { showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { TEXTS } from '#web/texts.ts';

declare module '@tanstack/react-router' {
	interface HistoryState {
		/** Set on the history entry that stands for the open slip, so that the way back closes it. */
		slipSheet?: true;
	}
}

/** The slip on a phone. Opening it makes a history entry; back, Esc and a swipe down all take that entry away again. */
export function SlipSheet({ children }: { children: ReactNode }): ReactElement | null {
	const open = useDialogs((dialogs) => dialogs.slipSheet);
	const onEntry = useRouterState({ select: ({ location }) => location.state.slipSheet === true });
	const navigate = useNavigate();
	const router = useRouter();

	const hasEntry = useRef(onEntry);
	useEffect(() => {
		hasEntry.current = onEntry;
	}, [onEntry]);
	useEffect(() => {
		if (open && !hasEntry.current) void navigate({ to: '.', state: { slipSheet: true }, resetScroll: false });
		else if (!open && hasEntry.current) router.history.back();
	}, [open, navigate, router]);
	useEffect(() => {
		// The picked price stays in sight above the sheet.
		if (open) document.querySelector('.price[aria-pressed="true"]')?.scrollIntoView({ block: 'start' });
	}, [open]);
	useEffect(() => {
		if (!onEntry) return;
		// Leaving the entry, by whatever way, closes the sheet.
		return () => showSlipSheet(false);
	}, [onEntry]);
	if (!open) return null;
	return (
		<BottomSheet label={TEXTS.slip.title} onClose={() => showSlipSheet(false)}>
			{children}
		</BottomSheet>
	);
}
