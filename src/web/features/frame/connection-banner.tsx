import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useConnection } from '#web/live/connection.ts';
import { TEXTS } from '#web/texts.ts';

/** Says that prices are paused, and why. */
export function ConnectionBanner(): ReactElement {
	const { stale, online } = useConnection();
	const text = online ? (stale ? TEXTS.frame.reconnecting : null) : TEXTS.frame.offline;
	return (
		<output className="connection-banner" data-shown={text !== null || undefined}>
			{text && (
				<>
					<Icon solid>triangle-exclamation</Icon>
					{text}
				</>
			)}
		</output>
	);
}
