/**
 * The key that seals the ledger. It is kept outside the database, so that write access to the database is not enough
 * to forge a seal.
 */
import { createHmac } from 'node:crypto';

/** The configured key, or else the one derived from the server's secret. */
export const ledgerKeyOf = (tokenKey: string, ledgerKey: string | undefined): string =>
	ledgerKey ?? createHmac('sha256', tokenKey).update('ledger').digest('base64url');

/** Identifies a key without revealing it. */
export const keyIdOf = (key: string): string => createHmac('sha256', key).update('id').digest('hex').slice(0, 12);
