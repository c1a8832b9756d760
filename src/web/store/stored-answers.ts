/**
 * Shows the stored answers of the last visit until the answers of this visit arrive: sport tree, open bets, profit and
 * loss. Loaded after the first screen, with the contract's schemas; stored values that do not match them are ignored.
 */

import type { QueryKey } from '@tanstack/react-query';
import * as v from 'valibot';
import { CALLS, type CallName } from '#contract/registry.ts';
import { ANSWER_FIELDS } from '#web/api/all-calls.ts';
import { readStoredJson, type StorageKey } from '#web/api/storage.ts';
import { fromWire } from '#web/api/units.ts';
import { openBetsQuery, profitLossQuery, sportTreeQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';

/** Stale at once; an answer that is already there is kept. */
function show(queryKey: QueryKey, name: CallName, key: StorageKey): void {
	const fits = (value: unknown): value is object => v.is(CALLS[name].response, value);
	const answer = readStoredJson(key, fits);
	if (answer !== null && queryClient.getQueryData(queryKey) === undefined)
		queryClient.setQueryData(queryKey, fromWire(answer, ANSWER_FIELDS[name]), { updatedAt: 0 });
}

export function showStoredAnswers(): void {
	show(sportTreeQuery().queryKey, 'treeSportWithEvent', 'TreeSportWithEvent');
	show(openBetsQuery().queryKey, 'getUserOpenBets', 'OpenBets');
	show(profitLossQuery().queryKey, 'getUserExpectedProfitLoss', 'ProfitLoss');
}
