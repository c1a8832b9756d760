import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useLine } from '#web/store/line.ts';
import { TEXTS } from '#web/texts.ts';

/** Says that prices stand still, and why. */
export function LineStrip(): ReactElement {
	const { stale, online } = useLine();
	const text = online ? (stale ? TEXTS.frame.reconnecting : null) : TEXTS.frame.offline;
	return (
		<output className="line-strip" data-shown={text !== null || undefined}>
			{text && (
				<>
					<Icon solid>triangle-exclamation</Icon>
					{text}
				</>
			)}
		</output>
	);
}
