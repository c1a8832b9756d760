import { useEffect, useState } from 'react';
import { inFlightCount, subscribeInFlight } from '#web/api/in-flight.ts';

/** What is answered sooner shows no indicator: it would come and go in a blink, and be painted while a press is handled. */
const SHOWN_AFTER_MS = 150;

/**
 * True while calls that show the loading indicator have been in flight for a moment. Kept as state and not read as a
 * store: calls end at any time, and a store that changes during a render would make React start over.
 */
export function useLoading(): boolean {
	const [loading, setLoading] = useState(false);
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const end = () => {
			clearTimeout(timer);
			timer = undefined;
		};
		const follow = () => {
			if (inFlightCount() > 0) {
				timer ??= setTimeout(() => setLoading(true), SHOWN_AFTER_MS);
				return;
			}
			end();
			setLoading(false);
		};
		follow();
		const leave = subscribeInFlight(follow);
		return () => {
			end();
			leave();
		};
	}, []);
	return loading;
}
