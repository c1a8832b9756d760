/**
 * Passkeys of players, beside the password. They are read from the table when they are needed, because log-ins are rare;
 * each change is written together with its row in the journal.
 */
import { createHmac } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type pg from 'pg';
import { MOST_PASSKEYS } from '#contract/factor-fields.ts';
import type { SealedChallenges } from '#server/people/factors/sealed-challenges.ts';
import { addedKey, addingOptions, brandSite, showingOptions, shownCounter } from '#server/people/factors/web-authn.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

const USE = 'PASSKEY';
const SHOWING = 'log in';

interface Passkey {
	keyId: string;
	/** As the player calls it. */
	name: string;
	createdAtMs: number;
	lastUsedAtMs: number | null;
}

interface PasskeyRow extends Passkey {
	playerId: PlayerId;
	publicKey: Buffer;
	transports: string[];
	counter: number;
}

const COLUMNS = `key_id as "keyId", player_id as "playerId", name, public_key as "publicKey", transports, counter,
	created_at as "createdAtMs", last_used_at as "lastUsedAtMs"`;

/** The sender of a request. */
interface Asker {
	brand: Pick<Brand, 'host' | 'setting'>;
	address: string;
}

/** The player, or an operator by name. */
interface By {
	actor: string;
	address: string | null;
}

interface PasskeysOptions {
	db: pg.Pool;
	journal: Journal;
	challenges: SealedChallenges;
	/** The server's secret, which makes the names of accounts in keys. */
	tokenKey: string;
	clock: () => number;
}

export class Passkeys {
	readonly #options: PasskeysOptions;

	constructor(options: PasskeysOptions) {
		this.#options = options;
	}

	/** Oldest first. */
	async of(playerId: PlayerId): Promise<PasskeyRow[]> {
		const { rows } = await this.#options.db.query<PasskeyRow>(
			`select ${COLUMNS} from player_passkey where player_id = $1 order by created_at, key_id`,
			[playerId],
		);
		return rows;
	}

	/** The browser's options for a new passkey. @throws Refused TOO_MANY_KEYS */
	async beginAdding({ loginId, playerId, userName }: Login, { brand }: Pick<Asker, 'brand'>) {
		const own = await this.of(playerId);
		if (own.length >= MOST_PASSKEYS) throw new Refused('TOO_MANY_KEYS');
		return await addingOptions({
			rpName: brand.setting.domainTitle,
			host: brand.host,
			userName,
			userHandle: createHmac('sha256', this.#options.tokenKey).update(`passkey ${playerId}`).digest(),
			own,
			use: USE,
			challenge: this.#options.challenges.make(addingBy(loginId)),
		});
	}

	/** @throws Refused WRONG_KEY, TOO_MANY_KEYS */
	async add(
		{ loginId, playerId }: Login,
		{ name, response }: { name: string; response: RegistrationResponseJSON },
		{ brand, address }: Asker,
	): Promise<void> {
		const { journal, challenges, clock } = this.#options;
		const added = await addedKey(response, {
			challenge: (challenge) => challenges.take(challenge, addingBy(loginId)),
			site: brandSite(brand.host, response.response.clientDataJSON),
			use: USE,
		});
		if (!added) throw new Refused('WRONG_KEY');
		const { id, publicKey, counter, transports = [] } = added;
		await journal.change(async (client) => {
			// Changes take turns, so keys that are added at once are counted.
			const { rowCount } = await client.query(
				`insert into player_passkey (key_id, player_id, host, name, public_key, transports, counter, created_at)
				 select $1, $2, $3, $4, $5, $6, $7, $8
				 where (select count(*) from player_passkey where player_id = $2) < $9 on conflict do nothing`,
				[id, playerId, brand.host, name, Buffer.from(publicKey), transports, counter, clock(), MOST_PASSKEYS],
			);
			if (rowCount !== 1)
				throw new Refused((await this.of(playerId)).length >= MOST_PASSKEYS ? 'TOO_MANY_KEYS' : 'WRONG_KEY');
			return { result: undefined, act: actOf(playerId, 'PASSKEY_ADDED', name, { actor: 'player', address }) };
		});
	}

	/** The browser's options for showing any passkey of the brand: no name is asked for. */
	async beginShowing({ brand }: Pick<Asker, 'brand'>) {
		const challenge = this.#options.challenges.make(SHOWING);
		return await showingOptions({ host: brand.host, own: [], use: USE, challenge });
	}

	/** The owner of the passkey that signed a challenge; null for any other answer. */
	async shown(
		response: AuthenticationResponseJSON,
		{ brand }: Pick<Asker, 'brand'>,
	): Promise<{ playerId: PlayerId; keyId: string } | null> {
		const { db, challenges, clock } = this.#options;
		const { rows } = await db.query<PasskeyRow>(
			`select ${COLUMNS} from player_passkey where key_id = $1 and host = $2`,
			[response.id, brand.host],
		);
		const [key] = rows;
		if (!key) return null;
		const { playerId, keyId } = key;
		const counter = await shownCounter(
			response,
			{ keyId, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
			{
				challenge: (challenge) => challenges.take(challenge, SHOWING),
				site: brandSite(brand.host, response.response.clientDataJSON),
				use: USE,
			},
		);
		if (counter === null) return null;
		// A parallel answer of the same key may have been first, and the key may have been removed.
		const { rowCount } = await db.query(
			`update player_passkey set counter = $2, last_used_at = $3 where key_id = $1 and (counter < $2 or $2 = 0)`,
			[keyId, counter, clock()],
		);
		return rowCount === 1 ? { playerId, keyId } : null;
	}

	async isThere(playerId: PlayerId, keyId: string): Promise<boolean> {
		return (await this.of(playerId)).some((key) => key.keyId === keyId);
	}

	/** The same name again is no change; a player's changes take turns. @throws Refused UNKNOWN_KEY */
	async rename(playerId: PlayerId, { keyId, name }: Pick<Passkey, 'keyId' | 'name'>, by: By): Promise<void> {
		const renamed = (await this.of(playerId)).find((key) => key.keyId === keyId);
		if (renamed?.name === name) return;
		await this.#options.journal.change(async (client) => {
			const { rowCount } = await client.query(
				'update player_passkey set name = $3 where key_id = $1 and player_id = $2',
				[keyId, playerId, name],
			);
			if (rowCount !== 1) throw new Refused('UNKNOWN_KEY');
			return { result: undefined, act: actOf(playerId, 'PASSKEY_RENAMED', name, by) };
		});
	}

	/** @throws Refused UNKNOWN_KEY */
	async remove(playerId: PlayerId, keyId: string, by: By): Promise<void> {
		await this.#options.journal.change(async (client) => {
			const { rows } = await client.query<{ name: string }>(
				'delete from player_passkey where key_id = $1 and player_id = $2 returning name',
				[keyId, playerId],
			);
			const [removed] = rows;
			if (!removed) throw new Refused('UNKNOWN_KEY');
			return { result: undefined, act: actOf(playerId, 'PASSKEY_REMOVED', removed.name, by) };
		});
	}
}

const addingBy = (loginId: string): string => `add ${loginId}`;

const actOf = (playerId: PlayerId, act: string, name: string, by: By) => ({
	...by,
	act,
	subject: `player ${playerId}`,
	details: { name },
});
