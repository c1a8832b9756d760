/** App keys, with which players' bots log in: in memory for every request, in the table for the next start. */
import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type pg from 'pg';
import { MOST_API_KEYS } from '#contract/calls/api-access.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

const HINT_LENGTH = 4;

export interface ApiKey {
	keyId: number;
	playerId: PlayerId;
	hint: string;
	name: string;
	mayTrade: boolean;
	/** Addresses and networks that may use the key; empty for any. */
	addresses: readonly string[];
	callsPerSecond: number;
	createdAtMs: number;
	/** The last log-in with it. */
	usedAtMs: number | null;
}

export type NewApiKey = Pick<ApiKey, 'name' | 'mayTrade' | 'addresses' | 'callsPerSecond'>;

interface Known {
	key: ApiKey;
	keyHash: string;
	/** Null when any address may use the key. */
	allowed: BlockList | null;
}

export class ApiKeys {
	readonly #db: pg.Pool;
	readonly #journal: Pick<Journal, 'write'>;
	readonly #clock: () => number;
	readonly #byHash = new Map<string, Known>();
	/** By id, in order of creation. */
	readonly #byId = new Map<number, Known>();
	/** Keys that are being written. They count towards the limit. */
	readonly #creating = new Map<PlayerId, number>();
	#lastId = 0;

	constructor(db: pg.Pool, journal: Pick<Journal, 'write'>, clock: () => number) {
		this.#db = db;
		this.#journal = journal;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const { rows } = await this.#db.query<ApiKey & { keyHash: string }>(
			`select key_id as "keyId", player_id as "playerId", key_hash as "keyHash", hint, name,
			   may_trade as "mayTrade", addresses, per_second as "callsPerSecond",
			   created_at as "createdAtMs", used_at as "usedAtMs"
			 from api_key order by key_id`,
		);
		for (const { keyHash, ...key } of rows) this.#remember(key, keyHash);
	}

	/** Newest first. */
	of(playerId: PlayerId): ApiKey[] {
		return [...this.#byId.values()]
			.map(({ key }) => key)
			.filter((key) => key.playerId === playerId)
			.reverse();
	}

	find(appKey: string): ApiKey | null {
		return this.#byHash.get(secretHash(appKey))?.key ?? null;
	}
	byId(keyId: number): ApiKey | null {
		return this.#byId.get(keyId)?.key ?? null;
	}

	/** Whether a bot at this address may use the key. */
	allows({ keyId }: ApiKey, address: string): boolean {
		const known = this.#byId.get(keyId);
		if (!known?.allowed) return known !== undefined;
		// An IPv4 client of a socket that listens on both families.
		const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
		return known.allowed.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
	}

	/**
	 * @returns the key itself, which is not stored
	 * @throws Refused TOO_MANY_API_KEYS, INVALID_ADDRESS
	 */
	async create(playerId: PlayerId, asked: NewApiKey, address: string): Promise<{ appKey: string; key: ApiKey }> {
		allowListOf(asked.addresses);
		const creating = this.#creating.get(playerId) ?? 0;
		if (this.of(playerId).length + creating >= MOST_API_KEYS) {
			throw new Refused('TOO_MANY_API_KEYS', { most: MOST_API_KEYS });
		}
		const appKey = randomBytes(24).toString('base64url');
		const hint = appKey.slice(-HINT_LENGTH);
		const { name, mayTrade, addresses, callsPerSecond } = asked;
		const createdAtMs = this.#clock();
		const keyId = ++this.#lastId;
		const key = { keyId, playerId, hint, name, mayTrade, addresses, callsPerSecond, createdAtMs, usedAtMs: null };
		this.#creating.set(playerId, creating + 1);
		try {
			await this.#store(key, secretHash(appKey));
		} finally {
			const left = (this.#creating.get(playerId) ?? 1) - 1;
			if (left > 0) this.#creating.set(playerId, left);
			else this.#creating.delete(playerId);
		}
		await this.#write('API_KEY_CREATED', key, address);
		return { appKey, key };
	}

	async #store(key: ApiKey, keyHash: string): Promise<void> {
		const { keyId, playerId, hint, name, mayTrade, addresses, callsPerSecond, createdAtMs } = key;
		await this.#db.query(
			`insert into api_key (key_id, player_id, key_hash, hint, name, may_trade, addresses, per_second, created_at)
			 values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			[keyId, playerId, keyHash, hint, name, mayTrade, addresses, callsPerSecond, createdAtMs],
		);
		this.#remember(key, keyHash);
	}

	/** The key is invalid from now on. @throws Refused NOT_FOUND */
	async revoke(playerId: PlayerId, keyId: number, address: string): Promise<void> {
		const known = this.#byId.get(keyId);
		if (known?.key.playerId !== playerId) throw new Refused('NOT_FOUND');
		await this.#db.query('delete from api_key where key_id = $1', [keyId]);
		this.#byId.delete(keyId);
		this.#byHash.delete(known.keyHash);
		await this.#write('API_KEY_REVOKED', known.key, address);
	}

	async used(key: ApiKey): Promise<void> {
		key.usedAtMs = this.#clock();
		await this.#db.query('update api_key set used_at = $2 where key_id = $1', [key.keyId, key.usedAtMs]);
	}

	#remember(key: ApiKey, keyHash: string): void {
		const known = { key, keyHash, allowed: allowListOf(key.addresses) };
		this.#byHash.set(keyHash, known);
		this.#byId.set(key.keyId, known);
		this.#lastId = Math.max(this.#lastId, key.keyId);
	}

	async #write(act: string, { playerId, keyId, name, mayTrade, addresses }: ApiKey, address: string): Promise<void> {
		const details = { keyId, name, mayTrade, addresses };
		await this.#journal.write({ actor: 'player', address, act, subject: `player ${playerId}`, details });
	}
}

/** @throws Refused INVALID_ADDRESS */
function allowListOf(addresses: readonly string[]): BlockList | null {
	if (addresses.length === 0) return null;
	const list = new BlockList();
	for (const text of addresses) {
		const [address = '', prefix, more] = text.split('/');
		const family = isIP(address);
		const longest = family === 6 ? 128 : 32;
		const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
		if (family === 0 || more !== undefined || !(bits <= longest))
			throw new Refused('INVALID_ADDRESS', { address: text });
		list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
	}
	return list;
}
