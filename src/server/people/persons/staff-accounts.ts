/**
 * Members of staff who are also players. An operator declares the account; a name proves nothing, because a player may
 * choose any. A member decides about no account of the same person.
 */
import type pg from 'pg';
import type { Persons } from '#server/people/persons/persons.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { nameKey } from '#values/name-key.ts';

interface LinkRow {
	playerId: PlayerId;
	staffId: number;
	/** Of the member; names are never reused. */
	name: string;
}

interface StaffAccountsOptions {
	db: Pick<pg.Pool, 'query'>;
	journal: Journal;
	persons: Pick<Persons, 'accounts'>;
	clock: () => number;
}

export class StaffAccounts {
	readonly #options: StaffAccountsOptions;
	readonly #links = new Map<PlayerId, LinkRow>();

	constructor(options: StaffAccountsOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { rows } = await this.#options.db.query<LinkRow>(
			`select player_id as "playerId", staff_id as "staffId", name
			 from staff_player join staff using (staff_id) where staff_player.removed_at is null`,
		);
		for (const row of rows) this.#links.set(row.playerId, row);
	}

	/** The accounts declared as a member's. */
	of(staffId: number): PlayerId[] {
		return [...this.#links.values()].flatMap((link) => (link.staffId === staffId ? [link.playerId] : []));
	}

	/** Whether the account is that operator's own, or another account of the same person. */
	isOwn(playerId: PlayerId, operator: string): boolean {
		const key = nameKey(operator);
		return this.#options.persons
			.accounts(playerId)
			.some((account) => nameKey(this.#links.get(account)?.name ?? '') === key);
	}

	/** Whether the account is any member's own, or another account of such a person. */
	isOfStaff(playerId: PlayerId): boolean {
		return this.#links.size > 0 && this.#options.persons.accounts(playerId).some((account) => this.#links.has(account));
	}

	/** @throws Refused ALREADY_CLAIMED for the account of another member */
	async link(
		playerId: PlayerId,
		{ staffId, name }: { staffId: number; name: string },
		by: Pick<Act, 'actor' | 'address'>,
	): Promise<void> {
		const known = this.#links.get(playerId);
		if (known && known.staffId !== staffId) throw new Refused('ALREADY_CLAIMED');
		const { journal, clock } = this.#options;
		await journal.change(async (client) => {
			const { rowCount } = await client.query(
				`insert into staff_player (player_id, staff_id, linked_at) values ($1, $2, $3)
				 on conflict (player_id) do update set staff_id = excluded.staff_id, linked_at = excluded.linked_at, removed_at = null
				   where staff_player.removed_at is not null or staff_player.staff_id = excluded.staff_id`,
				[playerId, staffId, clock()],
			);
			if (rowCount !== 1) throw new Refused('ALREADY_CLAIMED');
			const row = await journal.keep(client, 'staff_player', playerId);
			const act = { ...by, act: 'staff-player-link', subject: `staff ${name}`, details: { playerId }, row };
			return { result: undefined, act };
		});
		this.#links.set(playerId, { playerId, staffId, name });
	}

	/** Before the account is erased, which may alone connect the person's other accounts: each of them is the member's. */
	async leave(playerId: PlayerId, by: Pick<Act, 'actor' | 'address'>): Promise<void> {
		const accounts = this.#options.persons.accounts(playerId);
		const link = accounts.map((account) => this.#links.get(account)).find((each) => each !== undefined);
		const unlinked = accounts.filter((account) => account !== playerId && !this.#links.has(account));
		if (link) for (const account of unlinked) await this.link(account, link, by);
	}

	/** @throws Refused NOT_FOUND */
	async unlink(
		playerId: PlayerId,
		{ staffId, name }: { staffId: number; name: string },
		by: Pick<Act, 'actor' | 'address'>,
	): Promise<void> {
		if (this.#links.get(playerId)?.staffId !== staffId) throw new Refused('NOT_FOUND');
		const { journal, clock } = this.#options;
		await journal.change(async (client) => {
			await client.query('update staff_player set removed_at = $2 where player_id = $1', [playerId, clock()]);
			const row = await journal.keep(client, 'staff_player', playerId);
			const act = { ...by, act: 'staff-player-unlink', subject: `staff ${name}`, details: { playerId }, row };
			return { result: undefined, act };
		});
		this.#links.delete(playerId);
	}
}
