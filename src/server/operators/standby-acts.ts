/** How the standbys follow, and the hand-over to one of them. */
import * as v from 'valibot';
import { standbyStatus } from '#server/exchange/standby/standby-status.ts';
import { type Act, act } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';

export const STANDBY_ACTS: Record<string, Act> = {
	'standby-status': act({
		permission: 'audit.read',
		about: 'platform',
		looks: true,
		isOwn: true,
		input: v.strictObject({}),
		run: async (_, { db, handOver }) => {
			const { rows: leases } = await db.query('select epoch, batch, beats as "writesHeartbeats", address from lease');
			return { exchange: leases[0], standbys: await standbyStatus(db), handOver: handOver?.status ?? null };
		},
	}),
	'hand-over': act({
		permission: 'staff.edit',
		about: 'platform',
		isOwn: true,
		input: v.strictObject({}),
		run: async (_, { handOver }) => {
			if (!handOver) throw new Refused('WRONG_STATE');
			return { handsOverTo: await handOver.begin() };
		},
	}),
};
