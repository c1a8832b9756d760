/** A check of the audit, and its result. */
import type pg from 'pg';
import type { LedgerSealer } from '../src/server/exchange/ledger/ledger-seal.ts';

/** The auditor's keys by their ids: the current one and the retired ones. */
export interface SealKeys {
	sealers: ReadonlyMap<string, LedgerSealer>;
	keys: ReadonlyMap<string, string>;
}

export interface Finding {
	/** The number of rows checked. */
	rows: number;
	wrong: Record<string, unknown> | null;
}

export interface Check {
	name: string;
	/** @param keys that sealed the ledger */
	run(client: pg.PoolClient, keys: SealKeys): Promise<Finding>;
}
