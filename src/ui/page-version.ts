/** The version of the program that the build wrote into the page; empty where there is none. */
export const pageVersion = (): string => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? '';
