/** Days of India's calendar, as reports name them. */
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { DAY_MS } from '#values/time.ts';

/** Today with 0, yesterday with 1. */
export const dayBefore = (days: number): string =>
	new Date(Date.now() + INDIA_OFFSET_MS - days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
