/**
 * Accounts that may belong to one person, or act as one. The rule is SQL, because each use joins it with other tables.
 */
import { sharing } from '#server/people/persons/facts.ts';
import type { FactKind } from '#server/people/persons/person-graph.ts';
import { DAY_MS } from '#values/time.ts';

/** More accounts than this at one address indicate an office, a hostel or a mobile network, and no link. */
const MOST_AT_ADDRESS = 5;

/** Addresses that many networks use: private, shared by carriers, of the machine itself, link-local. */
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

const bothProven = (own: string, other: string): string => `${own} and ${other}`;
const ownIsHint = (own: string): string => `not ${own}`;
const otherIsHint = (own: string, other: string): string => `${own} and not ${other}`;

/**
 * Each link, as SQL that returns the accounts `other_id` linked with the accounts `player_id` of a relation. The
 * strongest evidence comes first.
 */
const LINKS = {
	'same document': sharing('document', bothProven),
	'same mobile': sharing('mobile', bothProven),
	'same payout account': sharing('payout', bothProven),
	'same browser': (players) =>
		`select player_id, other_id from ${players} as asked join shared_device using (player_id)`,
	'same mobile, not proven': sharing('mobile', ownIsHint),
	'same payout details': sharing('payout', ownIsHint),
	'mobile that the other says': sharing('mobile', otherIsHint),
	'payout details that the other saved': sharing('payout', otherIsHint),
	invited: (players) =>
		`select own.player_id, other.player_id as other_id from ${players} as asked join player as own using (player_id)
		 join player as other on other.invited_by = own.player_id
		   and other.invitation_root = coalesce(own.invitation_root, own.player_id)`,
	'invited by': (players) =>
		`select player_id, invited_by as other_id from ${players} as asked join player using (player_id)
		 where invited_by is not null`,
	'same invitation tree': (players) =>
		`select own.player_id, other.player_id as other_id from ${players} as asked join player as own using (player_id)
		 join player as other on other.invitation_root = coalesce(own.invitation_root, own.player_id)
		   or other.player_id = own.invitation_root
		 where other.invited_by is distinct from own.player_id and own.invited_by is distinct from other.player_id`,
	'same address': (players) =>
		`select own.player_id, other.player_id as other_id from ${players} as asked join login_attempt as own using (player_id)
		 join login_attempt as other on other.address = own.address and other.succeeded
		   and other.at between own.at - ${DAY_MS} and own.at + ${DAY_MS}
		 where own.succeeded and ${isPublic('own.address')} and ${MOST_AT_ADDRESS} >= (
		   select count(*) from (select distinct there.player_id from login_attempt as there
		     where there.address = own.address and there.succeeded limit ${MOST_AT_ADDRESS + 1}) as account)`,
} satisfies Record<string, (players: string) => string>;

/** Why two accounts are linked, as shown to operators. */
export type LinkReason = keyof typeof LINKS;

/** Observed by the server itself, so no player can fake it for another account. The strongest sign first. */
const OBSERVED = [
	'same document',
	'same mobile',
	'same payout account',
	'same browser',
] as const satisfies readonly LinkReason[];

/**
 * Evidence against an account, the strongest sign first. A hint counts against the account that gives it, and never
 * against an account with proof of the same: otherwise a stranger could incriminate others.
 */
const SAME_PERSON = [
	...OBSERVED,
	'same mobile, not proven',
	'same payout details',
] as const satisfies readonly LinkReason[];

/** Connections between two accounts, stated by either of them. */
const SAME_PERSON_EITHER = [
	...SAME_PERSON,
	'mobile that the other says',
	'payout details that the other saved',
] as const satisfies readonly LinkReason[];

/** The fact behind a link, if there is one. */
export const FACT_OF: Partial<Readonly<Record<LinkReason, FactKind>>> = {
	'same document': 'document',
	'same mobile': 'mobile',
	'same payout account': 'payout',
	'same mobile, not proven': 'mobile',
	'same payout details': 'payout',
	'mobile that the other says': 'mobile',
	'payout details that the other saved': 'payout',
};

/** Operators see a shared address, too. Alone it has no effect on a player: families and neighbours share one. */
export const ALL_LINKS = Object.keys(LINKS) as LinkReason[];

/** A tree may have as many accounts as the site: queries about pairs compare their trees instead. */
export const LINKS_OF_PAIRS = ALL_LINKS.filter((why) => why !== 'same invitation tree');

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

/** SQL: the other accounts that count as those of the person of the player `$1`. */
export const SAME_PERSON_AS_PLAYER = `select other_id from (${linksOfPlayer(SAME_PERSON)}) as same`;

/** SQL: the first account of the invitation tree of a row of `player`; an account without invitations is its own. */
const rootOf = (row: string): string => `coalesce(${row}.invitation_root, ${row}.player_id)`;

/** SQL: the accounts of a relation, and the other accounts of their persons by the server's own observation. */
const withPersons = (players: string): string =>
	`select player_id, player_id as other_id from ${players} as own
	 union select player_id, other_id from (${linksOf(players, OBSERVED)}) as same`;

/**
 * SQL: the invitation trees of the accounts of a relation and of the other accounts of their persons, as `player_id,
 * root`.
 */
export const treesOf = (players: string): string =>
	`select member.player_id, ${rootOf('account')} as root from (${withPersons(players)}) as member
	 join player as account on account.player_id = member.other_id`;

/**
 * SQL: the accounts whose matches with the player `$1` move no money between two interests: those of the person, all
 * accounts of the same invitation tree at any distance, and the other accounts of these.
 */
const ONE_INTEREST = `
	with tree as materialized (select distinct root from (${treesOf(player('$1'))}) as own),
	member as materialized (
	  select player_id from player where invitation_root in (select root from tree) union select root from tree
	)
	select other_id from (${withPersons('member')}) as related
	union select other_id from (${linksOfPlayer(SAME_PERSON)}) as linked`;

/** SQL: the accounts `other_id` of one interest with the player `$1`, possibly including the player. */
export const ONE_INTEREST_WITH_PLAYER = `select other_id from (${ONE_INTEREST}) as link`;

/**
 * SQL: whether no account is of one interest with the player `$1`, as `"isAlone"`: the player is in no invitation tree
 * and has no links. This holds for most players, and costs a fraction of the query for all accounts of one interest.
 */
export const STANDS_ALONE = `select not exists (${linksOfPlayer(SAME_PERSON)}) and not exists (
	  select 1 from player where player_id = $1 and invited_by is not null or invitation_root = $1
	) as "isAlone"`;

/**
 * SQL: the connections of the referee `$2` with the referrer `$1`, or with a player who invited the referrer, directly
 * or through others; nearest first. A referee above the referrer closes a circle, too.
 */
export const SELF_REFERRAL = `
	with recursive above (player_id, depth) as (
	  select $1::bigint, 0
	  union
	  select invited_by, above.depth + 1 from above join player using (player_id) where invited_by < player.player_id
	), shared (player_id, why) as (
	  select other_id, why from (${linksOf(player('$2'), SAME_PERSON_EITHER)}) as link
	  union all select $2::bigint, '${SAME_PERSON[0]}'
	)
	select depth, why from above join shared using (player_id)
	order by depth, array_position('{${SAME_PERSON_EITHER.map((why) => `"${why}"`).join(',')}}', why) limit 1`;
export type SelfReason = (typeof SAME_PERSON_EITHER)[number];
