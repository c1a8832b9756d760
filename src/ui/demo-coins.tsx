import type { ReactElement, ReactNode } from 'react';

/** Says that the money of a screen is coins of a demo account, and what the screen adds to it. */
export function DemoCoins({ title, children }: { title: string; children: ReactNode }): ReactElement {
	return (
		<p className="rounded-md border-l-[3px] border-soon bg-surface-2 px-4 py-2.5">
			<strong>{title}.</strong> {children}
		</p>
	);
}
