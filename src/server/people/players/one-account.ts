/** The rule of brands on which a mobile has one account: at the sign-up, and when an account proves the mobile later. */
import type pg from 'pg';
import { isOwn, isRefuted } from '#server/people/persons/facts.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/**
 * Before an account gets the mobile, in the transaction that gives it. An account that merely states it does not stand
 * before one that proves it. Those who want one mobile take turns from here to the end of the transaction, because each
 * has a row of one of the two tables and locks all rows of the mobile in both, so two cannot both find none.
 * @param playerId of the account that proves it; null at a sign-up
 * @throws Refused MOBILE_TAKEN
 */
export async function admitMobile(
	client: pg.PoolClient,
	{ mobile, isProven, playerId }: { mobile: string; isProven: boolean; playerId: PlayerId | null },
	{ host, setting }: Pick<Brand, 'host' | 'setting'>,
): Promise<void> {
	if (!setting.oneAccountPerMobile) return;
	const registering = 'select 1 from registration where brand = $1 and mobile = $2 order by registration_id for update';
	await client.query(registering, [host, mobile]);
	await client.query('select 1 from mobile_proof where mobile = $1 order by player_id for update', [mobile]);
	const { rowCount } = await client.query(
		`select 1 from player where brand = $1 and mobile = $2 and player_id is distinct from $4
		   and case when $3 then ${isOwn('mobile', 'player')}
		     else not ${isRefuted('mobile', 'player.mobile', ['player.player_id'])} end limit 1`,
		[host, mobile, isProven, playerId],
	);
	if (rowCount !== 0) throw new Refused('MOBILE_TAKEN');
}
