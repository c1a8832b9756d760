/** The player's triggers. The hub says when one changes; the list is small, so it is asked for again. */
import { queryOptions } from '@tanstack/react-query';
import type { HubMessages } from '#contract/hub-messages.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf, Inside } from '#web/api/units.ts';
import { sayOnce } from '#web/store/order-notices.ts';
import { queryClient } from '#web/store/query-client.ts';

export type Trigger = AnswerOf<'getTriggers'>['triggers'][number];

export const triggersQuery = () =>
	queryOptions({
		queryKey: ['player', 'triggers'],
		queryFn: ({ signal }) => call('getTriggers', {}, { signal }),
	});

export function refreshTriggers(): void {
	void queryClient.invalidateQueries({ queryKey: triggersQuery().queryKey });
}

/** The bets of a plan speak for themselves, and so does its end, unless its rule broke off. */
export function receiveTriggerUpdate({
	triggerId,
	status,
	runnerName,
	plan,
}: Inside<HubMessages['TriggerUpdate']>): void {
	refreshTriggers();
	const what = `${status} ${triggerId}`;
	if (status === 'PLACED' && !plan) void sayOnce(what, ({ triggered }) => triggered(runnerName));
	if (status !== 'REFUSED') return;
	void sayOnce(what, (words) => (plan ? words.planRefused : words.triggerRefused)(runnerName), 'error');
}
