/**
 * The route of each call, without its schemas: the client needs no more to make one. The build derives this list
 * (vite.config.ts), so that the schemas and their library are not loaded before the first screen.
 */

import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';

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
