import type { ReactElement } from 'react';
import { WarningLine } from '#ui/warning-line.tsx';
import { useOneClickLine } from '#web/orders/one-click-line.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** Beside the slip, and on lists whose prices bet at once, too. */
export function OneClickBanner(): ReactElement | null {
	const line = useOneClickLine(SLIP_WORDS.oneClickOn);
	return line && <WarningLine {...line} />;
}
