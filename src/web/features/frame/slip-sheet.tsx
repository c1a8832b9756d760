import { type ReactElement, type ReactNode, Suspense, useEffect } from 'react';
import { BottomSheet } from '#ui/bottom-sheet.tsx';
import { useSheetEntry } from '#web/features/frame/use-sheet-entry.ts';
import { showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { TEXTS } from '#web/texts.ts';

const close = () => showSlipSheet(false);

/**
 * The slip on a phone, which comes in its whole height or not yet. Back closes it, also before it comes; so do Esc and a
 * swipe down once it is there.
 */
export function SlipSheet({ children }: { children: ReactNode }): ReactElement | null {
	const open = useDialogs((dialogs) => dialogs.slipSheet);
	useSheetEntry('slip', open, close);
	useEffect(() => {
		// The picked price stays in sight above the sheet.
		if (open) document.querySelector('.price[aria-pressed="true"]')?.scrollIntoView({ block: 'start' });
	}, [open]);
	if (!open) return null;
	return (
		<Suspense fallback={null}>
			<BottomSheet label={TEXTS.slip.title} onClose={close}>
				{children}
			</BottomSheet>
		</Suspense>
	);
}
