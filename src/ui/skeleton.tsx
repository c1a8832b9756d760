import type { ReactElement } from 'react';

/** A grey box of the size its content will have, so that nothing moves when the content comes. */
export function Skeleton({ className = '' }: { className?: string }): ReactElement {
	return <span aria-hidden="true" className={`skeleton block ${className}`} />;
}
