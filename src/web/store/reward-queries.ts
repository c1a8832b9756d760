/** What the screens of bonuses and referrals ask the server for. A hub message that money moved on asks for it again. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type Bonus = AnswerOf<'getBonuses'>[number];
export type Referral = AnswerOf<'getReferralDetails'>['items'][number];

export const bonusesQuery = () =>
	queryOptions({
		queryKey: ['player', 'funds', 'bonuses'],
		queryFn: ({ signal }) => call('getBonuses', {}, { signal }),
		staleTime: 0,
	});

export const referrerCodeQuery = () =>
	queryOptions({
		queryKey: ['player', 'referrer-code'],
		queryFn: ({ signal }) => call('getReferrerCode', {}, { signal }),
	});

export const referralsQuery = (skipCount: number, maxResultCount: number) =>
	queryOptions({
		queryKey: ['player', 'funds', 'referrals', skipCount],
		queryFn: ({ signal }) => call('getReferralDetails', { skipCount, maxResultCount }, { signal }),
		staleTime: 0,
	});
