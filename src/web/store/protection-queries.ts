/** What limits, breaks and held money are shown from. Hub messages that money moved on ask for them again. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type Protection = AnswerOf<'getProtection'>;
export type Limit = Protection['limits'][number];
export type HeldMoney = AnswerOf<'getHeldMoney'>;

export const protectionQuery = () =>
	queryOptions({
		queryKey: ['player', 'funds', 'protection'],
		queryFn: ({ signal }) => call('getProtection', {}, { signal }),
		staleTime: 0,
	});

export const heldMoneyQuery = () =>
	queryOptions({
		queryKey: ['player', 'funds', 'held'],
		queryFn: ({ signal }) => call('getHeldMoney', {}, { signal }),
		staleTime: 0,
	});
