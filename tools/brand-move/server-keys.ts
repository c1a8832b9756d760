/** The keys of a server, by which a folder is signed and what is in it can be read and proved. */
import { DataKeys } from '../../src/server/platform/keys/data-keys.ts';
import { madeTokenKey } from '../../src/server/platform/keys/kept-token-key.ts';
import { keyIdOf, ledgerKeyOf } from '../../src/server/platform/keys/ledger-key.ts';
import type { SealKeys } from '../audit-check.ts';
import { auditKeys } from '../audit-keys.ts';

export interface ServerKeys {
	/** Names TOKEN_KEY without revealing it: tokens, codes and seeds of players follow from it. */
	tokenKeyId: string;
	/** Seals now. */
	ledgerKey: string;
	/** All that prove the ledger. */
	seals: SealKeys;
	data: DataKeys;
}

/**
 * From the environment as a server has it, or from a data folder.
 * @param dataDir null if none is named
 * @throws Error with the places that were searched for a key
 */
export function serverKeys(env: NodeJS.ProcessEnv, dataDir: string | null): ServerKeys {
	const tokenKey = env['TOKEN_KEY'] || (dataDir === null ? null : madeTokenKey(dataDir));
	if (tokenKey === null) throw new Error('Set the TOKEN_KEY of the server.');
	const dataKeys = (env['DATA_KEYS'] ?? '').split(',').filter((key) => key !== '');
	return {
		tokenKeyId: keyIdOf(tokenKey),
		ledgerKey: ledgerKeyOf(tokenKey, env['LEDGER_KEY'] || undefined),
		seals: auditKeys({ ...env, TOKEN_KEY: tokenKey }, null),
		data: new DataKeys(dataKeys.length > 0 ? dataKeys : [tokenKey]),
	};
}
