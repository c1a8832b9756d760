/**
 * What keeps a brand where it is, in words. Seals, journal and public log prove the rows of a whole server, so a brand moves
 * with its ledger, and no other brand may have players in it. And a bet, round or payment is decided by one server, so none
 * may be under way.
 */
import type pg from 'pg';

/** Of each kind; the rest is counted. */
const MOST_NAMED = 20;

/** Workflows that a provider or a round goes on with. Bonuses, referrals, disputes and findings move while they are open. */
const SETTLED_BY_ONE_SERVER = `('CASINO', 'DEPOSIT', 'PAYMENT', 'WITHDRAWAL')`;

const OTHER_BRANDS = `select format('%s has %s players in this ledger.', brand, count(*)) as words
	from player where brand <> $1 group by brand order by brand`;

const UNDER_WAY: readonly string[] = [
	`select format('Market %s, %s of %s, has %s bets that are not decided.', market_id,
	   coalesce(listing ->> 'name', '?'), coalesce(title, '?'), count) as words
	 from (select market_id, count(*) as count from (
	   select market_id from bet where ended_at is null
	   union all select market_id from bet_trigger where status in ('WAITING', 'DUE')
	 ) as undecided group by market_id) as counted
	 left join market_listing on market_listing.id = market_id left join fixture on fixture.id = fixture_id
	 order by market_id`,
	`select format('Market %s is being settled.', market_id) as words from market_state where status = 'SETTLING' order by market_id`,
	`select format('%s %s of player %s is %s.', kind, id, wallet_id, state) as words
	 from workflow where is_open and kind in ${SETTLED_BY_ONE_SERVER} order by kind, id`,
];

/** @returns sentences; none where the brand may move */
export async function hindrances(client: pg.ClientBase, host: string): Promise<string[]> {
	const brand = await client.query(`select from brand where host = $1 and host <> 'default'`, [host]);
	if (brand.rowCount === 0) return [`There is no brand ${host}.`];
	const found: string[] = [];
	const ask = async (sql: string, values: readonly string[]): Promise<void> => {
		const { rows } = await client.query<{ words: string }>(sql, [...values]);
		found.push(...rows.slice(0, MOST_NAMED).map(({ words }) => words));
		if (rows.length > MOST_NAMED) found.push(`And ${rows.length - MOST_NAMED} more.`);
	};
	await ask(OTHER_BRANDS, [host]);
	for (const sql of UNDER_WAY) await ask(sql, []);
	return found;
}
