import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';

/** An icon and a word, so that no colour has to be told apart. */
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
