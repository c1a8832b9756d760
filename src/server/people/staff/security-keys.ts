/**
 * Security keys and passkeys of staff (WebAuthn), as a second factor beside the codes of an app. In memory for every
 * log-in, in the database for the next start; each change is written together with its row in the journal.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import type pg from 'pg';
import { MOST_PASSKEYS } from '#contract/factor-fields.ts';
import { addedKey, addingOptions, type Site, showingOptions, shownCounter } from '#server/people/factors/web-authn.ts';
import type { By, StaffMember } from '#server/people/staff/staff-directory.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';

interface SecurityKey {
	keyId: string;
	staffId: number;
	/** As the member calls it. */
	name: string;
	publicKey: Uint8Array<ArrayBuffer>;
	transports: string[];
	counter: number;
	createdAtMs: number;
	lastUsedAtMs: number | null;
}

interface Named {
	staffId: number;
	name: string;
}

/** The member has shown a password before. */
const USE = 'SECOND_FACTOR';

interface KeyRow {
	key_id: string;
	staff_id: number;
	name: string;
	public_key: Buffer;
	transports: string[];
	counter: number;
	created_at: number;
	last_used_at: number | null;
}

export class SecurityKeys {
	readonly #db: pg.Pool;
	readonly #journal: Journal;
	readonly #clock: () => number;
	readonly #keys = new Map<string, SecurityKey>();
	/** Open challenges, by session: each is signed once. */
	readonly #challenges = new Map<string, string>();

	constructor({ db, journal, clock = Date.now }: { db: pg.Pool; journal: Journal; clock?: () => number }) {
		this.#db = db;
		this.#journal = journal;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const { rows } = await this.#db.query<KeyRow>('select * from staff_key where removed_at is null');
		for (const row of rows) this.#keys.set(row.key_id, keyOf(row));
	}

	/** Oldest first. */
	of(staffId: number): SecurityKey[] {
		const own = [...this.#keys.values()].filter((key) => key.staffId === staffId);
		return own.sort((one, other) => one.createdAtMs - other.createdAtMs);
	}

	forgetSession(sessionId: string): void {
		this.#challenges.delete(sessionId);
	}

	/** The browser's options for a new key. @throws Refused TOO_MANY_KEYS */
	async beginAdding(sessionId: string, { staffId, name }: Named, { host }: Site) {
		const own = this.of(staffId);
		if (own.length >= MOST_PASSKEYS) throw new Refused('TOO_MANY_KEYS');
		const options = await addingOptions({
			rpName: 'Backlay console',
			host,
			userName: name,
			userHandle: Buffer.from(`staff ${staffId}`),
			own,
			use: USE,
		});
		this.#challenges.set(sessionId, options.challenge);
		return options;
	}

	/** @throws Refused WRONG_KEY, TOO_MANY_KEYS */
	async finishAdding(
		sessionId: string,
		{ staffId }: Named,
		{ name, response, site }: { name: string; response: RegistrationResponseJSON; site: Site },
		by: By,
	): Promise<void> {
		const credential = await this.#registered(sessionId, response, site);
		const { id, publicKey, counter, transports = [] } = credential;
		await this.#journal.change(async (client) => {
			// Two sessions of one member take turns here.
			if (this.of(staffId).length >= MOST_PASSKEYS) throw new Refused('TOO_MANY_KEYS');
			const { rows } = await client.query<KeyRow>(
				`insert into staff_key (key_id, staff_id, name, public_key, transports, counter, created_at)
				 values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning *`,
				[id, staffId, name, Buffer.from(publicKey), transports, counter, this.#clock()],
			);
			const [row] = rows;
			if (!row) throw new Refused('WRONG_KEY');
			this.#keys.set(id, keyOf(row));
			return { result: undefined, act: await this.#act(client, id, { act: 'staff-key-add', by, name }) };
		});
	}

	/** The browser's options for one of the member's keys. @throws Refused UNKNOWN_KEY for a member without keys */
	async beginShowing(sessionId: string, { staffId }: Named, { host }: Site) {
		const own = this.of(staffId);
		if (own.length === 0) throw new Refused('UNKNOWN_KEY');
		const options = await showingOptions({ host, own, use: USE });
		this.#challenges.set(sessionId, options.challenge);
		return options;
	}

	/** Whether one of the member's keys has signed this session's challenge. */
	async show(
		sessionId: string,
		{ staffId }: Pick<StaffMember, 'staffId'>,
		response: AuthenticationResponseJSON,
		site: Site,
	): Promise<boolean> {
		const challenge = this.#takeChallenge(sessionId);
		const key = this.#keys.get(response.id);
		if (challenge === null || key?.staffId !== staffId) return false;
		const counter = await shownCounter(response, key, { challenge, site, use: USE });
		return counter !== null && (await this.#used(key, counter));
	}

	/** @throws Refused UNKNOWN_KEY */
	async remove(staffId: number, keyId: string, by: By): Promise<void> {
		const key = this.#keys.get(keyId);
		if (key?.staffId !== staffId) throw new Refused('UNKNOWN_KEY');
		await this.#journal.change(async (client) => {
			await client.query('update staff_key set removed_at = $2 where key_id = $1', [keyId, this.#clock()]);
			return {
				result: undefined,
				act: await this.#act(client, keyId, { act: 'staff-key-remove', by, name: key.name }),
			};
		});
		this.#keys.delete(keyId);
	}

	async removeAll(staffId: number, by: By): Promise<void> {
		for (const { keyId } of this.of(staffId)) await this.remove(staffId, keyId, by);
	}

	/** A challenge is valid for one answer. */
	#takeChallenge(sessionId: string): string | null {
		const challenge = this.#challenges.get(sessionId) ?? null;
		this.#challenges.delete(sessionId);
		return challenge;
	}

	/** @throws Refused WRONG_KEY */
	async #registered(sessionId: string, response: RegistrationResponseJSON, site: Site): Promise<WebAuthnCredential> {
		const challenge = this.#takeChallenge(sessionId);
		if (challenge === null) throw new Refused('WRONG_KEY');
		const added = await addedKey(response, { challenge, site, use: USE });
		if (!added) throw new Refused('WRONG_KEY');
		return added;
	}

	/** @returns false if a parallel answer of the same key was first */
	async #used(key: SecurityKey, counter: number): Promise<boolean> {
		const now = this.#clock();
		const { rowCount } = await this.#db.query(
			`update staff_key set counter = $2, last_used_at = $3
			 where key_id = $1 and removed_at is null and (counter < $2 or $2 = 0)`,
			[key.keyId, counter, now],
		);
		if (rowCount === 1) Object.assign(key, { counter, lastUsedAtMs: now });
		return rowCount === 1;
	}

	async #act(client: pg.PoolClient, keyId: string, { act, by, name }: { act: string; by: By; name: string }) {
		const row = await this.#journal.keep(client, 'staff_key', keyId);
		return { ...by, act, subject: `staff ${by.actor}`, details: { key: name }, row };
	}
}

const keyOf = (row: KeyRow): SecurityKey => ({
	keyId: row.key_id,
	staffId: row.staff_id,
	name: row.name,
	publicKey: new Uint8Array(row.public_key),
	transports: row.transports,
	counter: row.counter,
	createdAtMs: row.created_at,
	lastUsedAtMs: row.last_used_at,
});
