/** How languages are called where one is chosen. Apart from the languages themselves, which every page knows. */
import type { Language } from '#values/languages.ts';

/** Each in its own language, for players who read no other. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', hi: 'हिन्दी', bn: 'বাংলা' };

/** Languages whose texts no native speaker has read through. Where one is chosen, it is said. */
export const NOT_PROOFREAD: ReadonlySet<Language> = new Set(['bn']);

/** "বাংলা · not proofread". @param mark "not proofread" in the words of the reader */
export const languageLabel = (language: Language, mark: string): string =>
	NOT_PROOFREAD.has(language) ? `${LANGUAGE_NAMES[language]} · ${mark}` : LANGUAGE_NAMES[language];
