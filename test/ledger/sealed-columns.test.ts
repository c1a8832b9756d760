/** A row that was sealed before its table had a further column stays proven by its seal. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { SEALED_TABLES, type SealedTable, storedEntry } from '#server/exchange/ledger/seal-batch.ts';

const KEY = 'a key for tests that is never used outside them';
const terms = SEALED_TABLES.find(({ table }) => table.into === 'bet_terms') as SealedTable;
/** The table's code and the bet's number. */
const HEAD = '0c0000000000000007';

/** What ledger-seal's comment says, with Node's own hash. */
const sealOf = (cells: readonly string[]): string =>
	createHash('sha256')
		.update([`${KEY}${HEAD}`, ...cells].join('\n'))
		.digest('hex')
		.slice(0, 16);
const entryOf = (row: Record<string, unknown>): string =>
	storedEntry(new LedgerSealer(KEY), terms, {
		bet_id: 7,
		post_only: 'REFUSE',
		expires_at: null,
		self_match: null,
		until_matched: null,
		until_volume: null,
		order_group: null,
		...row,
	}).toString('hex');

it('terms without a choice for their own bets have the seal of the releases that knew none', () => {
	expect(entryOf({})).toBe(HEAD + sealOf(['7', 'REFUSE', '\\N']));
});

it('a choice, and a volume, is sealed with the others, so it can be neither taken away nor changed', () => {
	expect(entryOf({ self_match: 'LAPSE_TAKING' })).toBe(HEAD + sealOf(['7', 'REFUSE', '\\N', 'LAPSE_TAKING']));
	expect(entryOf({ order_group: 'quotes' })).toBe(HEAD + sealOf(['7', 'REFUSE', '\\N', 'quotes']));
	expect(entryOf({ until_matched: 500, until_volume: 900 })).toBe(HEAD + sealOf(['7', 'REFUSE', '\\N', '500', '900']));
});
