/**
 * How long the code of a registration may be requested and entered. During this time the same name and mobile cannot be
 * registered with another password, so an arriving code belongs to the registration whose owner expects it.
 */
export const REGISTRATION_MS = 30 * 60_000;
