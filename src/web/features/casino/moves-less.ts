/** Whether the player's device asks for less motion. */
export const movesLess = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
