/** The audit of detached months: their record from the time of detaching, and that none of their rows is left. */

import { type DetachedMonth, detachedMonths, sealOf } from '../src/server/exchange/ledger/detached-months.ts';
import { attachedMonths } from '../src/server/platform/postgres/months.ts';
import type { Check } from './audit-check.ts';

export const monthsAreDetachedWhole: Check = {
	name: 'every detached month is as it was written down, and none of its bets is in the tables',
	run: async (client, { keys }) => {
		const months = await detachedMonths(client);
		const rows = months.length + (await attachedMonths(client, 'bet')).length;
		const wrong = ({ month }: DetachedMonth, is: string) => ({ rows, wrong: { month, is } });
		for (const detached of months) {
			const key = keys.get(detached.keyId);
			if (key === undefined) return wrong(detached, 'sealed with a key that was not given');
			if (!(await sealOf(client, key, detached)).equals(detached.seal)) return wrong(detached, 'edited');
			const { rows: bets } = await client.query<{ betId: number }>(
				'select bet_id as "betId" from bet where bet_id <= $1 order by bet_id limit 1',
				[detached.lastBetId],
			);
			if (bets[0]) return wrong(detached, `detached, and bet ${bets[0].betId} is in the tables`);
		}
		return { rows, wrong: null };
	},
};
