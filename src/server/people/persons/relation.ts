/**
 * How two accounts are related: the shortest chain of accounts between them in which each is linked with the next one, by
 * facts, hints, browsers, addresses or invitations. It only tells; what a relation takes from a player is decided by
 * persons and interests (`persons.ts`, `linked-accounts.ts`).
 */

import { factsOf } from '#server/people/persons/facts.ts';
import {
	ALL_LINKS,
	FACT_OF,
	LINKS_OF_PAIRS,
	type LinkReason,
	linksOf,
} from '#server/people/persons/linked-accounts.ts';
import type { Fact } from '#server/people/persons/person-graph.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { PlayerId } from '#values/ids.ts';

type Db = Pick<HeavyReads, 'query'>;

/** Accounts that a search looks at, those of both ends together. */
const MOST_ACCOUNTS = 20_000;

interface Reason {
	why: LinkReason;
	/** Since when both accounts have the fact; null for what is no fact. */
	sinceMs: number | null;
}

/** The next account of a chain, and what links it with the account before, the strongest reason first. */
interface Hop {
	playerId: PlayerId;
	reasons: Reason[];
}

interface Relation {
	/** From the first account to the second; empty for one account, null when no chain was found. */
	path: Hop[] | null;
	/** More accounts are linked with the two than a search looks at, so that there may be a chain all the same. */
	isCut: boolean;
}

interface Link {
	from: PlayerId;
	to: PlayerId;
}

const FROM_ACCOUNTS = '(select unnest($1::bigint[]) as player_id)';

/** Invitations are followed one by one: a chain tells who invited whom, and not only that the tree is the same. */
const NEXT = `select player_id as "from", other_id as "to" from (${linksOf(FROM_ACCOUNTS, LINKS_OF_PAIRS)}) as link
	order by array_position($1::bigint[], player_id), array_position('{${ALL_LINKS.map((why) => `"${why}"`).join(',')}}', why), other_id`;

const BETWEEN = `select player_id as "from", other_id as "to", why from (${linksOf(FROM_ACCOUNTS, LINKS_OF_PAIRS)}) as link
	where other_id = any ($1)`;

/** Accounts reached from one end, each with the one before it. */
class Reached {
	readonly before = new Map<PlayerId, PlayerId | null>();
	/** Those that were reached last. */
	edge: PlayerId[];

	constructor(end: PlayerId) {
		this.before.set(end, null);
		this.edge = [end];
	}

	/** @returns the first account that the other end has reached, too */
	take(links: readonly Link[], other: Reached): PlayerId | null {
		const fresh: PlayerId[] = [];
		for (const { from, to } of links) {
			if (this.before.has(to)) continue;
			this.before.set(to, from);
			if (other.before.has(to)) return to;
			fresh.push(to);
		}
		this.edge = fresh;
		return null;
	}

	/** From an account back to the end. */
	back(from: PlayerId): PlayerId[] {
		const way: PlayerId[] = [];
		for (let at: PlayerId | null = from; at !== null; at = this.before.get(at) ?? null) way.push(at);
		return way;
	}
}

/** Searches from both ends, always on from the one with fewer accounts to go on from. */
async function chainBetween(
	db: Db,
	one: PlayerId,
	other: PlayerId,
): Promise<{ chain: PlayerId[] | null; isCut: boolean }> {
	if (one === other) return { chain: [one], isCut: false };
	const [first, second] = [new Reached(one), new Reached(other)];
	while (first.edge.length > 0 && second.edge.length > 0) {
		if (first.before.size + second.before.size > MOST_ACCOUNTS) return { chain: null, isCut: true };
		const [near, far] = first.edge.length <= second.edge.length ? [first, second] : [second, first];
		const { rows } = await db.query<Link>(NEXT, [near.edge]);
		const met = near.take(rows, far);
		if (met !== null) return { chain: [...first.back(met).reverse(), ...second.back(met).slice(1)], isCut: false };
	}
	return { chain: null, isCut: false };
}

/** Since when both accounts have the fact that a link rests on. */
function sinceOf(facts: readonly (Fact & { atMs: number })[], { from, to }: Link, why: LinkReason): number | null {
	const kind = FACT_OF[why];
	const times = facts
		.filter((fact) => fact.playerId === from && fact.kind === kind && fact.state !== 'REFUTED')
		.flatMap(({ value, atMs }) =>
			facts
				.filter((fact) => fact.playerId === to && fact.kind === kind && fact.value === value)
				.map((fact) => Math.max(atMs, fact.atMs)),
		);
	return times.length === 0 ? null : Math.min(...times);
}

/** How two accounts are related, over any number of accounts between them. */
export async function relationOf(db: Db, one: PlayerId, other: PlayerId): Promise<Relation> {
	const { chain, isCut } = await chainBetween(db, one, other);
	if (chain === null) return { path: null, isCut };
	const [links, facts] = await Promise.all([
		db.query<Link & { why: LinkReason }>(BETWEEN, [chain]),
		db.query<Fact & { atMs: number }>(factsOf(FROM_ACCOUNTS), [chain]),
	]);
	const reasons = (link: Link): Reason[] =>
		links.rows
			.filter(({ from, to }) => from === link.from && to === link.to)
			.map(({ why }) => ({ why, sinceMs: sinceOf(facts.rows, link, why) }))
			.sort((a, b) => ALL_LINKS.indexOf(a.why) - ALL_LINKS.indexOf(b.why));
	const path = chain
		.slice(1)
		.map((playerId, at) => ({ playerId, reasons: reasons({ from: chain[at] as PlayerId, to: playerId }) }));
	return { path, isCut };
}
