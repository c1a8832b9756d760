/**
 * The same of all requests, and of the answers that the first screen waits for: the others come in a file of their own.
 * The build works this out too.
 */

import type { CallName } from '#contract/registry.ts';
import { ANSWER_FIELDS, fieldsOfCalls, type Table } from '#web/api/answer-fields.ts';
import type { UnitFields } from '#web/api/units.ts';

const FIRST = [
	'authenticate',
	'closest',
	'getBySportName',
	'getCasinoGames',
	'getSetting',
	'getSettingExpiry',
	'getUserExpectedProfitLoss',
	'getUserInfo',
	'getUserOpenBets',
	'refreshToken',
	'treeSportWithEvent',
] as const satisfies readonly CallName[];

export const REQUEST_FIELDS: Table<CallName> = fieldsOfCalls('request');

/** Null for an answer without units. */
export const FIRST_ANSWER_FIELDS = Object.fromEntries(
	FIRST.map((name) => [name, ANSWER_FIELDS[name] ?? null]),
) as Readonly<Record<(typeof FIRST)[number], UnitFields | null>>;
