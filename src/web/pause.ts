/**
 * Ends the running task and resolves after that time; without a time in the next task, so that the page can paint and
 * handle a press first.
 */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
