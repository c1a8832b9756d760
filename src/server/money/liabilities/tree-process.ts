/**
 * Makes the due sum trees in a process of its own, so that the engine never waits for a hash. It says what it made, a
 * message for each tree, and ends; it ends with the server that started it, too.
 */
import { constants, setPriority } from 'node:os';
import { makeTrees } from '#server/money/liabilities/make-trees.ts';
import type { TreeRequest } from '#server/money/liabilities/trees.ts';
import { connect } from '#server/platform/postgres/connect.ts';

// Bets have priority when cores are scarce; threads started from here on have the same priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

async function make({ databaseUrl, ...asked }: TreeRequest): Promise<void> {
	const db = connect(databaseUrl, { max: 2 });
	try {
		for await (const made of makeTrees(db, asked)) process.send?.({ made });
	} catch (error) {
		process.send?.({ failure: (error as Error).message });
	} finally {
		await db.end();
		process.disconnect();
	}
}

process.on('message', (request: TreeRequest) => void make(request));
process.on('disconnect', () => process.exit());
