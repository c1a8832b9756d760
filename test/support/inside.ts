/** What calls answer and the hub says, in the site's own units. */
import type { ResultOf } from '#contract/call.ts';
import type { HubCode, HubMessages } from '#contract/hub-messages.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import { ANSWER_FIELDS } from '#web/api/all-calls.ts';
import { type AnswerOf, fromWire, type Inside } from '#web/api/units.ts';
import { HUB_FIELDS } from '#web/live/hub-fields.ts';

/** @param result is changed in place */
export const inside = <Name extends CallName>(name: Name, result: ResultOf<Calls[Name]>): AnswerOf<Name> =>
	fromWire(result, ANSWER_FIELDS[name]);

/** @param message is changed in place */
export const messageInside = <Code extends HubCode>(
	code: Code,
	message: HubMessages[Code],
): Inside<HubMessages[Code]> => fromWire(message, HUB_FIELDS[code]);
