import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';

/** A placeholder for content: an empty list, an error, no connection. The text names the next step. */
export function ScreenState({
	icon,
	picture = icon && (
		<Icon solid size="2xl">
			{icon}
		</Icon>
	),
	title,
	children,
	action,
	tone = 'calm',
}: {
	/** The name of an icon. */
	icon?: string;
	/** Replaces the icon. */
	picture?: ReactNode;
	title: string;
	children?: ReactNode;
	action?: ReactNode;
	/** `alert` is read out loud immediately. */
	tone?: 'calm' | 'alert';
}): ReactElement {
	return (
		<div role={tone === 'alert' ? 'alert' : 'status'} className="screen-state">
			{picture && <div className="screen-state-picture">{picture}</div>}
			<p className="text-base font-semibold">{title}</p>
			{children && <p className="max-w-[42ch] text-muted">{children}</p>}
			{action && <div className="mt-2">{action}</div>}
		</div>
	);
}
