import { useEffect, useState } from 'react';
import { inFlightCount, subscribeInFlight } from '#web/api/in-flight.ts';

/**
 * True while calls that show the loading indicator are in flight. Kept as state and not read as a store: calls end at
 * any time, and a store that changes during a render would make React start over.
 */
export function useLoading(): boolean {
	const [loading, setLoading] = useState(false);
	useEffect(() => {
		const follow = () => setLoading(inFlightCount() > 0);
		follow();
		return subscribeInFlight(follow);
	}, []);
	return loading;
}
