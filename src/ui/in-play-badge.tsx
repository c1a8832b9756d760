import type { ReactElement } from 'react';

/** A dot and a word, so that no meaning rests on colour. */
export function InPlayBadge({ word }: { word: string }): ReactElement {
	return (
		<span className="in-play-badge">
			<i aria-hidden="true" className="live-dot" />
			{word}
		</span>
	);
}
