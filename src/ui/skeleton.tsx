import type { ReactElement } from 'react';

/** A grey box in the size of the coming content, so that nothing moves when the content arrives. */
export function Skeleton({ className = '' }: { className?: string }): ReactElement {
	return <span aria-hidden="true" className={`skeleton block ${className}`} />;
}
