/** The languages that the site has texts in (`src/web/texts`). A brand says which of them it offers. */
export const LANGUAGES = ['en', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own language, for players who read no other. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', hi: 'हिन्दी' };

export const isLanguage = (text: unknown): text is Language => (LANGUAGES as readonly unknown[]).includes(text);

/** Written by the page, read by the server, so that the next page is sent in the chosen language. */
export const LANGUAGE_COOKIE = 'language';
