/** The key the ledger is sealed with: outside the database, so that nobody who can write there can seal what he wrote. */
import { createHmac } from 'node:crypto';

/** The ledger's own key, or the one that follows from the server's secret when it has none. */
export const ledgerKeyOf = (tokenKey: string, ledgerKey: string | undefined): string =>
	ledgerKey ?? createHmac('sha256', tokenKey).update('ledger').digest('base64url');

/** Names a key without telling it. */
export const keyIdOf = (key: string): string => createHmac('sha256', key).update('id').digest('hex').slice(0, 12);
