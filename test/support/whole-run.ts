/** `npm run test:all` runs the tests, which do all then that they can. */
export const IS_WHOLE = process.env['TESTS'] === 'all';

/** How long a test awaits what is due at once: a second is nothing where processes share two cores. */
export const PATIENCE_MS = IS_WHOLE ? 60_000 : 20_000;
