/**
 * The sports that a player may see and bet on. A sport is active if both the brand's flag and the player's own are on.
 */
import type pg from 'pg';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { PlayerId } from '#values/ids.ts';
import { SPORTS, type SportKey } from '#values/sports.ts';

export interface SportPermissions {
	/** The sports closed to a player, regardless of the brand's flags. In memory, no I/O. */
	closed(playerId: PlayerId): ReadonlySet<SportKey>;
	/** Takes effect immediately, and the player's pages are notified. */
	set(playerId: PlayerId, sport: SportKey, allowed: boolean): Promise<void>;
}

type SportFlags = Record<SportKey, boolean>;

const NONE: ReadonlySet<SportKey> = new Set();

/** The player's own flags as the wire shows them. */
export const sportFlags = (closed: ReadonlySet<SportKey>): SportFlags =>
	Object.fromEntries(SPORTS.map(({ key }) => [key, !closed.has(key)])) as SportFlags;

export async function openSportPermissions({ db, bus }: { db: pg.Pool; bus: Bus }): Promise<SportPermissions> {
	const closed = new Map<number, ReadonlySet<SportKey>>();
	const keep = (playerId: PlayerId, sport: SportKey, allowed: boolean): void => {
		const sports = new Set(closed.get(playerId));
		if (allowed) sports.delete(sport);
		else sports.add(sport);
		closed.set(playerId, sports);
	};
	const { rows } = await db.query<{ playerId: PlayerId; sport: SportKey }>(
		'select player_id as "playerId", sport from player_closed_sport',
	);
	for (const { playerId, sport } of rows) keep(playerId, sport, false);
	return {
		closed: (playerId) => closed.get(playerId) ?? NONE,
		set: async (playerId, sport, allowed) => {
			const sql = allowed
				? 'delete from player_closed_sport where player_id = $1 and sport = $2'
				: 'insert into player_closed_sport (player_id, sport) values ($1, $2) on conflict do nothing';
			await db.query(sql, [playerId, sport]);
			keep(playerId, sport, allowed);
			const data = { closed: [...(closed.get(playerId) ?? NONE)] };
			bus.publish(`player.${playerId}`, { code: 'SportsChanged', data, key: 'sports' });
		},
	};
}
