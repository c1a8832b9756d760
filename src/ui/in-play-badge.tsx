import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';

/** An icon and a word, so that no meaning rests on colour. */
export function InPlayBadge({ word }: { word: string }): ReactElement {
	return (
		<span className="in-play-badge">
			<Icon solid size="xs">
				play
			</Icon>
			{word}
		</span>
	);
}
