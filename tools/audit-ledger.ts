/** Runs the checks of a ledger, for the command and for tests. */
import type pg from 'pg';
import type { Check, Finding, SealKeys } from './audit-check.ts';

export interface Asked extends Finding {
	check: string;
}

/** Runs the checks in order on one snapshot over one connection, up to the first one that finds an error. */
export async function* auditLedger(db: pg.Pool, checks: readonly Check[], keys: SealKeys): AsyncGenerator<Asked> {
	const client = await db.connect();
	try {
		await client.query('begin transaction isolation level repeatable read read only');
		for (const { name, run } of checks) {
			const finding = await run(client, keys);
			yield { check: name, ...finding };
			if (finding.wrong) return;
		}
	} finally {
		await client.query('rollback').then(
			() => client.release(),
			(error: Error) => client.release(error),
		);
	}
}
