/** The jurisdictions that a brand can be run under; src/conformity/profiles says what each decides. */
export const PROFILE_NAMES = ['play', 'uk', 'ontario', 'malta', 'brazil', 'italy', 'india'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];
