import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type ApiKey = AnswerOf<'getApiAccess'>['keys'][number];

/** The player's app keys. */
export const apiAccessQuery = () =>
	queryOptions({
		queryKey: ['player', 'api-access'],
		queryFn: ({ signal }) => call('getApiAccess', {}, { signal }),
		staleTime: 0,
	});
