/** The player's triggers. The hub says when one changes; the list is small, so it is asked for again. */
import { queryOptions } from '@tanstack/react-query';
import type { HubMessages } from '#contract/hub-messages.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf, Inside } from '#web/api/units.ts';
import { showNotice } from '#web/store/notices.ts';
import { queryClient } from '#web/store/query-client.ts';
import { TEXTS } from '#web/texts.ts';

export type Trigger = AnswerOf<'getTriggers'>['triggers'][number];

export const triggersQuery = () =>
	queryOptions({
		queryKey: ['player', 'triggers'],
		queryFn: ({ signal }) => call('getTriggers', {}, { signal }),
	});

export function refreshTriggers(): void {
	void queryClient.invalidateQueries({ queryKey: triggersQuery().queryKey });
}

export function receiveTriggerUpdate({ status, runnerName }: Inside<HubMessages['TriggerUpdate']>): void {
	refreshTriggers();
	if (status === 'PLACED') showNotice(TEXTS.bets.triggered(runnerName));
	if (status === 'REFUSED') showNotice(TEXTS.bets.triggerRefused(runnerName), 'error');
}
