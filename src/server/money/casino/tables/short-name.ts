/** "ravi.kumar" is "ra•••r": enough to find oneself among the players of a table. */
export const shortName = (name: string): string => `${name.slice(0, 2)}•••${name.slice(-1)}`;
