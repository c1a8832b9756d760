/** How the standbys follow. */
import * as v from 'valibot';
import { standbyStatus } from '#server/exchange/standby-status.ts';
import { type Act, act } from '#server/operator/act.ts';

export const STANDBY_ACTS: Record<string, Act> = {
	'standby-status': act({
		permission: 'audit.read',
		about: 'platform',
		looks: true,
		input: v.strictObject({}),
		run: async (_, { db }) => {
			const { rows: leases } = await db.query('select epoch, batch, beats as "writesHeartbeats" from lease');
			return { exchange: leases[0], standbys: await standbyStatus(db) };
		},
	}),
};
