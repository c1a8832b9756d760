/** Accounts that may be one person's, or act as one. The rule is SQL, because each use asks it of other tables. */
import { DAY_MS } from '#server/funds/calendar.ts';

/** More accounts at one address are those of an office, a hostel or a mobile network, and say nothing. */
const MOST_AT_ADDRESS = 5;

/** Addresses that many networks use at once: private, shared by carriers, of the machine itself, of a single link. */
const NOT_PUBLIC = [
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.168.0.0/16',
	'::1/128',
	'fc00::/7',
	'fe80::/10',
];

/** SQL: whether an address is public. A server that listens on both protocols writes IPv4 addresses as `::ffff:…`. */
const isPublic = (address: string): string => {
	const plain = `replace(${address}, '::ffff:', '')`;
	return `case when pg_input_is_valid(${plain}, 'inet') then not ${plain}::inet <<= any ('{${NOT_PUBLIC.join(',')}}'::inet[]) else false end`;
};

/** SQL: players whose row in the table has the same fingerprint. */
const sameFingerprint = (table: string) => (players: string) =>
	`select own.player_id, other.player_id as other_id from ${players} as asked join ${table} as own using (player_id)
	 join ${table} as other on other.fingerprint = own.fingerprint`;

/** Each link, as SQL that returns the accounts `other_id` that it gives to the accounts `player_id` of a relation. */
const LINKS = {
	'same mobile': (players) =>
		`select own.player_id, other.player_id as other_id from ${players} as asked join player as own using (player_id)
		 join player as other on other.mobile = own.mobile`,
	'same document': sameFingerprint('player_identity'),
	'same browser': (players) =>
		`select player_id, other_id from ${players} as asked join shared_device using (player_id)`,
	'same payout details': sameFingerprint('payout_details'),
	invited: (players) =>
		`select player_id, (data ->> 'refereeId')::bigint as other_id from ${players} as asked
		 join workflow on kind = 'REFERRAL' and wallet_id = player_id`,
	'invited by': (players) =>
		`select player_id, wallet_id as other_id from ${players} as asked
		 join workflow_claim on name = 'referral:' || player_id join workflow using (kind, id)`,
	'same address': (players) =>
		`select own.player_id, other.player_id as other_id from ${players} as asked join login_attempt as own using (player_id)
		 join login_attempt as other on other.address = own.address and other.succeeded
		   and other.at between own.at - ${DAY_MS} and own.at + ${DAY_MS}
		 where own.succeeded and ${isPublic('own.address')} and ${MOST_AT_ADDRESS} >= (
		   select count(*) from (select distinct there.player_id from login_attempt as there
		     where there.address = own.address and there.succeeded limit ${MOST_AT_ADDRESS + 1}) as account)`,
} satisfies Record<string, (players: string) => string>;

/** Why two accounts are linked, in the words that operators read. */
export type LinkReason = keyof typeof LINKS;

/** What shows that accounts are one person's, the strongest sign first. */
export const SAME_PERSON = [
	'same mobile',
	'same document',
	'same browser',
	'same payout details',
] as const satisfies readonly LinkReason[];

/** What makes accounts one interest. */
const ONE_INTEREST = [...SAME_PERSON, 'invited', 'invited by'] as const satisfies readonly LinkReason[];

/** Operators see a shared address, too. By itself it takes nothing from a player: families and neighbours share one. */
export const ALL_LINKS = Object.keys(LINKS) as LinkReason[];

/**
 * SQL: the accounts that are linked with those of a relation, as `player_id, other_id, why`, each once. No account is
 * linked with itself.
 * @param players a relation with the column `player_id`, as it stands in a from clause
 */
export const linksOf = (players: string, reasons: readonly LinkReason[]): string =>
	`select distinct player_id, other_id, why from (${reasons
		.map((why) => `select player_id, other_id, '${why}' as why from (${LINKS[why](players)}) as found`)
		.join(' union all ')}) as link where other_id <> player_id`;

const player = (parameter: string): string => `(select ${parameter}::bigint as player_id)`;

/** SQL: the links of the player `$1`. */
export const linksOfPlayer = (reasons: readonly LinkReason[]): string => linksOf(player('$1'), reasons);

/** SQL: the other accounts of the person of the player `$1`. */
export const SAME_PERSON_AS_PLAYER = `select other_id from (${linksOfPlayer(SAME_PERSON)}) as same`;

/** SQL: the other accounts that have one interest with the player `$1`: what they bet against each other is no risk. */
export const ONE_INTEREST_WITH_PLAYER = `select other_id from (${linksOfPlayer(ONE_INTEREST)}) as link`;

/**
 * SQL: what connects the referee `$2` with the referrer `$1`, or with a player who referred the referrer, directly or
 * through others; those nearest first. A referee who stands above the referrer closes a circle, too.
 */
export const SELF_REFERRAL = `
	with recursive above (player_id, depth) as (
	  select $1::bigint, 0
	  union
	  select referral.wallet_id, above.depth + 1 from above
	    join workflow_claim as claim on claim.name = 'referral:' || above.player_id
	    join workflow as referral using (kind, id)
	  where above.depth < 20
	), shared (player_id, why) as (
	  select other_id, why from (${linksOf(player('$2'), SAME_PERSON)}) as link
	  union all select $2::bigint, '${SAME_PERSON[0]}'
	)
	select depth, why from above join shared using (player_id)
	order by depth, array_position('{${SAME_PERSON.join(',')}}', why) limit 1`;
