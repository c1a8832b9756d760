/** The public figures of the house's games; their page asks for them while its files load, so this comes with the first screen. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type FairGame = AnswerOf<'getFairness'>['games'][number];

export const fairnessQuery = () =>
	queryOptions({
		queryKey: ['fairness'],
		queryFn: ({ signal }) => call('getFairness', {}, { signal }),
		// The server holds its answer as long, and the page does not ask again for what it asked for ahead.
		staleTime: 2_000,
	});
