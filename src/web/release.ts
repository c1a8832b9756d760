/** The release of the program that the page is of; the build puts its own in the place of this file: vite.config.ts. */
export const RELEASE = { version: 'of development', build: 'none' };
