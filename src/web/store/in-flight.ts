import { useSyncExternalStore } from 'react';
import { inFlightCount, subscribeInFlight } from '#web/api/in-flight.ts';

/** True while calls that show the loading indicator are under way. */
export const useLoading = (): boolean => useSyncExternalStore(subscribeInFlight, inFlightCount, () => 0) > 0;
