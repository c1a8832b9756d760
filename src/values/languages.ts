/** The languages that the site has texts in (`src/web/texts`). A brand says which of them it offers. */
export const LANGUAGES = ['en', 'hi', 'bn'] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (text: unknown): text is Language => (LANGUAGES as readonly unknown[]).includes(text);

/** Written by the page, read by the server, so that the next page is sent in the chosen language. */
export const LANGUAGE_COOKIE = 'language';
