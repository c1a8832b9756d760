import type { ActivityPage } from '#web/api/answers.ts';
import { ACTIVITY_TEXTS, CASHIER_TEXTS } from '#web/texts/more.ts';

/** Outcomes by kind; deposits, withdrawals and claims have the words of the list of requests. */
const OUTCOMES: Readonly<Record<string, Readonly<Record<string, string>>>> = ACTIVITY_TEXTS.outcomes;
const STATES: Readonly<Record<string, string>> = CASHIER_TEXTS.requests.states;

/** What happened, in words: "Log-in: failed". What has no words yet is called by its kind alone. */
export function activityWords({ kind, what }: Pick<ActivityPage['items'][number], 'kind' | 'what'>): string {
	const said = OUTCOMES[kind]?.[what] ?? STATES[what];
	return said === undefined ? ACTIVITY_TEXTS.kinds[kind] : ACTIVITY_TEXTS.row(ACTIVITY_TEXTS.kinds[kind], said);
}
