/** The looks of the site; a brand has one by default, and a player may choose the other. */
export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];
