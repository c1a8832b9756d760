/**
 * Back ends that act for a player who sent them a code: the authorization-code exchange. A code is for one client and
 * one redirect address, valid once, within a minute. Codes are only in memory, because a restart takes longer than the
 * validity of a code.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Login } from '#server/people/players/logins.ts';
import type { BackEndClient, Grant } from '#server/people/players/players.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

export const CODE_SECONDS = 60;
const MOST_CODES = 100_000;

interface IssuedCode {
	clientId: string;
	redirectUri: string;
	brand: string;
	playerId: PlayerId;
	/** The login that requested the code. */
	loginId: string;
	endsAtMs: number;
	spent: boolean;
	/** Set by a second use, even while the tokens of the first are being issued, so that they end as well. */
	usedAgain: boolean;
}

interface NewClient {
	name: string;
	/** Host of the brand whose players the client acts for. */
	brand: string;
	redirectUri: string;
	endsWithLogin: boolean;
}

interface ClientRow {
	secretHash: string;
	redirectUri: string;
	brand: string;
	endsWithLogin: boolean;
}

export class BackEndClients {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	/** By the digest of the code. */
	readonly #codes = recentlyUsed<string, IssuedCode>(MOST_CODES);

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	/** The secret is shown this once and stored as its digest. */
	async add({ name, brand, redirectUri, endsWithLogin }: NewClient): Promise<BackEndClient> {
		const client = { clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url') };
		await this.#db.query(
			`insert into back_end_client (client_id, brand, name, secret_hash, redirect_uri, created_at, ends_with_login)
			 values ($1, $2, $3, $4, $5, $6, $7)`,
			[client.clientId, brand, name, secretHash(client.clientSecret), redirectUri, this.#clock(), endsWithLogin],
		);
		return client;
	}

	/** @throws Refused WRONG_GRANT when this brand has no such client, or the client another address */
	async issue(login: Login, clientId: string, redirectUri: string): Promise<string> {
		const client = await this.#client(clientId);
		if (client?.brand !== login.brand || client.redirectUri !== redirectUri) throw new Refused('WRONG_GRANT');
		const code = randomBytes(32).toString('base64url');
		const { brand, playerId, loginId } = login;
		const endsAtMs = this.#clock() + CODE_SECONDS * 1000;
		const issued = { clientId, redirectUri, brand, playerId, loginId, endsAtMs, spent: false, usedAgain: false };
		this.#codes.set(secretHash(code), issued);
		return code;
	}

	/**
	 * The client by its secret. Other clients can neither spend a code nor end the login that it opened. @throws Refused
	 * WRONG_GRANT
	 */
	async authenticate({ clientId, clientSecret }: BackEndClient): Promise<{ endsWithLogin: boolean }> {
		const client = await this.#client(clientId);
		if (!client || !isSameSecret(secretHash(clientSecret), client.secretHash)) throw new Refused('WRONG_GRANT');
		return client;
	}

	/** Spends the code of an authenticated client, in any case. @returns null for an invalid code, for any cause */
	spend(grant: Grant, brand: string): IssuedCode | null {
		const issued = this.#codes.get(secretHash(grant.code));
		if (!issued) return null;
		if (issued.spent) {
			issued.usedAgain = true;
			return null;
		}
		issued.spent = true;
		const fits =
			issued.clientId === grant.clientId &&
			issued.redirectUri === grant.redirectUri &&
			issued.brand === brand &&
			issued.endsAtMs > this.#clock();
		return fits ? issued : null;
	}

	async #client(clientId: string): Promise<ClientRow | null> {
		const { rows } = await this.#db.query<ClientRow>(
			`select secret_hash as "secretHash", redirect_uri as "redirectUri", brand,
			   ends_with_login as "endsWithLogin"
			 from back_end_client where client_id = $1`,
			[clientId],
		);
		return rows[0] ?? null;
	}
}
