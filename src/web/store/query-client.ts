import { QueryClient } from '@tanstack/react-query';
import { CallFailure } from '#web/api/failure.ts';

/** A refusal will be a refusal again; only a lost or overloaded line is worth a second try. */
function mayRetry(failures: number, failure: Error): boolean {
	if (failures >= 3) return false;
	return failure instanceof CallFailure && (failure.code === 'NETWORK' || failure.status >= 500);
}

/** What the calls answered, for the whole site. Live messages keep most of it fresh, so little is fetched twice. */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			retry: mayRetry,
			retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 10_000),
			staleTime: 15_000,
			refetchOnWindowFocus: true,
			// Said, because a query that runs without a network would otherwise not be asked again when it returns.
			refetchOnReconnect: true,
			networkMode: 'always',
		},
		mutations: { retry: false, networkMode: 'always' },
	},
});
