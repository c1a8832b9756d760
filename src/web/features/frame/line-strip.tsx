import { type ReactElement, useSyncExternalStore } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useLine } from '#web/store/line.ts';
import { TEXTS } from '#web/texts.ts';

function subscribe(listener: () => void): () => void {
	globalThis.addEventListener('online', listener);
	globalThis.addEventListener('offline', listener);
	return () => {
		globalThis.removeEventListener('online', listener);
		globalThis.removeEventListener('offline', listener);
	};
}

/** Says that prices stand still, and why. */
export function LineStrip(): ReactElement {
	const stale = useLine((line) => line.stale);
	const online = useSyncExternalStore(subscribe, () => navigator.onLine);
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
