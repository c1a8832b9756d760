/** The same of the calls that the first screen, a match and a bet wait for, and of the log-out, which is sent before the page
 * can be left. The build works this out, too. */

import type { CallName } from '#contract/registry.ts';
import { ANSWER_FIELDS, CALL_ROUTES, type CallRoute, REQUEST_FIELDS } from '#web/api/all-calls.ts';
import type { UnitFields } from '#web/api/units.ts';

const FIRST = [
	'authenticate',
	'closest',
	'getBySportName',
	'getCasinoGames',
	'getMarketsByEventId',
	'getSetting',
	'getSettingExpiry',
	'getUserExpectedProfitLoss',
	'getUserInfo',
	'getUserOddsV2',
	'getUserOpenBets',
	'logout',
	'placeBetV2',
	'refreshToken',
	'treeSportWithEvent',
] as const satisfies readonly CallName[];

export type FirstCall = (typeof FIRST)[number];

/** Null for one without units. */
type FirstFields = Readonly<Record<FirstCall, UnitFields | null>>;

const ofFirst = <Row>(rowOf: (name: FirstCall) => Row) =>
	Object.fromEntries(FIRST.map((name) => [name, rowOf(name)])) as Readonly<Record<FirstCall, Row>>;

export const FIRST_ROUTES: Readonly<Record<FirstCall, CallRoute>> = ofFirst((name) => CALL_ROUTES[name]);
export const FIRST_REQUEST_FIELDS: FirstFields = ofFirst((name) => REQUEST_FIELDS[name] ?? null);
export const FIRST_ANSWER_FIELDS: FirstFields = ofFirst((name) => ANSWER_FIELDS[name] ?? null);
