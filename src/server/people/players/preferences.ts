/** A player's display preferences: the same on every device, and after a log-out. */
import type pg from 'pg';
import type { RequestOf, ResultOf } from '#contract/call.ts';
import { MOST_PINNED } from '#contract/calls/account.ts';
import type { Calls } from '#contract/registry.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import type { PlayerId } from '#values/ids.ts';

type PlayerPreferences = ResultOf<Calls['setPreferences']>;

export class Preferences {
	readonly #db: pg.Pool;
	readonly #clock: () => number;

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	async of(playerId: PlayerId): Promise<PlayerPreferences> {
		const { rows } = await this.#db.query<PlayerPreferences>({
			name: 'preferences-of-player',
			text: `select array(select event_id from pinned_event where player_id = $1 order by pinned_at_ms, event_id)
			   as "pinnedEvents", show_balance as "showBalance", show_exposure as "showExposure",
			   odds_format as "oddsFormat", theme
			 from (select $1::bigint as player_id) as asked left join player_preference using (player_id)`,
			values: [playerId],
		});
		return rows[0] as PlayerPreferences;
	}

	/** An event that is already pinned keeps its place. Above the limit the oldest pins are dropped. */
	async change(
		playerId: PlayerId,
		{ pin = [], unpin = [], showBalance, showExposure, oddsFormat, theme }: RequestOf<Calls['setPreferences']>,
	): Promise<PlayerPreferences> {
		await inTransaction(this.#db, async (client) => {
			await client.query(
				`insert into player_preference (player_id, show_balance, show_exposure, odds_format, theme) values ($1, $2, $3, $4, $5)
				 on conflict (player_id) do update set
				   show_balance = coalesce(excluded.show_balance, player_preference.show_balance),
				   show_exposure = coalesce(excluded.show_exposure, player_preference.show_exposure),
				   odds_format = coalesce(excluded.odds_format, player_preference.odds_format),
				   theme = coalesce(excluded.theme, player_preference.theme)`,
				[playerId, showBalance ?? null, showExposure ?? null, oddsFormat ?? null, theme ?? null],
			);
			await client.query('delete from pinned_event where player_id = $1 and event_id = any($2)', [playerId, unpin]);
			await client.query(
				`insert into pinned_event (player_id, event_id, pinned_at_ms) select distinct $1::bigint, event, $3::bigint
				 from unnest($2::text[]) as event on conflict do nothing`,
				[playerId, pin, this.#clock()],
			);
			await client.query(
				`delete from pinned_event where player_id = $1 and event_id in (select event_id from pinned_event
				   where player_id = $1 order by pinned_at_ms desc, event_id desc offset ${MOST_PINNED})`,
				[playerId],
			);
		});
		return await this.of(playerId);
	}
}
