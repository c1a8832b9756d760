import type { ReactElement } from 'react';

/** Shows that work is in progress; `label` is read out loud. */
export function Spinner({ label, className = '' }: { label?: string; className?: string }): ReactElement {
	return label ? (
		<output className={`spinner ${className}`} aria-label={label} />
	) : (
		<span className={`spinner ${className}`} aria-hidden="true" />
	);
}
