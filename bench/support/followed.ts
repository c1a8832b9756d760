/** Whether a standby follows a database's exchange. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '#server/platform/postgres/connect.ts';

const LOOK_EVERY_MS = 20;
/** The largest lag of a standby that keeps up. */
const BATCHES_BEHIND = 50;

/** Resolves when one follows closely. */
export async function followed(databaseUrl: string): Promise<void> {
	const db = connect(databaseUrl, { max: 1 });
	try {
		for (;;) {
			const { rowCount } = await db.query(
				`select from follower join lease using (epoch)
				 where follower.batch >= lease.batch - $1::bigint and follower.seen_at > clock_timestamp() - interval '3 s'`,
				[BATCHES_BEHIND],
			);
			if (rowCount) return;
			await delay(LOOK_EVERY_MS);
		}
	} finally {
		await db.end();
	}
}
