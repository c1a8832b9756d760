/**
 * Authenticator apps of players: a second factor that a player may set up. Its codes, or recovery codes, are asked for
 * after the password. They are read from the table when they are needed, because log-ins are rare.
 */
import type pg from 'pg';
import { enrolmentUri, newSecret, stepOfCode, typedSecret } from '#server/people/factors/one-time-codes.ts';
import { isRecoveryCode, newRecoveryCodes, recoveryHash } from '#server/people/factors/recovery-codes.ts';
import type { LoginThrottle } from '#server/people/players/login-throttle.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** Log-ins that are setting a secret up at once; an older one begins again. */
const MOST_BEGUN = 10_000;

interface AuthenticatorsOptions {
	db: pg.Pool;
	journal: Journal;
	keys: DataKeys;
	throttle: LoginThrottle;
	clock: () => number;
}

interface AuthenticatorRow {
	keyId: string;
	secret: Buffer;
	lastStep: number;
	recoveryHashes: string[];
}

const aboutAuthenticator = (playerId: PlayerId): string => `authenticator of player ${playerId}`;

export class Authenticators {
	readonly #options: AuthenticatorsOptions;
	/** Secrets that are being set up, by log-in. */
	readonly #begun = recentlyUsed<string, Buffer>(MOST_BEGUN);

	constructor(options: AuthenticatorsOptions) {
		this.#options = options;
	}

	/** Seals secrets of an older key with the current one, so that the older one can be removed. */
	async load(): Promise<void> {
		const { db, keys } = this.#options;
		const { rows } = await db.query<{ playerId: PlayerId; keyId: string; secret: Buffer }>(
			`select player_id as "playerId", key_id as "keyId", secret from player_authenticator where key_id <> $1`,
			[keys.presentId],
		);
		for (const { playerId, keyId, secret } of rows) {
			const anew = keys.sealedAnew({ keyId, bytes: secret }, aboutAuthenticator(playerId));
			if (anew)
				await db.query(
					'update player_authenticator set key_id = $2, secret = $3 where player_id = $1 and secret = $4',
					[playerId, anew.keyId, anew.bytes, secret],
				);
		}
	}

	/** How many recovery codes are left; null without an authenticator. */
	async codesLeft(playerId: PlayerId): Promise<number | null> {
		return (await this.#of(playerId))?.recoveryHashes.length ?? null;
	}

	/**
	 * The secret for the player's app; the same until it is set up.
	 * @throws Refused WRONG_STATE if there is one
	 */
	async begin({ loginId, playerId, userName }: Login, issuer: string): Promise<{ secret: string; uri: string }> {
		if (await this.#of(playerId)) throw new Refused('WRONG_STATE');
		const secret = this.#begun.get(loginId) ?? newSecret();
		this.#begun.set(loginId, secret);
		return { secret: typedSecret(secret), uri: enrolmentUri(secret, userName, issuer) };
	}

	/**
	 * Stores the secret after its first code was checked.
	 * @returns recovery codes, which are shown once
	 * @throws Refused WRONG_CODE, THROTTLED; WRONG_STATE if another page was first
	 */
	async add({ loginId, playerId }: Login, code: string, address: string): Promise<string[]> {
		const { journal, keys, throttle, clock } = this.#options;
		const secret = this.#begun.get(loginId);
		throttle.beginOf(codeKey(playerId));
		const step = secret ? stepOfCode(secret, code, 0, clock()) : null;
		if (!secret || step === null) throw new Refused('WRONG_CODE');
		throttle.succeedOf(codeKey(playerId));
		const { codes, hashes } = newRecoveryCodes();
		const sealed = keys.seal(secret, aboutAuthenticator(playerId));
		await journal.change(async (client) => {
			const { rowCount } = await client.query(
				`insert into player_authenticator (player_id, key_id, secret, last_step, recovery_hashes, created_at)
				 values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
				[playerId, sealed.keyId, sealed.bytes, step, hashes, clock()],
			);
			if (rowCount !== 1) throw new Refused('WRONG_STATE');
			return { result: undefined, act: { ...actOf(playerId, 'AUTHENTICATOR_ADDED'), actor: 'player', address } };
		});
		return codes;
	}

	/**
	 * The second factor of a log-in whose password was right.
	 * @param code of the app, or a recovery code; null if none was given
	 * @returns false for a wrong one
	 * @throws Refused CODE_NEEDED without a code; THROTTLED: codes are counted by player, from wherever they come
	 */
	async admits(playerId: PlayerId, code: string | null, address: string): Promise<boolean> {
		const stored = await this.#of(playerId);
		if (!stored) return true;
		if (code === null) throw new Refused('CODE_NEEDED');
		this.#options.throttle.beginOf(codeKey(playerId));
		if (!(await this.#accepts(playerId, stored, code, address))) return false;
		this.#options.throttle.succeedOf(codeKey(playerId));
		return true;
	}

	/** @throws Refused WRONG_STATE without one, WRONG_CODE, THROTTLED */
	async remove(playerId: PlayerId, code: string, address: string): Promise<void> {
		if ((await this.codesLeft(playerId)) === null) throw new Refused('WRONG_STATE');
		if (!(await this.admits(playerId, code, address))) throw new Refused('WRONG_CODE');
		if (!(await this.reset(playerId, { actor: 'player', address }))) throw new Refused('WRONG_STATE');
	}

	/** Removes the authenticator, if there is one, without a code. @returns whether there was one */
	async reset(playerId: PlayerId, by: { actor: string; address: string | null }): Promise<boolean> {
		return await this.#options.journal.change(async (client) => {
			const { rowCount } = await client.query('delete from player_authenticator where player_id = $1', [playerId]);
			const outcome = rowCount === 1 ? 'done' : 'WRONG_STATE';
			return { result: rowCount === 1, act: { ...actOf(playerId, 'AUTHENTICATOR_REMOVED'), ...by, outcome } };
		});
	}

	async #of(playerId: PlayerId): Promise<AuthenticatorRow | null> {
		const { rows } = await this.#options.db.query<AuthenticatorRow>(
			`select key_id as "keyId", secret, last_step as "lastStep", recovery_hashes as "recoveryHashes"
			 from player_authenticator where player_id = $1`,
			[playerId],
		);
		return rows[0] ?? null;
	}

	/** Each code is accepted once, of parallel requests by the first. */
	async #accepts(playerId: PlayerId, stored: AuthenticatorRow, code: string, address: string): Promise<boolean> {
		const { db, journal, keys, clock } = this.#options;
		if (!isRecoveryCode(code)) {
			const secret = keys.open({ keyId: stored.keyId, bytes: stored.secret }, aboutAuthenticator(playerId));
			const step = stepOfCode(secret, code, stored.lastStep, clock());
			if (step === null) return false;
			const { rowCount } = await db.query(
				'update player_authenticator set last_step = $2 where player_id = $1 and last_step < $2',
				[playerId, step],
			);
			return rowCount === 1;
		}
		const hash = recoveryHash(code);
		if (!stored.recoveryHashes.includes(hash)) return false;
		return await journal.change(async (client) => {
			const { rowCount } = await client.query(
				`update player_authenticator set recovery_hashes = array_remove(recovery_hashes, $2)
				 where player_id = $1 and $2 = any (recovery_hashes)`,
				[playerId, hash],
			);
			const outcome = rowCount === 1 ? 'done' : 'WRONG_CODE';
			const act = { ...actOf(playerId, 'RECOVERY_CODE_USED'), actor: 'player', address, outcome };
			return { result: rowCount === 1, act };
		});
	}
}

const codeKey = (playerId: PlayerId): string => `code of player ${playerId}`;

const actOf = (playerId: PlayerId, act: string) => ({ act, subject: `player ${playerId}` });
