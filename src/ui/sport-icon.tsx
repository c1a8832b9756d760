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
			<ellipse cx="14.3" cy="9.7" rx="5.4" ry="6.6" transform="rotate(45 14.3 9.7)" />
			<path d="m10.2 13.8-6.7 6.7M10.6 7.600l5.8 5.800M13.7 5.600l4.6 4.6" />
			<circle cx="18.5" cy="18.5" r="2" />
		</>
	),
	3: (
		<>
			<path d="M19.8 3.2 16.3 6.700M17.5 8.9 9.2 17.200c-1 1-3.3 1.9-4.3 1.9-.6 0-1-.4-1-1 0-1 .9-3.3 1.9-4.300l8.3-8.300c.5-.5 1.2-.5 1.7 0l1.7 1.700c.5.5.5 1.2 0 1.700z" />
			<circle cx="17.5" cy="17.5" r="3" />
			<path d="M16 15.200c1.3.9 2.1 2.3 2.3 4.2" />
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
			strokeWidth="1.6"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
			className={`flex-none ${className}`}
		>
			{DRAWINGS[sportId] ?? <circle cx="12" cy="12" r="8.5" />}
		</svg>
	);
}
