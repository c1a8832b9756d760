/**
 * Where each call goes, without its schemas: all that the client needs to make one. The build works this list out
 * (vite.config.ts), so that the schemas and their library are not loaded before the first screen.
 */

import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';

export type CallRoute = Pick<Call, 'method' | 'path' | 'auth' | 'quiet' | 'host' | 'from'>;

export const CALL_ROUTES = Object.fromEntries(
	Object.entries<Call>(CALLS).map(([name, { method, path, auth, quiet, host, from }]) => [
		name,
		{ method, path, auth, quiet, host, from },
	]),
) as Readonly<Record<CallName, CallRoute>>;
