/** Runs the checks of a ledger, for the command and for tests. */
import { connect } from '../src/server/platform/postgres/connect.ts';
import type { Check, Finding, SealKeys } from './audit-check.ts';

export interface Asked extends Finding {
	check: string;
}

/** Runs the checks in order on one snapshot, up to the first one that finds an error. */
export async function* auditLedger(url: string, checks: readonly Check[], keys: SealKeys): AsyncGenerator<Asked> {
	const db = connect(url, { max: 1 });
	try {
		const client = await db.connect();
		try {
			await client.query('begin transaction isolation level repeatable read read only');
			for (const { name, run } of checks) {
				const finding = await run(client, keys);
				yield { check: name, ...finding };
				if (finding.wrong) return;
			}
		} finally {
			client.release(true);
		}
	} finally {
		await db.end();
	}
}
