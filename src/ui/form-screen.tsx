import type { ReactElement, ReactNode } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';

/** A screen of forms and cards, as narrow as they read well. */
export function FormScreen({
	title,
	intro,
	closed,
	className = '',
	children,
}: {
	title: string;
	intro?: string;
	/** Why a demo account has none of it; the screen then shows nothing else. */
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
