/**
 * Persons who excluded themselves, identified by a proven mobile or document. An exclusion also holds for accounts
 * created later, on every domain.
 */
import type pg from 'pg';
import { isOwn } from '#server/people/persons/facts.ts';
import type { PlayerId } from '#values/ids.ts';

/** A transaction's connection. */
export type Client = Pick<pg.ClientBase, 'query'>;

interface ExclusionRow {
	name: string;
	untilMs: number;
}

const keepLatest = (ends: Map<string, number>, { name, untilMs }: ExclusionRow) =>
	ends.set(name, Math.max(ends.get(name) ?? 0, untilMs));

export class Exclusions {
	readonly #db: Client;
	readonly #byMobile = new Map<string, number>();
	/** By fingerprint. */
	readonly #byDocument = new Map<string, number>();

	constructor(db: Client) {
		this.#db = db;
	}

	/**
	 * @returns the accounts that they exclude: a crash may have separated the person's exclusion from that of the
	 * accounts
	 */
	async load(): Promise<{ playerId: PlayerId; untilMs: number }[]> {
		const [mobiles, documents, accounts] = await Promise.all([
			this.#db.query<ExclusionRow>('select mobile as name, until_at as "untilMs" from exclusion'),
			this.#db.query<ExclusionRow>('select fingerprint as name, until_at as "untilMs" from excluded_identity'),
			this.#db.query<{ playerId: PlayerId; untilMs: number }>(
				`select player_id as "playerId", until_at as "untilMs" from exclusion join player using (mobile)
				 where ${isOwn('mobile', 'player')}
				 union all select player_id, until_at from excluded_identity join player_identity using (fingerprint)
				 where ${isOwn('document', 'player_identity')}`,
			),
		]);
		for (const row of mobiles.rows) keepLatest(this.#byMobile, row);
		for (const row of documents.rows) keepLatest(this.#byDocument, row);
		return accounts.rows;
	}

	/** The end of the exclusion of the mobile's owner; zero without one. */
	endByMobile(mobile: string): number {
		return this.#byMobile.get(mobile) ?? 0;
	}

	/** @param fingerprints of one document, under each key */
	endByDocument(fingerprints: readonly string[]): number {
		return Math.max(0, ...fingerprints.map((fingerprint) => this.#byDocument.get(fingerprint) ?? 0));
	}

	/** The account's mobile no longer excludes any account. */
	async lift(client: Client, playerId: PlayerId): Promise<void> {
		const { rows } = await client.query<{ mobile: string }>(
			'delete from exclusion where mobile = (select mobile from player where player_id = $1) returning mobile',
			[playerId],
		);
		for (const { mobile } of rows) this.#byMobile.delete(mobile);
	}

	/** Excludes by every proven mobile and document of the person's accounts; never shortens an exclusion. */
	async add(accounts: readonly PlayerId[], untilMs: number): Promise<void> {
		const mobiles = await this.#db.query<ExclusionRow>(
			`insert into exclusion (mobile, until_at)
			 select distinct mobile, $2::bigint from player where player_id = any($1) and ${isOwn('mobile', 'player')}
			 on conflict (mobile) do update set until_at = greatest(exclusion.until_at, excluded.until_at)
			 returning mobile as name, until_at as "untilMs"`,
			[accounts, untilMs],
		);
		const documents = await this.#db.query<ExclusionRow>(
			`insert into excluded_identity (fingerprint, until_at)
			 select distinct fingerprint, $2::bigint from player_identity
			 where player_id = any($1) and ${isOwn('document', 'player_identity')}
			 on conflict (fingerprint) do update set until_at = greatest(excluded_identity.until_at, excluded.until_at)
			 returning fingerprint as name, until_at as "untilMs"`,
			[accounts, untilMs],
		);
		for (const row of mobiles.rows) keepLatest(this.#byMobile, row);
		for (const row of documents.rows) keepLatest(this.#byDocument, row);
	}
}

/** Accounts and excluded persons with earlier fingerprints of a document get the current one. */
export async function renameDocument(client: Client, earlier: readonly string[], present: string): Promise<void> {
	await client.query('update player_identity set fingerprint = $2 where fingerprint = any($1)', [earlier, present]);
	await client.query(`update refuted_fact set value = $2 where kind = 'document' and value = any($1)`, [
		earlier,
		present,
	]);
	await client.query(
		`with moved as (delete from excluded_identity where fingerprint = any($1) returning until_at)
		 insert into excluded_identity (fingerprint, until_at) select $2, max(until_at) from moved having count(*) > 0
		 on conflict (fingerprint) do update set until_at = greatest(excluded_identity.until_at, excluded.until_at)`,
		[earlier, present],
	);
}

/**
 * The account belongs to the person whom this document names.
 * @param document its fingerprints, the current key's first
 */
export async function nameByDocument(
	client: Client,
	playerId: PlayerId,
	[present, ...earlier]: readonly [present: string, ...earlier: string[]],
	atMs: number,
): Promise<void> {
	await renameDocument(client, earlier, present);
	await client.query(
		`insert into player_identity (player_id, fingerprint, at) values ($1, $2, $3)
		 on conflict (player_id) do update set fingerprint = excluded.fingerprint, at = excluded.at`,
		[playerId, present, atMs],
	);
}
