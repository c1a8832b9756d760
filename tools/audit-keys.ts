/** The keys of an audit, from the environment or from a data folder. */

import { madeTokenKey } from '../src/server/platform/keys/kept-token-key.ts';
import { ledgerKeyOf } from '../src/server/platform/keys/ledger-key.ts';
import type { SealKeys } from './audit-check.ts';
import { sealKeys } from './audit-seals.ts';

/**
 * A retired key is given as it was configured: the ledger's own, or the server's secret from which it was derived.
 * @param dataDir null if none is named
 * @throws Error with the places that were searched for a key
 */
export function auditKeys(env: NodeJS.ProcessEnv, dataDir: string | null): SealKeys {
	const given = env['LEDGER_KEY'] || null;
	const tokenKey = env['TOKEN_KEY'] || (given === null && dataDir !== null ? madeTokenKey(dataDir) : null);
	if (given === null && tokenKey === null) throw new Error('Set LEDGER_KEY, or the TOKEN_KEY of the server.');
	const retired = (env['LEDGER_KEYS_RETIRED'] ?? '').split(',').filter((key) => key !== '');
	return sealKeys([
		ledgerKeyOf(tokenKey ?? '', given ?? undefined),
		...retired.flatMap((key) => [key, ledgerKeyOf(key, undefined)]),
	]);
}
