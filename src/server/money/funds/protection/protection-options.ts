/** What the rest of the server gives to the protection of players. */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { zoneAt } from '#contract/rules-at.ts';
import type { Persons } from '#server/people/persons/persons.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { PlayerId } from '#values/ids.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';

export interface ProtectionOptions {
	db: pg.Pool;
	/** For the earlier losses of players. */
	throughHistory: Pick<pg.Pool, 'query'>;
	journal: Journal;
	persons: Persons;
	/** Called with newly barred accounts: their open workflows end. */
	onBarred: (playerId: PlayerId) => void;
	/** The current setting of the player's domain. */
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	/** A demo player, who sets no limits. */
	isDemo: (playerId: PlayerId) => boolean;
	/** The ledger's time: setting the wall clock neither ends a break nor empties a limit. */
	clock: () => number;
	/** Whether the player's disputes lack money. */
	isShort: (playerId: PlayerId) => boolean;
}

/** The zone of the days of the account's brand. */
export function zoneOf({ settingOf }: Pick<ProtectionOptions, 'settingOf'>, playerId: PlayerId, nowMs: number): string {
	const setting = settingOf(playerId);
	return setting ? zoneAt(setting, nowMs) : HOME_ZONE;
}
