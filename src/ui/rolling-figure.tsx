import type { ReactElement } from 'react';

/** A figure that rolls in when it changes; static with reduced motion. */
export function RollingFigure({ text, className = '' }: { text: string; className?: string }): ReactElement {
	return (
		<span className={`roll ${className}`}>
			<span key={text} className="roll-in motion">
				{text}
			</span>
		</span>
	);
}
