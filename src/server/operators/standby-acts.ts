/** The state of the standbys, and the hand-over to one of them. */
import { standbyStatus } from '#server/exchange/standby/standby-status.ts';
import type { ActsOf } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';

export const STANDBY_ACTS: ActsOf<'standby-status' | 'hand-over'> = {
	'standby-status': async (_, { db, handOver }) => {
		const { rows: leases } = await db.query('select epoch, batch, beats as "writesHeartbeats", address from lease');
		return { exchange: leases[0], standbys: await standbyStatus(db), handOver: handOver?.status ?? null };
	},
	'hand-over': async (_, { handOver }) => {
		if (!handOver) throw new Refused('WRONG_STATE');
		return { handsOverTo: await handOver.begin() };
	},
};
