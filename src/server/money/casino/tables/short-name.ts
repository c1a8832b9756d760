/** "ravi.kumar" becomes "ra•••r": enough for players to find themselves in the list of a table. */
export const shortName = (name: string): string => `${name.slice(0, 2)}•••${name.slice(-1)}`;
