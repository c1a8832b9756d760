/**
 * The records of all players' protection: in memory, where each check reads them, and in the database. A change counts
 * when it is durable with its journal row. A record holds the account's own choices; those of the person's other accounts
 * are read beside it.
 */
import type { Client } from '#server/money/funds/protection/exclusions.ts';
import type { Losses } from '#server/money/funds/protection/losses.ts';
import type { ProtectionOptions } from '#server/money/funds/protection/protection-options.ts';
import {
	limitsLosses,
	type ProtectionRecord,
	UNPROTECTED,
	withBreaks,
} from '#server/money/funds/protection/protection-record.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { PlayerId } from '#values/ids.ts';

/** The author of a change: the player with an address, an operator by name, or the server. */
export interface Changer {
	actor: string;
	address: string | null;
}

interface ProtectionRecordsOptions extends Pick<ProtectionOptions, 'db' | 'journal' | 'persons'> {
	losses: Pick<Losses, 'follow'>;
}

export class ProtectionRecords {
	readonly #options: ProtectionRecordsOptions;
	readonly #records = new Map<PlayerId, ProtectionRecord>();
	readonly #turns = new Turns();

	constructor(options: ProtectionRecordsOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { rows } = await this.#options.db.query<{ playerId: PlayerId; record: ProtectionRecord }>(
			'select player_id as "playerId", record from player_protection',
		);
		for (const { playerId, record } of rows) this.#records.set(playerId, record);
	}

	/** The accounts with a record. */
	all(): ReadonlyMap<PlayerId, ProtectionRecord> {
		return this.#records;
	}

	own(playerId: PlayerId): ProtectionRecord {
		return this.#records.get(playerId) ?? UNPROTECTED;
	}

	/** Of these accounts but this one. */
	others(playerId: PlayerId, accounts: readonly PlayerId[]): ProtectionRecord[] {
		return accounts.length === 1 ? [] : accounts.filter((other) => other !== playerId).map((other) => this.own(other));
	}

	/** The account's record, with the breaks of its person, as shown to the account. */
	of(playerId: PlayerId): ProtectionRecord {
		const others = this.others(playerId, this.#options.persons.accounts(playerId));
		return others.length === 0 ? this.own(playerId) : withBreaks(this.own(playerId), others);
	}

	/** Counts at once, and is stored with the account's next change. */
	holdInMemory(playerId: PlayerId, record: ProtectionRecord): void {
		this.#records.set(playerId, record);
	}

	/** @param beside is written in the same transaction, and may refuse it */
	async change(
		playerId: PlayerId,
		update: (before: ProtectionRecord) => ProtectionRecord,
		act: string,
		by: Changer,
		beside: (client: Client) => Promise<void> = async () => undefined,
	): Promise<ProtectionRecord> {
		const { journal, losses, persons } = this.#options;
		return await this.#turns.take(String(playerId), async () => {
			const before = this.own(playerId);
			const after = update(before);
			await journal.change(async (client) => {
				await client.query(
					`insert into player_protection (player_id, record) values ($1, $2)
					 on conflict (player_id) do update set record = excluded.record`,
					[playerId, JSON.stringify(after)],
				);
				await beside(client);
				return { result: undefined, act: { ...by, act, subject: `player ${playerId}`, before, after } };
			});
			// What is durable holds at once: until the earlier losses are known, no stake passes a limit of them.
			this.#records.set(playerId, after);
			if (limitsLosses(after)) void losses.follow(persons.accountsInPool(playerId)).catch(() => undefined);
			return after;
		});
	}
}
