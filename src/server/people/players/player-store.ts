/** Players: in memory for every request, in the database for the next start. */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import { erasedName, eraseRows } from '#server/people/players/erasure.ts';
import type { Player, Preset } from '#server/people/players/player.ts';
import type { UserView } from '#server/people/players/players.ts';
import { type SportPermissions, sportFlags } from '#server/people/players/sport-permissions.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { isLanguage, type Language } from '#values/languages.ts';
import { majorFromMinor } from '#values/money.ts';
import { nameKey } from '#values/name-key.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

interface PlayerStoreOptions {
	db: pg.Pool;
	journal: Journal;
	exchange: Exchange;
	sports: SportPermissions;
	clock: () => number;
}

export class PlayerStore {
	readonly #options: PlayerStoreOptions;
	readonly #players = new Map<number, Player>();
	readonly #byName = new Map<string, Player>();
	#lastId = FIRST_PLAYER_ID - 1;

	constructor(options: PlayerStoreOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { db, exchange, journal } = this.#options;
		const { rows } = await db.query<Player>(
			`select player_id as "playerId", brand, user_name as "userName", password_hash as "passwordHash",
			   is_demo as "isDemo", pool, stakes, language
			 from player left join player_preference using (player_id)`,
		);
		for (const player of rows) {
			// A later version may have known more.
			if (!isLanguage(player.language)) player.language = null;
			// Completes the work that a crash after writing the row has left undone.
			if (!exchange.wallet(player.playerId)) {
				await journal.change(async (client) => ({
					result: null,
					act: await this.#entry(client, player, 'PLAYER_COMPLETED'),
				}));
				await this.#openWallet(player);
			}
			this.#keep(player);
		}
	}

	byId(playerId: PlayerId): Player | undefined {
		return this.#players.get(playerId);
	}

	byName(userName: string, brand: string): Player | undefined {
		return this.#byName.get(`${brand}|${nameKey(userName)}`);
	}

	nextId(): number {
		return ++this.#lastId;
	}

	/** @throws Refused NAME_TAKEN */
	async add(player: Player): Promise<void> {
		await this.create((client) => this.#insert(client, player));
		await this.welcome(player);
	}

	/**
	 * Writes a player's row and records it in the journal, atomically. So a deposed process cannot write a row unknown
	 * to its successor, which reads the players after it has taken the journal.
	 * @param insert writes the row
	 * @throws Refused OTHER_POOL when the player's wallet would be in another engine
	 */
	async create(insert: (client: pg.PoolClient) => Promise<Player>): Promise<Player> {
		return await this.#options.journal.change(async (client) => {
			const player = await insert(client);
			if (!this.#options.exchange.pools.includes(player.pool)) throw new Refused('OTHER_POOL');
			return { result: player, act: await this.#entry(client, player, 'PLAYER_CREATED') };
		});
	}

	async #insert(client: pg.PoolClient, player: Player): Promise<Player> {
		const { rowCount } = await client.query(
			`insert into player (player_id, brand, user_name, name_key, password_hash, is_demo, pool, created_at)
			 values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
			[
				player.playerId,
				player.brand,
				player.userName,
				nameKey(player.userName),
				player.passwordHash,
				player.isDemo,
				player.pool,
				this.#options.clock(),
			],
		);
		if (rowCount === 0) throw new Refused('NAME_TAKEN');
		return player;
	}

	/** Opens the wallet of a player whose row is written; then requests know the player. */
	async welcome(player: Player): Promise<void> {
		await this.#openWallet(player);
		this.#keep(player);
	}

	/** Remembers that accounts were used in one browser. */
	async shareDevice(player: Player, others: readonly PlayerId[]): Promise<void> {
		if (others.length === 0) return;
		await this.#options.db.query(
			`insert into shared_device (player_id, other_id) select $1, other from unnest($2::bigint[]) as other
			 union all select other, $1 from unnest($2::bigint[]) as other on conflict do nothing`,
			[player.playerId, others],
		);
	}

	async setStakes(player: Player, stakes: Preset[]): Promise<void> {
		const sql = 'update player set stakes = $2 where player_id = $1';
		const [before, after] = [{ stakes: player.stakes }, { stakes }];
		await this.#change(player, sql, JSON.stringify(stakes), { act: 'STAKES_CHANGED', address: null, before, after });
		player.stakes = stakes;
	}

	async setLanguage(player: Player, language: Language): Promise<void> {
		await this.#options.db.query(
			`insert into player_preference (player_id, language) values ($1, $2)
			 on conflict (player_id) do update set language = excluded.language`,
			[player.playerId, language],
		);
		player.language = language;
	}

	/** The journal records that the password changed, without the old or the new one. */
	async setPasswordHash(player: Player, passwordHash: string, address: string): Promise<void> {
		const sql = 'update player set password_hash = $2 where player_id = $1';
		await this.#change(player, sql, passwordHash, { act: 'PASSWORD_CHANGED', address });
		player.passwordHash = passwordHash;
	}

	/** Erases a player's personal data. Repeated, it erases what was written since. */
	async erase(player: Player, by: Pick<Act, 'actor' | 'address'>): Promise<void> {
		const { journal } = this.#options;
		const { playerId, brand } = player;
		await journal.change(async (client) => {
			await eraseRows(client, playerId);
			const hashed = await journal.hashOf(client, playerId);
			const act = { ...by, act: 'PLAYER_ERASED', subject: `player ${playerId}`, player: hashed };
			return { result: undefined, act };
		});
		this.#byName.delete(`${brand}|${nameKey(player.userName)}`);
		Object.assign(player, { userName: erasedName(playerId), passwordHash: null, stakes: null, language: null });
		this.#keep(player);
	}

	/** Changes a player's row and records it in the journal, atomically. */
	async #change(
		{ playerId }: Player,
		sql: string,
		value: string,
		act: Pick<Act, 'act' | 'address' | 'before' | 'after'>,
	): Promise<void> {
		const { journal } = this.#options;
		await journal.change(async (client) => {
			await client.query(sql, [playerId, value]);
			const player = await journal.hashOf(client, playerId);
			return { result: undefined, act: { actor: 'player', subject: `player ${playerId}`, player, ...act } };
		});
	}

	async #entry(client: pg.PoolClient, made: Player, act: string): Promise<Act> {
		const { playerId, userName, brand, isDemo, pool } = made;
		const player = await this.#options.journal.hashOf(client, playerId);
		const after = { userName, brand, isDemo, pool };
		return { actor: 'server', address: null, act, subject: `player ${playerId}`, after, player };
	}

	/** @throws Refused UNKNOWN_USER */
	view(playerId: PlayerId): UserView {
		const { exchange, sports } = this.#options;
		const player = this.#players.get(playerId);
		const wallet = exchange.wallet(playerId);
		if (!player || !wallet) throw new Refused('UNKNOWN_USER');
		return {
			userId: String(playerId),
			userName: player.userName,
			isDemo: player.isDemo,
			pool: player.pool,
			balance: majorFromMinor(wallet.cash),
			exposure: majorFromMinor(wallet.exposure),
			currency: wallet.currency,
			...sportFlags(sports.closed(playerId)),
		};
	}

	#keep(player: Player): void {
		this.#players.set(player.playerId, player);
		this.#byName.set(`${player.brand}|${nameKey(player.userName)}`, player);
		this.#lastId = Math.max(this.#lastId, player.playerId);
	}

	async #openWallet({ playerId, pool }: Player): Promise<void> {
		await this.#options.exchange.submit({ kind: 'open-wallet', walletId: playerId, pool });
	}
}
