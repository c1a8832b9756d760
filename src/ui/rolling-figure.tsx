import type { ReactElement } from 'react';

/** A figure that rolls in when it changes; still where less motion is asked for. */
export function RollingFigure({ text, className = '' }: { text: string; className?: string }): ReactElement {
	return (
		<span className={`roll ${className}`}>
			<span key={text} className="roll-in motion">
				{text}
			</span>
		</span>
	);
}
