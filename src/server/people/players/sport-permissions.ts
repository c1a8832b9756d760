/**
 * The sports that a player may see and bet on, and the limits of one bet in each. A sport is active if both the brand's
 * flag and the player's own are on.
 */
import type pg from 'pg';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { BetLimits } from '#values/bet-limits.ts';
import type { PlayerId } from '#values/ids.ts';
import { SPORTS, type SportKey } from '#values/sports.ts';

export interface SportPermissions {
	/** The sports closed to a player, regardless of the brand's flags. In memory, no I/O. */
	closed(playerId: PlayerId): ReadonlySet<SportKey>;
	/** Takes effect immediately, and the player's pages are notified. */
	set(playerId: PlayerId, sport: SportKey, allowed: boolean): Promise<void>;
	/** An operator's limits of one bet of a player in the sports that have any, in minor units. In memory, no I/O. */
	limits(playerId: PlayerId): ReadonlyMap<SportKey, BetLimits>;
	/** Holds for bets that are ordered from then on; zeros remove the limits. */
	setLimits(playerId: PlayerId, sport: SportKey, limits: BetLimits): Promise<void>;
}

type SportFlags = Record<SportKey, boolean>;

const NONE: ReadonlySet<SportKey> = new Set();
const NO_LIMITS: ReadonlyMap<SportKey, BetLimits> = new Map();

/** The player's own flags as the wire shows them. */
export const sportFlags = (closed: ReadonlySet<SportKey>): SportFlags =>
	Object.fromEntries(SPORTS.map(({ key }) => [key, !closed.has(key)])) as SportFlags;

export async function openSportPermissions({ db, bus }: { db: pg.Pool; bus: Bus }): Promise<SportPermissions> {
	const [closed, limited] = await Promise.all([openClosedSports({ db, bus }), openSportLimits(db)]);
	return { ...closed, ...limited };
}

async function openClosedSports({
	db,
	bus,
}: {
	db: pg.Pool;
	bus: Bus;
}): Promise<Pick<SportPermissions, 'closed' | 'set'>> {
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

async function openSportLimits(db: pg.Pool): Promise<Pick<SportPermissions, 'limits' | 'setLimits'>> {
	const limited = new Map<PlayerId, ReadonlyMap<SportKey, BetLimits>>();
	const keep = (playerId: PlayerId, sport: SportKey, limits: BetLimits): void => {
		const sports = new Map(limited.get(playerId));
		if (isNone(limits)) sports.delete(sport);
		else sports.set(sport, limits);
		limited.set(playerId, sports);
	};
	const { rows } = await db.query<BetLimits & { playerId: PlayerId; sport: SportKey }>(
		`select player_id as "playerId", sport, max_stake as "maxStake", max_profit as "maxProfit" from player_sport_limit`,
	);
	for (const { playerId, sport, ...limits } of rows) keep(playerId, sport, limits);
	return {
		limits: (playerId) => limited.get(playerId) ?? NO_LIMITS,
		setLimits: async (playerId, sport, limits) => {
			if (isNone(limits)) {
				await db.query('delete from player_sport_limit where player_id = $1 and sport = $2', [playerId, sport]);
			} else {
				await db.query(
					`insert into player_sport_limit (player_id, sport, max_stake, max_profit) values ($1, $2, $3, $4)
					 on conflict (player_id, sport) do update set max_stake = excluded.max_stake, max_profit = excluded.max_profit`,
					[playerId, sport, limits.maxStake, limits.maxProfit],
				);
			}
			keep(playerId, sport, limits);
		},
	};
}

const isNone = ({ maxStake, maxProfit }: BetLimits): boolean => maxStake === 0 && maxProfit === 0;
