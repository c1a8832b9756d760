/**
 * What the client needs to make a call: its route, and which fields of its request and answer hold amounts and prices. The
 * build derives these tables (vite.config.ts), so that no schema is loaded for them. They come after the first screen,
 * whose own calls stand in first-calls.ts.
 */

import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { fieldsOfCalls } from '#web/api/unit-tables.ts';

/** Defaults are left out: POST, a login, the indicator, the server's own host, and the query of a GET or the body. */
export type CallRoute = Pick<Call, 'path'> & Partial<Pick<Call, 'method' | 'auth' | 'quiet' | 'host' | 'from'>>;

function routeOf({ path, method, auth, quiet, host, from }: Call): CallRoute {
	const isGet = method === 'GET';
	return {
		path,
		...(isGet ? { method } : {}),
		...(auth === 'player' ? {} : { auth }),
		...(quiet ? { quiet } : {}),
		...(host === 'server' ? {} : { host }),
		...((from === 'query') === isGet ? {} : { from }),
	};
}

export const CALL_ROUTES = Object.fromEntries(
	Object.entries<Call>(CALLS).map(([name, call]) => [name, routeOf(call)]),
) as Readonly<Record<CallName, CallRoute>>;

export const REQUEST_FIELDS = fieldsOfCalls('request');
export const ANSWER_FIELDS = fieldsOfCalls('response');
