/**
 * What bonuses cost the house, by the books: what came to players' cash out of the accounts of bonuses, less what went back
 * from their cash into them, each at its own time. So bonuses that are locked cost nothing yet, and rewards of referrals,
 * bonuses that operators give, and what is taken back count as the campaigns' own do.
 */
import type { AccountKind } from '#engine/effect.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { AnyMinor } from '#values/money.ts';

const ACCOUNTS = ['bonus', 'bonus_cost', 'referral_cost'] as const satisfies readonly AccountKind[];
const OF_BONUSES = `(${ACCOUNTS.map((account) => `'${account}'`).join(', ')})`;

/** SQL: whether a row of `posting` changes the cost; it is the predicate of the index `posting_of_bonuses`. */
export const IS_BONUS_COST = `(debit in ${OF_BONUSES} and credit = 'cash' or credit in ${OF_BONUSES} and debit = 'cash')`;

/** SQL: what a row of `posting` for which that is true adds to the cost; minor units, below zero for what was taken back. */
export const BONUS_COST = `case credit when 'cash' then amount else -amount end`;

export interface BonusCost {
	brand: string;
	pool: string;
	minor: AnyMinor;
}

/** By brand and pool, from $1 to before $2 of the brands $3; demo players are left out. */
export const BONUS_COSTS = `
	select brand, player.pool, sum(${BONUS_COST})::bigint as minor
	from posting join player on player_id = wallet_id
	where ${IS_BONUS_COST} and at >= $1 and at < $2 and brand = any ($3) and not is_demo group by 1, 2`;

export async function bonusCosts(
	reads: Pick<HeavyReads, 'query'>,
	{ fromMs, toMs }: { fromMs: number; toMs: number },
	hosts: readonly string[],
): Promise<BonusCost[]> {
	const { rows } = await reads.query<BonusCost>(BONUS_COSTS, [fromMs, toMs, hosts]);
	return rows;
}
