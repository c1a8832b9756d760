import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useConnection } from '#web/live/connection.ts';
import { TEXTS } from '#web/texts.ts';

/** Says that prices are paused, and why. */
export function ConnectionStrip(): ReactElement {
	const { lost, online } = useConnection();
	const text = online ? (lost ? TEXTS.frame.reconnecting : null) : TEXTS.frame.offline;
	return (
		<output className="connection-strip" data-shown={text !== null || undefined}>
			{text && (
				<>
					<Icon solid>triangle-exclamation</Icon>
					{text}
				</>
			)}
		</output>
	);
}
