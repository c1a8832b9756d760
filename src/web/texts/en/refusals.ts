import type { RuleMessage } from '#contract/player-rules.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';

/** By code, why the server refused. Null in English: the server's own sentences are, and may say more than the catalogue. */
export const REFUSALS: Record<ErrorCode, string> | null = null;

/** What is wrong with a field, by the sentence of its rule. Null in English, whose sentences the specification gives. */
export const FIELD_REFUSALS: Record<RuleMessage, string> | null = null;
