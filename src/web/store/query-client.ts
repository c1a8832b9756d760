import { onlineManager, QueryClient } from '@tanstack/react-query';
import { CallFailure } from '#web/api/failure.ts';

/** A refusal would be repeated; only a lost connection or a server error is worth a retry. */
function mayRetry(failures: number, failure: Error): boolean {
	if (failures >= 3) return false;
	return failure instanceof CallFailure && (failure.code === 'NETWORK' || failure.status >= 500);
}

// By default it assumes a network until it hears of its loss, and listens only from the first screen on. A page that
// was opened without one would not ask again when the network returns.
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);
onlineManager.subscribe(() => undefined);

/** The site's cache of answers. Hub messages keep most of it fresh, so that little is fetched twice. */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			retry: mayRetry,
			retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 10_000),
			staleTime: 15_000,
			refetchOnWindowFocus: true,
			// Set explicitly, because a query that runs without a network would otherwise not be repeated when it returns.
			refetchOnReconnect: true,
			networkMode: 'always',
		},
		mutations: { retry: false, networkMode: 'always' },
	},
});
