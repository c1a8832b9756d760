/**
 * Changes of brands that are made at an instant. A change and its row move in one transaction with the journal, which is
 * fenced: a killed or deposed process leaves a change either made or waiting, and the next one makes it once.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { FieldText } from '#contract/setting-change.ts';
import { settingStanding } from '#server/operators/setting-standing.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { checkPictures } from '#server/world/brands/brand-pictures.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

interface ScheduledChange {
	schedule_id: number;
	host: string;
	/** Milliseconds. */
	at: number;
	changes: FieldText[];
	scheduled_by: string;
	state: 'WAITING' | 'DONE' | 'REFUSED' | 'WITHDRAWN';
	/** The code of the refusal. */
	outcome: string | null;
	/** What the refusal says. */
	reason: string | null;
}

type Decided = Pick<ScheduledChange, 'state' | 'outcome' | 'reason'>;
const COLUMNS = 'schedule_id, host, at, changes, scheduled_by, state, outcome, reason';

/** The act under which the journal has a change that was made at its instant. */
export const SCHEDULED_CHANGE = 'brand-scheduled-change';

const UNREFUSED = { outcome: null, reason: null } as const;

/** Waiting changes of one brand. */
const MOST_WAITING = 50;
const MOST_LISTED = 100;
const LOOK_EVERY_MS = 1_000;

interface BrandSchedulesOptions {
	db: pg.Pool;
	journal: Journal;
	brands: Pick<Brands, 'changeWithin'>;
	log: Pick<Logger, 'error'>;
	/** Milliseconds since 1970. */
	clock?: () => number;
}

export class BrandSchedules {
	readonly #options: BrandSchedulesOptions;
	readonly #clock: () => number;
	/** When the next change is due; null for none, undefined if it has to be read. */
	#nextAtMs: number | null | undefined;
	#looking: ReturnType<typeof setInterval> | null = null;
	#running: Promise<void> | null = null;

	constructor(options: BrandSchedulesOptions) {
		this.#options = options;
		this.#clock = options.clock ?? Date.now;
	}

	/** Begins to make changes that are due, those of the time without a server first. */
	start(): void {
		this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS);
		void this.#look();
	}

	async stop(): Promise<void> {
		if (this.#looking) clearInterval(this.#looking);
		await this.#running;
	}

	/**
	 * @param atMs in the future
	 * @param pictures of the changed setting, by name: they stay while the change waits
	 * @throws Refused WRONG_STATE if too many wait; VALIDATION_FAILED without one of the pictures
	 */
	async add(
		change: { host: string; atMs: number; changes: readonly FieldText[]; pictures: readonly string[] },
		by: string,
	): Promise<ScheduledChange> {
		const { host, atMs, changes, pictures } = change;
		const row = await this.#options.journal.change(async (client) => {
			await client.query('select from brand where host = $1 for update', [host]);
			await checkPictures(client, host, pictures);
			const { rows } = await client.query<ScheduledChange>(
				`insert into brand_schedule (host, at, changes, scheduled_by, state)
				 select $1, $2, $3, $4, 'WAITING'
				 where (select count(*) from brand_schedule where host = $1 and state = 'WAITING') < ${MOST_WAITING}
				 returning *`,
				[host, atMs, JSON.stringify(changes), by],
			);
			const [result] = rows;
			if (!result) throw new Refused('WRONG_STATE', {}, `The brand has ${MOST_WAITING} scheduled changes already.`);
			return { result, act: await this.#stateAct(client, result, by) };
		});
		this.#nextAtMs = undefined;
		return row;
	}

	/** @throws Refused NOT_FOUND; WRONG_STATE for one that was made, refused or withdrawn */
	async withdraw(host: string, scheduleId: number, by: string): Promise<void> {
		await this.#options.journal.change(async (client) => {
			const row = await this.#held(client, scheduleId);
			if (row?.host !== host) throw new Refused('NOT_FOUND');
			if (row.state !== 'WAITING') throw new Refused('WRONG_STATE');
			return { result: undefined, act: await this.#decide(client, row, { state: 'WITHDRAWN', ...UNREFUSED }, by) };
		});
		this.#nextAtMs = undefined;
	}

	/** Those that wait, the next first; then the newest. */
	async of(host: string): Promise<ScheduledChange[]> {
		const { rows } = await this.#options.db.query<ScheduledChange>(
			`select ${COLUMNS} from brand_schedule where host = $1
			 order by (state = 'WAITING') desc, case when state = 'WAITING' then at end, schedule_id desc
			 limit ${MOST_LISTED}`,
			[host],
		);
		return rows;
	}

	/** Makes every change that is due, by instant, then by the order in which they were scheduled. */
	async makeDue(): Promise<void> {
		const { rows } = await this.#options.db.query<{ schedule_id: number }>(
			`select schedule_id from brand_schedule where state = 'WAITING' and at <= $1 order by at, schedule_id`,
			[this.#clock()],
		);
		for (const { schedule_id: scheduleId } of rows) await this.#make(scheduleId);
		this.#nextAtMs = undefined;
	}

	async #look(): Promise<void> {
		this.#running ??= this.#makeDueSurely().finally(() => {
			this.#running = null;
		});
		await this.#running;
	}

	/** A fault is no end: the next look tries again. */
	async #makeDueSurely(): Promise<void> {
		try {
			if (this.#nextAtMs === undefined) this.#nextAtMs = await this.#readNext();
			if (this.#nextAtMs !== null && this.#nextAtMs <= this.#clock()) await this.makeDue();
		} catch (error) {
			const isElsewhere = isDatabaseFault(error) || (error instanceof Refused && error.code === 'DRAINING');
			if (!isElsewhere) this.#options.log.error({ err: error }, 'a scheduled change of a brand was not made yet');
		}
	}

	async #readNext(): Promise<number | null> {
		const { rows } = await this.#options.db.query<{ at: number | null }>(
			`select min(at) as at from brand_schedule where state = 'WAITING'`,
		);
		return rows[0]?.at ?? null;
	}

	/** The fields take their values whatever they are by then, if the setting still takes them. */
	async #make(scheduleId: number): Promise<void> {
		const announce = await this.#options.journal
			.change(async (client) => {
				const row = await this.#held(client, scheduleId);
				// Another process was first.
				if (row?.state !== 'WAITING') throw new Refused('WRONG_STATE');
				const { host, changes, scheduled_by: by } = row;
				const changed = await this.#options.brands
					.changeWithin(client, host, changes)
					.catch((error: unknown) => (error instanceof Refused ? error : Promise.reject(error)));
				if (changed instanceof Refused) {
					const refused = { state: 'REFUSED', outcome: changed.code, reason: changed.message } as const;
					return { result: () => undefined, act: await this.#decide(client, row, refused, 'server') };
				}
				const fields = changes.map(({ field }) => field);
				const act: Act = {
					actor: 'server',
					address: null,
					act: SCHEDULED_CHANGE,
					subject: `domain ${host}`,
					details: { host, scheduleId: String(scheduleId), by, changes },
					before: settingStanding(changed.before.setting, fields),
					after: settingStanding(changed.after.setting, fields),
				};
				const nextAct = await this.#decide(client, row, { state: 'DONE', ...UNREFUSED }, 'server');
				return { result: changed.announce, act, nextAct };
			})
			.catch((error: unknown) => {
				if (error instanceof Refused && error.code === 'WRONG_STATE') return () => undefined;
				throw error;
			});
		announce();
	}

	async #held(client: pg.PoolClient, scheduleId: number): Promise<ScheduledChange | undefined> {
		const { rows } = await client.query<ScheduledChange>(
			`select ${COLUMNS} from brand_schedule where schedule_id = $1 for update`,
			[scheduleId],
		);
		return rows[0];
	}

	async #decide(client: pg.PoolClient, row: ScheduledChange, decided: Decided, actor: string): Promise<Act> {
		const { state, outcome, reason } = decided;
		await client.query(
			'update brand_schedule set state = $2, outcome = $3, reason = $4, decided_at = $5 where schedule_id = $1',
			[row.schedule_id, state, outcome, reason, this.#clock()],
		);
		return await this.#stateAct(client, { ...row, ...decided }, actor);
	}

	/** The journal's row of a scheduled change's new state. */
	async #stateAct(client: pg.PoolClient, change: ScheduledChange, actor: string): Promise<Act> {
		const { schedule_id: scheduleId, host, state, outcome } = change;
		const row = await this.#options.journal.keep(client, 'brand_schedule', scheduleId);
		const details = { host, scheduleId: String(scheduleId), state, outcome };
		return { actor, address: null, act: 'brand-schedule-state', subject: `domain ${host}`, details, row };
	}
}
