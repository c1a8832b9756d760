/**
 * The only owner of the question "is this the same person". Persons with several accounts are in memory, so that a bet
 * can ask without waiting; queries over all accounts use the same facts in SQL (`linked-accounts.ts`).
 */
import type pg from 'pg';
import { factsOf, NEIGHBOURS, SHARING, sharedValues } from '#server/people/persons/facts.ts';
import { type Fact, type FactKind, isJoining, PersonGraph } from '#server/people/persons/person-graph.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

/** An account's own data. */
interface OwnFacts {
	/** Null also for one that an operator refuted. */
	mobile: string | null;
	isMobileProven: boolean;
	/** Whether a fact of a person is proven: then the account belongs to an identified person, who may have others. */
	isKnown: boolean;
}

export class Persons {
	readonly #db: Pick<pg.Pool, 'query'>;
	readonly #journal: Journal;
	readonly #graph = new PersonGraph();
	/** Of accounts in the graph. */
	readonly #pools = new Map<PlayerId, Pool>();
	/** Reads take turns, so that an older result never replaces a newer one. */
	readonly #turns = new Turns<'read'>();

	constructor(db: Pick<pg.Pool, 'query'>, journal: Journal) {
		this.#db = db;
		this.#journal = journal;
	}

	async load(): Promise<void> {
		await this.#read(SHARING, [], []);
	}

	/** Reads the facts of an account again, and those of all accounts connected with it by facts. */
	async meet(playerId: PlayerId): Promise<void> {
		await this.#turns.take('read', () => this.#read(NEIGHBOURS, [playerId], [playerId]));
	}

	async #read(players: string, values: unknown[], asked: readonly PlayerId[]): Promise<void> {
		const { rows } = await this.#db.query<Fact & { pool: Pool }>(
			`with asked as materialized (${players})
			 select fact.*, pool from (${factsOf('asked')}) as fact join player on player.player_id = "playerId"`,
			values,
		);
		for (const { playerId, pool } of rows) this.#pools.set(playerId, pool);
		this.#graph.replace(new Set([...asked, ...rows.map(({ playerId }) => playerId)]), rows);
	}

	/** The person's accounts, oldest first. */
	accounts(playerId: PlayerId): readonly PlayerId[] {
		return this.#graph.personOf(playerId);
	}

	/** The person's accounts in the pool of this one: amounts of different pools are not added up. */
	accountsInPool(playerId: PlayerId): readonly PlayerId[] {
		return this.#inPoolOf(playerId, this.#graph.personOf(playerId));
	}

	/** Accounts of another person whose breaks apply to this one. */
	above(playerId: PlayerId): readonly PlayerId[] {
		return this.#graph.above(playerId);
	}

	/** Those of them whose limits apply, too. */
	aboveInPool(playerId: PlayerId): readonly PlayerId[] {
		return this.#inPoolOf(playerId, this.#graph.above(playerId));
	}

	/** Accounts that the person's breaks apply to, although they are not known to be the person's. */
	below(playerId: PlayerId): PlayerId[] {
		return [...new Set(this.accounts(playerId).flatMap((account) => this.#graph.below(account)))];
	}

	/** The accounts to which a bar of the account reaches: those of the person, and those that only state to be the person's. */
	reached(playerId: PlayerId): PlayerId[] {
		return [...this.accounts(playerId), ...this.below(playerId)];
	}

	#inPoolOf(playerId: PlayerId, accounts: readonly PlayerId[]): readonly PlayerId[] {
		if (accounts.length === 0 || (accounts.length === 1 && accounts[0] === playerId)) return accounts;
		const pool = this.#pools.get(playerId);
		return accounts.filter((account) => this.#pools.get(account) === pool);
	}

	/** The shared facts of a kind of two accounts, unless refuted for the first of them. */
	async shared(playerId: PlayerId, { otherId, kind }: { otherId: PlayerId; kind: FactKind }): Promise<string[]> {
		if (playerId === otherId) return [];
		const { rows } = await this.#db.query<{ value: string }>(sharedValues(kind), [playerId, otherId]);
		return rows.map(({ value }) => value);
	}

	/**
	 * An operator found that a fact shared with another account is not the account's own: it no longer connects the
	 * account. One-time codes that were sent to a refuted mobile end: its owner would set the account's password with them.
	 * @returns the number of refuted facts
	 * @throws Refused NOT_FOUND if the two share no fact of the kind
	 */
	async refute(
		playerId: PlayerId,
		{ otherId, kind, reason }: { otherId: PlayerId; kind: FactKind; reason: string },
		by: Pick<Act, 'actor' | 'address'>,
	): Promise<number> {
		const values = await this.shared(playerId, { otherId, kind });
		if (values.length === 0) throw new Refused('NOT_FOUND');
		await this.#journal.change(async (client) => {
			// A code that is made for the mobile meanwhile is made before, and ends, or is made no more.
			await client.query('select from player where player_id = $1 for update', [playerId]);
			await client.query(
				`insert into refuted_fact (player_id, kind, value, at, operator, reason)
				 select $1, $2, value, $4, $5, $6 from unnest($3::text[]) as value on conflict do nothing`,
				[playerId, kind, values, Date.now(), by.actor, reason],
			);
			if (kind === 'mobile') await endCodes(client, playerId, values);
			const act = { ...by, act: 'FACT_REFUTED', subject: `player ${playerId}`, details: { otherId, kind, reason } };
			return { result: undefined, act };
		});
		await this.meet(playerId);
		// The other account may have been connected through this one.
		await this.meet(otherId);
		return values.length;
	}

	async factsOf(playerId: PlayerId): Promise<OwnFacts> {
		const { rows } = await this.#db.query<Fact>(factsOf('(select $1::bigint as player_id)'), [playerId]);
		const mobile = rows.find(({ kind, state }) => kind === 'mobile' && state !== 'REFUTED');
		return {
			mobile: mobile?.value ?? null,
			isMobileProven: mobile?.state === 'PROVEN',
			isKnown: rows.some(isJoining),
		};
	}
}

/** The account's codes by name end all: they do not tell whether they went to the mobile or in a mail. */
async function endCodes(client: pg.ClientBase, playerId: PlayerId, mobiles: readonly string[]): Promise<void> {
	await client.query('delete from account_code where player_id = $1', [playerId]);
	await client.query('delete from mobile_proof where player_id = $1 and mobile = any($2)', [playerId, mobiles]);
}
