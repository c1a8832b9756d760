import type { ReactElement, ReactNode } from 'react';

/** Line drawings of our own, on a grid of 24; a sport without one gets the plain disc. */
const DRAWINGS: Record<number, ReactNode> = {
	0: (
		<>
			<circle cx="12" cy="12" r="8.5" />
			<path d="M3.5 12h17M12 3.5c3 2.4 4.5 5.2 4.5 8.5s-1.5 6.1-4.5 8.5c-3-2.4-4.5-5.2-4.5-8.5S9 5.9 12 3.5z" />
		</>
	),
	1: (
		<>
			<circle cx="12" cy="12" r="8.5" />
			<path d="m12 8.2 3.6 2.6-1.4 4.3H9.8l-1.4-4.3zM12 3.5v4.7M20.1 9.5l-4.5 1.3M17 18.9l-2.8-3.8M7 18.9l2.8-3.8M3.9 9.5l4.5 1.3" />
		</>
	),
	2: (
		<>
			<ellipse cx="9.5" cy="9" rx="5.2" ry="6.2" transform="rotate(-38 9.5 9)" />
			<path d="m13.2 13.5 6.3 7M6 6.5l6.5 5.5M5.2 10.5l5-6M8.3 14.2l5.4-6.6" />
			<circle cx="18.5" cy="6" r="2" />
		</>
	),
	3: (
		<>
			<path d="m14.5 3.5 3 3-9.3 9.8-3.8.7.7-3.8zM12.3 5.8l3 3M4.4 17l-1.4 3.5" />
			<circle cx="17.5" cy="16.5" r="3.5" />
			<path d="M15.5 13.7c1 1.7 3 4.2 4 5" />
		</>
	),
	25: (
		<>
			<circle cx="15.5" cy="4.8" r="2" />
			<path d="M3.5 20.5 8 16l1.5-4.5L14 9l3 3.5 3.5.5M9.5 11.5 6 9.5M14 9l-1.5 6 4 2.5.5 3.5M12.5 15 8 16" />
		</>
	),
	26: (
		<path d="M6 20.5c0-4.5 1.5-6.5 3.5-8L8 10.5l1-2 2.5-.5L14.5 3l1 3c3 1.5 4.5 4.5 5 8l-2.5 2-2-2.5-3-.5c0 3 2 3.5 2 7.5zM15 8.5h.1" />
	),
	40: <path d="M3.5 20.5h17M5 16l4.5-5 3.5 3 6.5-8.5M15 5.5h4.5V10" />,
};

export function SportIcon({
	sportId,
	size = 20,
	className = '',
}: {
	sportId: number;
	size?: number;
	className?: string;
}): ReactElement {
	return (
		<svg
			viewBox="0 0 24 24"
			width={size}
			height={size}
			fill="none"
			stroke="currentColor"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
			className={`flex-none ${className}`}
		>
			{DRAWINGS[sportId] ?? <circle cx="12" cy="12" r="8.5" />}
		</svg>
	);
}
