/**
 * Shows the stored answers of the last visit until the answers of this visit arrive: sport tree, open bets, profit and
 * loss. Loaded after the first screen, with the schemas of these calls; stored values that do not match them are ignored.
 */

import type { QueryKey } from '@tanstack/react-query';
import * as v from 'valibot';
import { getUserExpectedProfitLoss, getUserOpenBets } from '#contract/calls/bet.ts';
import { treeSportWithEvent } from '#contract/calls/event.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import { readStoredJson, type StorageKey } from '#web/api/storage.ts';
import { fromWire } from '#web/api/units.ts';
import { openBetsQuery, profitLossQuery, sportTreeQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';

/** By name, and not from the registry of all calls: to set up the schemas of the whole contract takes a phone a tenth of a second. */
const STORED = { treeSportWithEvent, getUserOpenBets, getUserExpectedProfitLoss };

/** Stale at once; an answer that is already there is kept. */
function show(queryKey: QueryKey, name: keyof typeof STORED, key: StorageKey): void {
	const fits = (value: unknown): value is object => v.is(STORED[name].response, value);
	const answer = readStoredJson(key, fits);
	if (answer !== null && queryClient.getQueryData(queryKey) === undefined)
		queryClient.setQueryData(queryKey, fromWire(answer, FIRST_ANSWER_FIELDS[name]), { updatedAt: 0 });
}

export function showStoredAnswers(): void {
	show(sportTreeQuery().queryKey, 'treeSportWithEvent', 'TreeSportWithEvent');
	show(openBetsQuery().queryKey, 'getUserOpenBets', 'OpenBets');
	show(profitLossQuery().queryKey, 'getUserExpectedProfitLoss', 'ProfitLoss');
}
