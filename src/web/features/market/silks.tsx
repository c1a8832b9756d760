import type { ReactElement, ReactNode } from 'react';
import type { Market } from '#web/api/answers.ts';

type Silks = NonNullable<Market['runners'][number]['silks']>;

/** On a jacket of 24 by 20; cut to the body's outline. */
const PATTERNS: Record<Silks['pattern'], (mark: string) => ReactNode> = {
	PLAIN: () => null,
	HOOPS: (mark) => <path d="M7 8h10v2.5H7zM7 13h10v2.5H7z" fill={mark} />,
	STRIPES: (mark) => <path d="M8.5 3h2v17h-2zM13.5 3h2v17h-2z" fill={mark} />,
	SASH: (mark) => <path d="M7 5l3-2 7 14v4z" fill={mark} />,
	DIAMONDS: (mark) => <path d="M12 5l2 2.5-2 2.5-2-2.5zM12 12l2 2.5-2 2.5-2-2.5z" fill={mark} />,
	SPOTS: (mark) => (
		<g fill={mark}>
			<circle cx="9.5" cy="8" r="1.3" />
			<circle cx="14.5" cy="8" r="1.3" />
			<circle cx="12" cy="11.5" r="1.3" />
			<circle cx="9.5" cy="15" r="1.3" />
			<circle cx="14.5" cy="15" r="1.3" />
		</g>
	),
};

const BODY = 'M8.5 4.5h7L17 7v12H7V7z';
const SLEEVES = 'M8.5 4.5L4 8l-1.5 7 2.8.8L7 10.5zM15.5 4.5L20 8l1.5 7-2.8.8L17 10.5z';

/** A jockey's jacket and cap, drawn from the colours the card names; decoration beside the horse's name. */
export function SilksPicture({ silks, size = 28 }: { silks: Silks; size?: number }): ReactElement {
	const { pattern, body, mark, sleeves, cap } = silks;
	return (
		<svg viewBox="0 0 24 22" width={size} height={size} aria-hidden="true" className="silks">
			<path d={SLEEVES} fill={sleeves} />
			<path d={BODY} fill={body} />
			{PATTERNS[pattern](mark)}
			<path d={BODY} className="silks-edge" />
			<path d={SLEEVES} className="silks-edge" />
			<path d="M9 3.8a3 2.6 0 0 1 6 0z" fill={cap} className="silks-cap" />
		</svg>
	);
}
