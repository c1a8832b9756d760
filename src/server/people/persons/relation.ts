/**
 * The relation of two accounts: the shortest chain of accounts between them, each linked with the next by facts, hints,
 * browsers, addresses or invitations. It only informs; persons and interests decide its consequences for a player
 * (`persons.ts`, `linked-accounts.ts`).
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

/** The number of accounts that a search visits, from both ends together. */
const MOST_ACCOUNTS = 20_000;

interface Reason {
	why: LinkReason;
	/** Since when both accounts have the fact; null for other links. */
	sinceMs: number | null;
}

/** The next account of a chain, and its links with the previous account, the strongest reason first. */
interface Hop {
	playerId: PlayerId;
	reasons: Reason[];
}

interface Relation {
	/** From the first account to the second; empty for one account, null if no chain was found. */
	path: Hop[] | null;
	/** The two have more linked accounts than a search visits, so a chain may exist nevertheless. */
	isCut: boolean;
}

interface Link {
	from: PlayerId;
	to: PlayerId;
}

const FROM_ACCOUNTS = '(select unnest($1::bigint[]) as player_id)';

/** Invitations are followed one by one, so a chain shows who invited whom, and not only the common tree. */
const NEXT = `select player_id as "from", other_id as "to" from (${linksOf(FROM_ACCOUNTS, LINKS_OF_PAIRS)}) as link
	order by array_position($1::bigint[], player_id), array_position('{${ALL_LINKS.map((why) => `"${why}"`).join(',')}}', why), other_id`;

const BETWEEN = `select player_id as "from", other_id as "to", why from (${linksOf(FROM_ACCOUNTS, LINKS_OF_PAIRS)}) as link
	where other_id = any ($1)`;

/** Accounts reached from one end, each with its predecessor. */
class Reached {
	readonly before = new Map<PlayerId, PlayerId | null>();
	/** The most recently reached accounts. */
	edge: PlayerId[];

	constructor(end: PlayerId) {
		this.before.set(end, null);
		this.edge = [end];
	}

	/** @returns the first account that the other end has also reached */
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

/** Searches from both ends, always continuing at the end with the smaller frontier. */
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

/** Since when both accounts have the fact of a link. */
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

/** The relation of two accounts, over any number of accounts between them. */
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
