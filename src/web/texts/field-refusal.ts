import { FIELD_REFUSALS } from '#web/texts/more.ts';

const REFUSALS: Readonly<Record<string, string>> = FIELD_REFUSALS ?? {};

/** What is wrong with a field, in the language of the page. */
export const fieldRefusal = (message: string | undefined): string | undefined =>
	message === undefined ? undefined : (REFUSALS[message] ?? message);
