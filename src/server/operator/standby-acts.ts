/** How the standbys follow. */
import * as v from 'valibot';
import { type Act, act } from '#server/operator/act.ts';

export const STANDBY_ACTS: Record<string, Act> = {
	'standby-status': act({
		permission: 'audit.read',
		about: 'platform',
		looks: true,
		input: v.strictObject({}),
		run: async (_, { db }) => {
			const { rows: leases } = await db.query('select epoch, batch, beats as "writesHeartbeats" from lease');
			const { rows: standbys } = await db.query(
				`select name, case when epoch is null then 'joins' when difference is not null then 'differs' else 'follows' end as state,
				   follower.batch, (select count(distinct later.batch)::int from batch_command as later
				     where later.batch > follower.batch) as "batchesBehind",
				   round(extract(epoch from clock_timestamp() - seen_at)::numeric, 1)::float8 as "seenSecondsAgo", difference
				 from follower order by name`,
			);
			return { exchange: leases[0], standbys };
		},
	}),
};
