/** Screens of the console that members save with their filters, by name. They contain nothing but an address. */
import type pg from 'pg';
import { Refused } from '#values/error-catalogue.ts';

const MOST_VIEWS = 50;

interface SavedView {
	name: string;
	/** The console's path and its query. */
	address: string;
}

export class SavedViews {
	readonly #db: pg.Pool;

	constructor({ db }: { db: pg.Pool }) {
		this.#db = db;
	}

	/** The member's, by name. */
	async of(staffId: number): Promise<SavedView[]> {
		const { rows } = await this.#db.query<SavedView>(
			'select name, address from saved_view where staff_id = $1 order by lower(name), name',
			[staffId],
		);
		return rows;
	}

	/** Replaces a view of that name. @throws Refused VALIDATION_FAILED if the member has reached the limit */
	async save(staffId: number, { name, address }: SavedView): Promise<void> {
		const { rowCount } = await this.#db.query(
			`insert into saved_view (staff_id, name, address, saved_at)
			 select $1, $2, $3, $4 where $5 > (select count(*) from saved_view where staff_id = $1 and name <> $2)
			 on conflict (staff_id, name) do update set address = excluded.address, saved_at = excluded.saved_at`,
			[staffId, name, address, Date.now(), MOST_VIEWS],
		);
		if (rowCount === 0) throw new Refused('VALIDATION_FAILED', {}, `A member keeps ${MOST_VIEWS} views at most.`);
	}

	/** Does nothing if there is no view of that name. */
	async remove(staffId: number, name: string): Promise<void> {
		await this.#db.query('delete from saved_view where staff_id = $1 and name = $2', [staffId, name]);
	}
}
