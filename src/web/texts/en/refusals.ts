import type { ErrorCode } from '#values/error-catalogue.ts';

/** By code, why the server refused. Null in English: the server's own sentences are, and may say more than the catalogue. */
export const REFUSALS: Record<ErrorCode, string> | null = null;
