/** A player's favourite games and recently opened games, the same on every device. */
import type pg from 'pg';
import type { PlayerId } from '#values/ids.ts';

const MOST_RECENT = 6;

interface Marks {
	/** Codes of games, in the order in which they became favourites. */
	favourites: string[];
	/** Most recently opened first. */
	recent: string[];
}

export class GameMarks {
	readonly #db: Pick<pg.Pool, 'query'>;
	readonly #clock: () => number;

	constructor(db: Pick<pg.Pool, 'query'>, clock: () => number = Date.now) {
		this.#db = db;
		this.#clock = clock;
	}

	async of(playerId: PlayerId): Promise<Marks> {
		const [favourites, recent] = await Promise.all([
			this.#db.query<{ game: string }>(
				'select game from game_mark where player_id = $1 and favourite_since_ms is not null order by favourite_since_ms',
				[playerId],
			),
			this.#db.query<{ game: string }>(
				`select game from game_mark where player_id = $1 and opened_at_ms is not null
				 order by opened_at_ms desc limit ${MOST_RECENT}`,
				[playerId],
			),
		]);
		return {
			favourites: favourites.rows.map(({ game }) => game),
			recent: recent.rows.map(({ game }) => game),
		};
	}

	/** A game that already is a favourite keeps its place. */
	async setFavourite(playerId: PlayerId, game: string, isFavourite: boolean): Promise<void> {
		await this.#db.query(
			`insert into game_mark (player_id, game, favourite_since_ms) values ($1, $2, $3)
			 on conflict (player_id, game) do update set favourite_since_ms =
				case when excluded.favourite_since_ms is null then null
				else coalesce(game_mark.favourite_since_ms, excluded.favourite_since_ms) end`,
			[playerId, game, isFavourite ? this.#clock() : null],
		);
	}

	async open(playerId: PlayerId, game: string): Promise<void> {
		await this.#db.query(
			`insert into game_mark (player_id, game, opened_at_ms) values ($1, $2, $3)
			 on conflict (player_id, game) do update set opened_at_ms = excluded.opened_at_ms`,
			[playerId, game, this.#clock()],
		);
	}
}
