import type { ReactElement, ReactNode } from 'react';

/** States that the money of a screen is coins of a demo account, with the screen's own addition. */
export function DemoCoins({ title, children }: { title: string; children: ReactNode }): ReactElement {
	return (
		<p className="rounded-md border-l-[3px] border-soon bg-surface-2 px-4 py-2.5">
			<strong>{title}:</strong> {children}
		</p>
	);
}
