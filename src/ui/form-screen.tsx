import type { ReactElement, ReactNode } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';

/** A screen of forms and cards, with a readable width. */
export function FormScreen({
	title,
	intro,
	closed,
	className = '',
	children,
}: {
	title: string;
	intro?: string;
	/** Why a demo account cannot use it; the screen then shows nothing else. */
	closed?: { title: string; hint: string } | false;
	className?: string;
	children: ReactNode;
}): ReactElement {
	return (
		<div className={`screen form-screen ${className}`}>
			<h1 className="screen-title">{title}</h1>
			{intro && <p className="text-muted">{intro}</p>}
			{closed ? (
				<ScreenState icon="user" title={closed.title}>
					{closed.hint}
				</ScreenState>
			) : (
				children
			)}
		</div>
	);
}
