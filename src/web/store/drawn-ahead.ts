/** A screen that was drawn ahead stands in its place; until it is painted, the router waits. */
export const drawnAhead: { painted?: Promise<void> | undefined } = {};
