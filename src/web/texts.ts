/**
 * The texts of the first screen, in the language of the page. They are in `texts/en` and in a folder of each other
 * language.
 */

import type { FirstTexts } from '#web/texts/held.ts';

/** Filled by `begin.ts`; under `vite` and in tests they are English. */
export const { TEXTS } = import.meta.env.PROD
	? (globalThis.siteTexts as FirstTexts)
	: await import('#web/texts/en/first.ts');
