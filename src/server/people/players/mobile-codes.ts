/** One-time codes that prove a mobile: six random digits, stored only as a seal, for ten minutes and five attempts. */
import { createHmac, randomInt } from 'node:crypto';
import type { Brand } from '#server/world/brands/brands.ts';

export const CODE_MS = 10 * 60_000;
export const CODE_TRIES = 5;

export const newCode = (): string => String(randomInt(100_000, 1_000_000));

/**
 * Without the server's key, a table of the seals of all six-digit codes would be easy to compute.
 * @param about the purpose of the code: it is valid for nothing else
 */
export const sealOfCode = (tokenKey: string, about: string, code: string): string =>
	createHmac('sha256', tokenKey).update(`code.${about}.${code}`).digest('base64url');

export const textOfCode = (code: string, { setting }: Pick<Brand, 'setting'>): string =>
	`${code} is your code for ${setting.domainTitle}. It is good for ${CODE_MS / 60_000} minutes. Tell it to nobody.`;
