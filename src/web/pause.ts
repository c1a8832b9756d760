/**
 * Ends the running task and resolves after so long; without a time in the next task, so that the page can paint and hear
 * a press before what comes next.
 */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
