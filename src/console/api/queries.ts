/** Answers of the operators' calls, kept for the screens. */
import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
	Failure,
	type InputOf,
	operate,
	type ResultOf,
	type SessionResult,
	sessionCall,
} from '#console/api/operate.ts';
import type { ConsoleCallName } from '#contract/operators/registry.ts';
import { nameKey } from '#values/name-key.ts';

export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			retry: (count, error) => error instanceof Failure && error.code === 'NETWORK' && count < 3,
			placeholderData: keepPreviousData,
		},
	},
});

/** What a screen shows; asked again every `everyMs` while the screen is looked at. */
export function useCall<Name extends ConsoleCallName>(name: Name, input: InputOf<Name>, everyMs = 0) {
	return useQuery<ResultOf<Name>, Error>({
		queryKey: [name, input],
		queryFn: ({ signal }) => operate(name, input, signal),
		refetchInterval: everyMs === 0 ? false : everyMs,
	});
}

/** What is asked for once, because the server records each time that it is shown. */
export function useCallOnce<Name extends ConsoleCallName>(name: Name, input: InputOf<Name>) {
	return useQuery<ResultOf<Name>, Error>({
		queryKey: [name, input],
		queryFn: ({ signal }) => operate(name, input, signal),
		staleTime: 'static',
	});
}

/**
 * An act; when it succeeds, everything that is shown is asked for again.
 * @param onAnswer comes before that
 */
export function useAct<Name extends ConsoleCallName>(name: Name, onAnswer?: (answer: ResultOf<Name>) => void) {
	const client = useQueryClient();
	return useMutation<ResultOf<Name>, Error, InputOf<Name>>({
		mutationFn: (input) => operate(name, input),
		onSuccess: (answer) => onAnswer?.(answer),
		onSettled: () => client.invalidateQueries(),
	});
}

export const ME = ['me'] as const;
type Me = SessionResult<'me'>;
/** Whether the name is that of the member who looks. */
export const isMe = (name: string, me: Me | undefined): boolean => nameKey(name) === nameKey(me?.name ?? '');

export const useMe = () => useQuery<Me, Error>({ queryKey: ME, queryFn: () => sessionCall('me', {}) });
