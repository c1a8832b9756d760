import type { ReactElement, ReactNode } from 'react';
import type { Score } from '#web/features/market/score/score-types.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

interface GroundProps {
	sport: Score['sport'];
	children: ReactNode;
	movers?: ReactNode;
}

/**
 * The drawing below every tracker: 600 by 220, as wide as the panel. The score card has the same facts as text.
 * `movers` are the parts that move over it for seconds.
 */
export function Ground({ sport, children, movers }: GroundProps): ReactElement {
	return (
		<div className="tracker" data-sport={sport}>
			<svg className="ground" viewBox="0 0 600 220" role="img" aria-label={MARKET_WORDS.trackerLabel[sport]}>
				{children}
			</svg>
			{movers}
		</div>
	);
}

interface MoverProps {
	className: string;
	/** Its place, and half its width, in units of the drawing. */
	x: number;
	y: number;
	reach: number;
	/** Where its animation takes it, from its place. */
	way?: { x: number; y: number };
	children: ReactNode;
}

/**
 * A picture of its own above the ground: the compositor moves it, and no frame repaints the ground. A box around it is
 * moved, because browsers move parts of drawings, and drawings, on the main thread.
 */
export function Mover({ className, x, y, reach, way, children }: MoverProps): ReactElement {
	const place = { '--x': x.toFixed(1), '--y': y.toFixed(1), '--reach': reach, '--way-x': way?.x, '--way-y': way?.y };
	return (
		<span className={`mover ${className}`} aria-hidden="true" style={place as Record<string, unknown>}>
			<svg viewBox={`${-reach} ${-reach} ${2 * reach} ${2 * reach}`} aria-hidden="true">
				{children}
			</svg>
		</span>
	);
}

/** Names are truncated if a drawing has no room for them. */
export const shortName = (name: string, most = 18): string =>
	name.length > most ? `${name.slice(0, most - 1)}…` : name;

/** A person's given names are initials where the whole name has no room: "Ishan Jadhav" is "I Jadhav". */
export function playerName(name: string, most: number): string {
	if (name.length <= most) return name;
	const names = name.split(' ');
	const initials = names.slice(0, -1).map((given) => given.charAt(0));
	return shortName([...initials, names.at(-1)].join(' '), most);
}
