/**
 * How long the code of a registration may be requested and given. During this time the same name and mobile cannot be
 * registered with another password, so a code that arrives is for the registration whose owner waits for it.
 */
export const REGISTRATION_MS = 30 * 60_000;
