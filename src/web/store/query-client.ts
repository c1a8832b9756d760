import { onlineManager, QueryClient } from '@tanstack/react-query';
import { CallFailure } from '#web/api/failure.ts';

/** A refusal would be repeated; only a lost connection or a server error is worth a retry. */
const mayRetry = (failures: number, failure: Error): boolean =>
	failures < 3 && failure instanceof CallFailure && (failure.code === 'NETWORK' || failure.status >= 500);

// By default it assumes a network until it hears of its loss, and listens only from the first screen on. A page that
// was opened without one would not ask again when the network returns.
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);
onlineManager.subscribe(() => undefined);

/** The site's cache of answers. Hub messages keep most of it fresh, so that little is fetched twice. */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			retry: mayRetry,
			staleTime: 15_000,
			// Set explicitly, because a query that runs without a network would otherwise not be repeated when it returns.
			refetchOnReconnect: true,
			networkMode: 'always',
		},
		mutations: { networkMode: 'always' },
	},
});

// After the second failure, a second after the first, the page says what is wrong; what is left of the tries goes on
// behind it.
queryClient.getQueryCache().subscribe((event) => {
	if (event.type !== 'updated' || event.action.type !== 'failed' || event.action.failureCount !== 2) return;
	event.query.setState({ status: 'error', error: event.action.error });
});
