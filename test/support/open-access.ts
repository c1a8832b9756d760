/** Accesses to outcomes that no journal has: for tests that read chains and seeds themselves. */
import type { HashAccess, PairAccess } from '../../src/server/money/casino/outcome-access.ts';

export const OPEN_ACCESS: HashAccess & PairAccess = { hashes: async () => {}, pair: async () => {} };
