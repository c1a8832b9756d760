/**
 * Player protection: limits, time-out, exclusion, closure, freezing. It is checked where a bet, a round or a deposit is
 * ordered, and answers from memory. Each change is durable, with its journal row, before it is answered.
 */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { WalletView } from '#engine/engine.ts';
import type { Journal } from '#server/db/journal.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { DepositLimits, Period } from '#server/funds/deposit-limits.ts';
import { Losses } from '#server/funds/protection/losses.ts';
import {
	barOf,
	confirmed,
	depositLimitsOf,
	hasLeft,
	type LimitName,
	limitsOf,
	lossLimitsOf,
	type ProtectionRecord,
	UNPROTECTED,
	withLimit,
} from '#server/funds/protection/protection-record.ts';
import { Turns } from '#server/turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';

const HOUR_MS = 3_600_000;
export const TIME_OUT_HOURS = { least: 24, most: 6 * 7 * 24 };
export const EXCLUSION_MONTHS = [6, 12, 60] as const;
export type ExclusionMonths = (typeof EXCLUSION_MONTHS)[number];

export interface ProtectionOptions {
	db: pg.Pool;
	journal: Journal;
	/** The setting of the player's domain as it is now. */
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	clock: () => number;
}

export type Limits = Record<LimitName, number | null>;

/** The author of a change: the player with an address, an operator by name, or the server. */
export interface Changer {
	actor: string;
	address: string | null;
}

export class Protection {
	readonly #options: ProtectionOptions;
	readonly #records = new Map<number, ProtectionRecord>();
	/** The ends of exclusions, by mobile. */
	readonly #excluded = new Map<string, number>();
	readonly #losses: Losses;
	readonly #turns = new Turns();

	constructor(options: ProtectionOptions) {
		this.#options = options;
		this.#losses = new Losses(options.db);
	}

	async load(): Promise<void> {
		const { db } = this.#options;
		const records = await db.query<{ playerId: PlayerId; record: ProtectionRecord }>(
			'select player_id as "playerId", record from player_protection',
		);
		for (const { playerId, record } of records.rows) this.#records.set(playerId, record);
		const limited = records.rows.filter(({ record }) => limitsLosses(record)).map(({ playerId }) => playerId);
		// All at once: one query for each would take minutes with many players.
		await this.#losses.follow(limited, this.#options.clock());
		const persons = await db.query<{ mobile: string; untilMs: number }>(
			'select mobile, until_at as "untilMs" from exclusion',
		);
		for (const { mobile, untilMs } of persons.rows) this.#excluded.set(mobile, untilMs);
		// A crash may have come between the person's exclusion and that of each account.
		const accounts = await db.query<{ playerId: PlayerId; untilMs: number }>(
			'select player_id as "playerId", until_at as "untilMs" from exclusion join player using (mobile)',
		);
		for (const { playerId, untilMs } of accounts.rows) this.#excludeInMemory(playerId, untilMs);
	}

	of(playerId: PlayerId): ProtectionRecord {
		return this.#records.get(playerId) ?? UNPROTECTED;
	}

	limits(playerId: PlayerId): Limits {
		const setting = this.#options.settingOf(playerId);
		if (!setting) throw new Refused('UNKNOWN_USER');
		return limitsOf(this.of(playerId), setting);
	}

	/** @throws Refused EXCLUDED, ACCOUNT_CLOSED, ACCOUNT_FROZEN, TIMED_OUT */
	admit(playerId: PlayerId): void {
		const bar = barOf(this.of(playerId), this.#options.clock());
		if (bar) throw new Refused(bar.code, bar.untilMs === null ? {} : { until: new Date(bar.untilMs).toISOString() });
	}

	/**
	 * Checks a bet or a round where it is ordered.
	 * @param stake paise, with the largest possible loss
	 * @param wallet as it is where commands are ordered
	 * @throws Refused as `admit`, STAKE_LIMIT, LOSS_LIMIT
	 */
	admitStake(
		playerId: PlayerId,
		{ stake, risk }: { stake: AnyPaise; risk: AnyPaise },
		wallet: () => Pick<WalletView, 'exposure'> | null,
	): void {
		this.admit(playerId);
		const { settingOf, clock } = this.#options;
		const setting = settingOf(playerId);
		if (!setting) return;
		const record = this.of(playerId);
		const { stake: most } = limitsOf(record, setting);
		if (most !== null && stake > most) throw new Refused('STAKE_LIMIT', { limit: majorFromPaise(most) });
		for (const [period, limit] of Object.entries(lossLimitsOf(record, setting)) as [Period, number | null][]) {
			if (limit === null) continue;
			this.#follow(playerId);
			const atStake = this.#losses.lost(playerId, period, clock()) + (wallet()?.exposure ?? 0) + risk;
			if (atStake > limit) throw new Refused('LOSS_LIMIT', { period, limit: majorFromPaise(limit) });
		}
	}

	depositLimits(playerId: PlayerId): DepositLimits {
		const setting = this.#options.settingOf(playerId);
		return setting ? depositLimitsOf(this.of(playerId), setting) : { DAY: 0, WEEK: 0, MONTH: 0 };
	}

	/** Lower at once; higher or none after a day, see `confirmRaise`. */
	async setLimits(playerId: PlayerId, limits: Partial<Limits>, by: Changer): Promise<ProtectionRecord> {
		const { settingOf, clock } = this.#options;
		const setting = settingOf(playerId);
		if (!setting) throw new Refused('UNKNOWN_USER');
		const update = (before: ProtectionRecord) =>
			(Object.entries(limits) as [LimitName, number | null][]).reduce(
				(record, [name, to]) => withLimit(record, setting, { name, to }, clock()),
				before,
			);
		return await this.#change(playerId, update, 'LIMITS_SET', by);
	}

	/** @throws Refused WRONG_STATE when there is nothing to confirm yet */
	async confirmRaise(playerId: PlayerId, name: LimitName, by: Changer): Promise<ProtectionRecord> {
		const update = (before: ProtectionRecord) => {
			const record = confirmed(before, name, this.#options.clock());
			if (!record) throw new Refused('WRONG_STATE');
			return record;
		};
		return await this.#change(playerId, update, 'LIMIT_RAISED', by);
	}

	/** For every account of the person; never shortened. */
	async timeOut(playerId: PlayerId, hours: number, by: Changer): Promise<void> {
		const untilMs = this.#options.clock() + hours * HOUR_MS;
		for (const account of await this.#accountsOf(playerId)) await this.#timeOut(account, untilMs, by);
	}

	async #timeOut(playerId: PlayerId, untilMs: number, by: Changer): Promise<void> {
		const update = (before: ProtectionRecord) => ({
			...before,
			timeOutUntilMs: Math.max(before.timeOutUntilMs ?? 0, untilMs),
		});
		await this.#change(playerId, update, 'TIMED_OUT', by);
	}

	/**
	 * On every domain, and for later accounts of the same mobile; never shortened.
	 * @returns the accounts of the person
	 */
	async exclude(playerId: PlayerId, months: ExclusionMonths, by: Changer): Promise<PlayerId[]> {
		const until = new Date(this.#options.clock());
		until.setUTCMonth(until.getUTCMonth() + months);
		const { rows } = await this.#options.db.query<{ mobile: string | null }>(
			'select mobile from player where player_id = $1',
			[playerId],
		);
		const mobile = rows[0]?.mobile;
		// The person comes before the accounts: an account that is made meanwhile is either found here, or finds the
		// person excluded.
		if (mobile) await this.#excludePerson(mobile, until.getTime());
		const accounts = await this.#accountsOf(playerId);
		for (const account of accounts) await this.#exclude(account, until.getTime(), by);
		return accounts;
	}

	/** Exclusions and time-outs of a person apply to new accounts, too. */
	async welcome(playerId: PlayerId, mobile: string): Promise<void> {
		const by = { actor: 'server', address: null };
		const now = this.#options.clock();
		const untilMs = this.#excluded.get(mobile) ?? 0;
		if (untilMs > now) {
			// Memory comes first: the change holds even when the database does not answer.
			this.#excludeInMemory(playerId, untilMs);
			await this.#exclude(playerId, untilMs, by);
		}
		const breaks = (await this.#accountsOf(playerId)).map((account) => this.of(account).timeOutUntilMs ?? 0);
		const breakUntilMs = Math.max(0, ...breaks);
		if (breakUntilMs > now) await this.#timeOut(playerId, breakUntilMs, by);
	}

	/** Players that left for good: excluded, or with a closed account. */
	left(): PlayerId[] {
		const now = this.#options.clock();
		return [...this.#records].flatMap(([playerId, record]) => (hasLeft(record, now) ? [playerId] : []));
	}

	hasLeft(playerId: PlayerId): boolean {
		return hasLeft(this.of(playerId), this.#options.clock());
	}

	/** The player's own account, and those with the same mobile on any domain. */
	async #accountsOf(playerId: PlayerId): Promise<PlayerId[]> {
		const { rows } = await this.#options.db.query<{ playerId: PlayerId }>(
			`select player_id as "playerId" from player
			 where player_id = $1 or mobile = (select mobile from player where player_id = $1)`,
			[playerId],
		);
		return rows.map((row) => row.playerId);
	}

	#excludeInMemory(playerId: PlayerId, untilMs: number): void {
		const record = this.of(playerId);
		const excludedUntilMs = Math.max(record.excludedUntilMs ?? 0, untilMs);
		this.#records.set(playerId, { ...record, excludedUntilMs });
	}

	async #exclude(playerId: PlayerId, untilMs: number, by: Changer): Promise<void> {
		const update = (before: ProtectionRecord) => ({
			...before,
			excludedUntilMs: Math.max(before.excludedUntilMs ?? 0, untilMs),
		});
		await this.#change(playerId, update, 'EXCLUDED', by);
	}

	async close(playerId: PlayerId, by: Changer): Promise<ProtectionRecord> {
		const update = (before: ProtectionRecord) => ({
			...before,
			closedAtMs: before.closedAtMs ?? this.#options.clock(),
		});
		return await this.#change(playerId, update, 'ACCOUNT_CLOSED', by);
	}

	/** @param reason null unfreezes the account */
	async freeze(playerId: PlayerId, reason: string | null, by: Changer): Promise<ProtectionRecord> {
		const act = reason === null ? 'ACCOUNT_UNFROZEN' : 'ACCOUNT_FROZEN';
		return await this.#change(playerId, (before) => ({ ...before, frozen: reason }), act, by);
	}

	/** An operator has seen the player's documents. */
	async identify(playerId: PlayerId, by: Changer): Promise<void> {
		const identifiedAtMs = this.#options.clock();
		await this.#change(playerId, (before) => ({ ...before, identifiedAtMs }), 'IDENTIFIED', by);
	}

	async setRealityCheck(playerId: PlayerId, minutes: number, by: Changer): Promise<ProtectionRecord> {
		const update = (before: ProtectionRecord) => ({ ...before, realityCheckMinutes: minutes });
		return await this.#change(playerId, update, 'REALITY_CHECK_SET', by);
	}

	async followLosses(playerId: PlayerId): Promise<void> {
		await this.#losses.follow([playerId], this.#options.clock());
	}

	/** Paise lost in the period before now, of a player whose losses are followed. */
	lost(playerId: PlayerId, period: Period): number {
		return this.#losses.lost(playerId, period, this.#options.clock());
	}

	onCommitted(committed: Committed): void {
		this.#losses.onCommitted(committed);
	}

	/**
	 * A default of the domain may limit a player without a record in memory yet. @throws Refused STARTING until it is
	 * read
	 */
	#follow(playerId: PlayerId): void {
		if (this.#losses.isFollowed(playerId)) return;
		void this.#losses.follow([playerId], this.#options.clock()).catch(() => undefined);
		throw new Refused('STARTING');
	}

	async #excludePerson(mobile: string, untilMs: number): Promise<void> {
		await this.#options.db.query(
			`insert into exclusion (mobile, until_at) values ($1, $2)
			 on conflict (mobile) do update set until_at = greatest(exclusion.until_at, excluded.until_at)`,
			[mobile, untilMs],
		);
		this.#excluded.set(mobile, Math.max(this.#excluded.get(mobile) ?? 0, untilMs));
	}

	async #change(
		playerId: PlayerId,
		update: (before: ProtectionRecord) => ProtectionRecord,
		act: string,
		by: Changer,
	): Promise<ProtectionRecord> {
		return await this.#turns.take(String(playerId), async () => {
			const before = this.of(playerId);
			const after = update(before);
			await this.#options.journal.change(async (client) => {
				await client.query(
					`insert into player_protection (player_id, record) values ($1, $2)
					 on conflict (player_id) do update set record = excluded.record`,
					[playerId, JSON.stringify(after)],
				);
				return { result: undefined, act: { ...by, act, subject: `player ${playerId}`, before, after } };
			});
			await this.#keep(playerId, after);
			return after;
		});
	}

	async #keep(playerId: PlayerId, record: ProtectionRecord): Promise<void> {
		if (limitsLosses(record)) await this.#losses.follow([playerId], this.#options.clock());
		this.#records.set(playerId, record);
	}
}

const limitsLosses = ({ limits: { lossDay, lossWeek, lossMonth } }: ProtectionRecord): boolean =>
	(lossDay ?? lossWeek ?? lossMonth ?? null) !== null;
