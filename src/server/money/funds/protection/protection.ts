/**
 * Player protection: limits, time-out, exclusion, closure, freezing. It is checked at every door (`persons/doors.ts`),
 * and answers from memory. Limits and breaks belong to a person and apply to all accounts on all brands. They also
 * apply to an account that merely states the person's mobile; its own choices apply to it alone, and it is told nothing
 * about the person's. Each change is durable, with its journal row, before it is answered.
 */
import type { BrandRules } from '#contract/brand-rules.ts';
import { rulesAt, zoneAt } from '#contract/rules-at.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { OrderedWallets } from '#server/exchange/exchange.ts';
import {
	type DepositLimits,
	depositedBy,
	type Frames,
	framesAt,
	type LimitUse,
	limitUses,
	type Period,
} from '#server/money/funds/deposit-limits.ts';
import { type Client, Exclusions, nameByDocument } from '#server/money/funds/protection/exclusions.ts';
import { Losses } from '#server/money/funds/protection/losses.ts';
import type { ProtectionOptions } from '#server/money/funds/protection/protection-options.ts';
import {
	type Bar,
	barOf,
	confirmed,
	depositLimitsOf,
	excluded,
	type LimitName,
	type Limits,
	leastAge,
	limitsDue,
	limitsLosses,
	limitsOf,
	lossLimitsOf,
	NO_LIMITS,
	type ProtectionRecord,
	strictest,
	timedOut,
	UNPROTECTED,
	withBreaks,
	withLimit,
	withLimitsOf,
	withoutFigures,
} from '#server/money/funds/protection/protection-record.ts';
import type { Door } from '#server/people/persons/doors.ts';
import type { Persons } from '#server/people/persons/persons.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { HOUR_MS } from '#values/time.ts';
import { HOME_ZONE, monthsAfter } from '#values/zoned-calendar.ts';

const EXCLUSION_MONTHS = [6, 12, 60] as const;
type ExclusionMonths = (typeof EXCLUSION_MONTHS)[number];

/** The author of a change: the player with an address, an operator by name, or the server. */
export interface Changer {
	actor: string;
	address: string | null;
}

const BY_SERVER: Changer = { actor: 'server', address: null };

export class Protection {
	readonly #options: ProtectionOptions;
	readonly #records = new Map<number, ProtectionRecord>();
	readonly #exclusions: Exclusions;
	/** New accounts whose person could not be read yet. */
	readonly #unmet = new Set<PlayerId>();
	readonly #persons: Persons;
	readonly #losses: Losses;
	readonly #turns = new Turns();

	constructor(options: ProtectionOptions) {
		this.#options = options;
		this.#persons = options.persons;
		this.#exclusions = new Exclusions(options.db);
		this.#losses = new Losses(options.throughHistory, options.clock);
	}

	async load(): Promise<void> {
		const { db } = this.#options;
		const [records, left] = await Promise.all([
			db.query<{ playerId: PlayerId; record: ProtectionRecord }>(
				'select player_id as "playerId", record from player_protection',
			),
			this.#exclusions.load(),
			this.#persons.load(),
		]);
		for (const { playerId, record } of records.rows) this.#records.set(playerId, record);
		for (const { playerId, untilMs } of left) this.#excludeInMemory(playerId, untilMs);
		const limited = records.rows.filter(({ record }) => limitsLosses(record));
		const accounts = new Set(limited.flatMap(({ playerId }) => this.#persons.accountsInPool(playerId)));
		// All in one query: one query for each would take minutes with many players.
		await this.#losses.follow([...accounts]);
	}

	/** The account's record, with the breaks of its person, as shown to the account. */
	of(playerId: PlayerId): ProtectionRecord {
		const others = this.#others(playerId, this.#persons.accounts(playerId));
		return others.length === 0 ? this.#own(playerId) : withBreaks(this.#own(playerId), others);
	}

	/** The limits shown to the account: its own, and the person's choices on other accounts of the pool, or on these. */
	limits(playerId: PlayerId, accounts = this.accounts(playerId)): Limits {
		const setting = this.#options.settingOf(playerId);
		if (!setting) throw new Refused('UNKNOWN_USER');
		const own = limitsOf(this.#own(playerId), setting);
		const others = this.#others(playerId, accounts);
		return others.length === 0 ? own : strictest(own, others);
	}

	/** Limits of the owner of a mobile that the account only states; null for none. They are shown to no account. */
	#limitsAbove(playerId: PlayerId): Limits | null {
		const above = this.#persons.aboveInPool(playerId);
		return above.length === 0
			? null
			: withoutFigures(
					strictest(
						NO_LIMITS,
						above.map((account) => this.#own(account)),
					),
				);
	}

	/** The accounts that share limits with this one, including itself. */
	accounts(playerId: PlayerId): readonly PlayerId[] {
		return this.#persons.accountsInPool(playerId);
	}

	/** Deposits of one person take turns under this name. */
	turnOf(playerId: PlayerId): string {
		return `player ${this.#persons.accounts(playerId)[0]}`;
	}

	#own(playerId: PlayerId): ProtectionRecord {
		return this.#records.get(playerId) ?? UNPROTECTED;
	}

	#others(playerId: PlayerId, accounts: readonly PlayerId[]): ProtectionRecord[] {
		return accounts.length === 1 ? [] : accounts.filter((other) => other !== playerId).map((other) => this.#own(other));
	}

	/** @throws Refused EXCLUDED, ACCOUNT_CLOSED, ACCOUNT_FROZEN, TIMED_OUT; STARTING while the person is unknown */
	admit(playerId: PlayerId, door: Door): void {
		if (this.#unmet.has(playerId)) {
			void this.#meet(playerId);
			throw new Refused('STARTING');
		}
		const bar = this.barOf(playerId);
		if (!bar) return;
		const until = bar.untilMs === null ? {} : { until: new Date(bar.untilMs).toISOString() };
		throw new Refused(bar.code, { ...until, door });
	}

	/** For actions that are skipped without a refusal; an account whose person is unknown counts as barred. */
	isBarred(playerId: PlayerId, door: Door): boolean {
		try {
			this.admit(playerId, door);
			return false;
		} catch (error) {
			if (error instanceof Refused) return true;
			throw error;
		}
	}

	/**
	 * Checks a bet or a round where it is ordered. The possible losses of all earlier commands count, durable or not, so
	 * concurrent bets, rounds and markets cannot pass a limit together.
	 * @param stake minor units, with the largest possible loss
	 * @param wallets in the state at the point where commands are ordered
	 * @throws Refused as `admit`, PAYMENT_DISPUTED, STAKE_LIMIT, LOSS_LIMIT; without a figure if the limit is hidden
	 * from the account
	 */
	admitStake(
		playerId: PlayerId,
		{ stake, risk, door }: { stake: AnyMinor; risk: AnyMinor; door: Door },
		wallets: OrderedWallets,
	): void {
		this.admit(playerId, door);
		if (this.#options.isShort(playerId)) throw new Refused('PAYMENT_DISPUTED');
		if (!this.#options.settingOf(playerId)) return;
		const refusalOf = this.#judgeOf(playerId, { stake, risk }, wallets);
		const passed = refusalOf(this.limits(playerId));
		if (passed) throw passed;
		const above = this.#limitsAbove(playerId);
		const hidden = above && refusalOf(above);
		if (hidden) throw new Refused(hidden.code);
	}

	/** Checks a stake against limits, given the past and possible losses of the person's accounts. */
	#judgeOf(
		playerId: PlayerId,
		{ stake, risk }: { stake: AnyMinor; risk: AnyMinor },
		wallets: OrderedWallets,
	): (limits: Limits) => Refused | null {
		return (limits) => {
			const { stake: most } = limits;
			if (most !== null && stake > most) return new Refused('STAKE_LIMIT', { limit: majorFromMinor(most) });
			const passed = this.#losses.passed(lossLimitsOf(limits), { accounts: this.accounts(playerId), risk, wallets });
			return passed && new Refused('LOSS_LIMIT', { period: passed.period, limit: majorFromMinor(passed.limit) });
		};
	}

	/**
	 * Checks a deposit against the limits.
	 * @throws Refused DEPOSIT_LIMIT, without a figure if the limit is hidden from the account
	 */
	async admitDeposit(playerId: PlayerId, amount: AnyMinor): Promise<void> {
		const passed = (await this.depositUses(playerId)).find(({ left }) => amount > left);
		if (passed) {
			const { period, limit, left } = passed;
			throw new Refused('DEPOSIT_LIMIT', { period, limit: majorFromMinor(limit), left: majorFromMinor(left) });
		}
		if ((await this.#hiddenUses(playerId)).some(({ left }) => amount > left)) throw new Refused('DEPOSIT_LIMIT');
	}

	/** Whether deposits of the person, with what is reserved, are above a limit: what is still to be credited passes it. */
	async passesDepositLimit(playerId: PlayerId): Promise<boolean> {
		const uses = [...(await this.depositUses(playerId)), ...(await this.#hiddenUses(playerId))];
		return uses.some(({ used, limit }) => used > limit);
	}

	/** Of the limits that are shown to no account. */
	async #hiddenUses(playerId: PlayerId): Promise<LimitUse[]> {
		const above = this.#limitsAbove(playerId);
		return above ? await this.#usesOf(playerId, depositLimitsOf(above)) : [];
	}

	/** Accounts with a limit of their own, and those whose losses are tracked. */
	limited(): PlayerId[] {
		const chosen = [...this.#records].filter(([, { limits }]) =>
			Object.values(limits).some((limit) => limit !== null && limit !== undefined),
		);
		const all = new Set([...chosen.map(([playerId]) => playerId), ...this.#losses.players()]);
		return ([...all] as PlayerId[]).filter((playerId) => this.#options.settingOf(playerId) !== null);
	}

	/** The ledger's time. */
	now(): number {
		return this.#options.clock();
	}

	depositLimits(playerId: PlayerId): DepositLimits {
		if (!this.#options.settingOf(playerId)) return { DAY: 0, WEEK: 0, MONTH: 0 };
		return depositLimitsOf(this.limits(playerId));
	}

	/** The frames in which deposits of the account count, by the profile of its brand. */
	depositFrames(playerId: PlayerId, nowMs: number): Frames {
		const { depositFrames } = this.#rulesOf(playerId, nowMs);
		return framesAt(nowMs, depositFrames, this.zoneOf(playerId, nowMs));
	}

	#rulesOf(playerId: PlayerId, nowMs: number): BrandRules {
		return rulesAt(this.#options.settingOf(playerId) ?? { rules: [] }, nowMs);
	}

	/** Of the days of the account's brand. */
	zoneOf(playerId: PlayerId, nowMs: number): string {
		const setting = this.#options.settingOf(playerId);
		return setting ? zoneAt(setting, nowMs) : HOME_ZONE;
	}

	/** The person's deposits and reserved amounts in minor units, in the present frames. */
	async deposited(playerId: PlayerId): Promise<Record<Period, number>> {
		return await depositedBy(this.#options.db, this.accounts(playerId), this.depositFrames(playerId, this.now()));
	}

	/** The deposit limits that are set, with their use. Reads nothing without a limit. */
	async depositUses(playerId: PlayerId): Promise<LimitUse[]> {
		return await this.#usesOf(playerId, this.depositLimits(playerId));
	}

	async #usesOf(playerId: PlayerId, limits: DepositLimits): Promise<LimitUse[]> {
		if (Object.values(limits).every((limit) => limit === null)) return [];
		return limitUses(limits, await this.deposited(playerId));
	}

	/**
	 * The bar on the account; null if the player may act. Its end is left out if the break was taken by the owner of a
	 * mobile that the account only states.
	 */
	barOf(playerId: PlayerId): { code: Bar; untilMs: number | null } | null {
		const now = this.#options.clock();
		const record = this.of(playerId);
		const own = barOf(record, now);
		const above = this.#persons.above(playerId);
		if (above.length === 0) return own;
		const bar = barOf(
			withBreaks(
				record,
				above.map((account) => this.#own(account)),
			),
			now,
		);
		return bar && bar.code !== own?.code ? { code: bar.code, untilMs: null } : own;
	}

	/** Whether the owner of a mobile that the account only states has set a limit or break that applies to it. */
	isHeldByMobile(playerId: PlayerId): boolean {
		const above = this.#limitsAbove(playerId);
		const hasLimit = above !== null && Object.values(above).some((limit) => limit !== null);
		return hasLimit || this.barOf(playerId)?.code !== barOf(this.of(playerId), this.#options.clock())?.code;
	}

	/**
	 * A lower limit applies immediately; a higher one or none after a day, see `confirmRaise`. For every account of the
	 * person in the pool.
	 * @param isReview whether the player looked at the limits, and did not leave them as they are
	 */
	async setLimits(
		playerId: PlayerId,
		limits: Partial<Limits>,
		by: Changer,
		{ isReview = false } = {},
	): Promise<ProtectionRecord> {
		if (!this.#options.settingOf(playerId)) throw new Refused('UNKNOWN_USER');
		const nowMs = this.#options.clock();
		for (const account of this.accounts(playerId)) {
			if (!this.#options.settingOf(account)) continue;
			const update = (before: ProtectionRecord) => {
				const present = this.limits(account);
				const reviewed = isReview && account === playerId ? { ...before, limitsReviewedAtMs: nowMs } : before;
				return (Object.entries(limits) as [LimitName, number | null][]).reduce(
					(record, [name, to]) => withLimit(record, { name, to, present: present[name] }, nowMs),
					reviewed,
				);
			};
			await this.#change(account, update, 'LIMITS_SET', by);
		}
		await this.readLosses(playerId);
		return this.of(playerId);
	}

	/** Before the account is erased, which may alone connect the person's other accounts: each keeps the limits of all. */
	async leaveLimits(playerId: PlayerId, by: Changer): Promise<void> {
		for (const account of this.accounts(playerId).filter((each) => each !== playerId)) {
			const [setting, others] = [this.#options.settingOf(account), this.#others(account, this.accounts(account))];
			const lowered = (before: ProtectionRecord) => (setting ? withLimitsOf(before, others, setting) : before);
			if (lowered(this.#own(account)) !== this.#own(account)) await this.#change(account, lowered, 'LIMITS_SET', by);
		}
	}

	/**
	 * Why the player is to be asked for limits: never answered, or not for as long as the profile of the brand says. Null
	 * while nothing is to be asked.
	 */
	limitsDue(playerId: PlayerId): 'FIRST' | 'REMINDER' | null {
		if (this.#options.isDemo(playerId)) return null;
		const nowMs = this.now();
		return limitsDue(this.#own(playerId), this.#rulesOf(playerId, nowMs), this.zoneOf(playerId, nowMs), nowMs);
	}

	/** The player looked at the limits, and left them as they are. */
	async reviewLimits(playerId: PlayerId, by: Changer): Promise<void> {
		const limitsReviewedAtMs = this.now();
		await this.#change(playerId, (before) => ({ ...before, limitsReviewedAtMs }), 'LIMITS_REVIEWED', by);
	}

	/** @throws Refused WRONG_STATE if there is nothing to confirm yet */
	async confirmRaise(playerId: PlayerId, name: LimitName, by: Changer): Promise<ProtectionRecord> {
		const nowMs = this.#options.clock();
		const raised = this.accounts(playerId).filter((account) => confirmed(this.#own(account), name, nowMs) !== null);
		if (raised.length === 0) throw new Refused('WRONG_STATE');
		for (const account of raised) {
			const update = (before: ProtectionRecord) => {
				const record = confirmed(before, name, nowMs);
				if (!record) throw new Refused('WRONG_STATE');
				return record;
			};
			await this.#change(account, update, 'LIMIT_RAISED', by);
		}
		return this.of(playerId);
	}

	/** For every account of the person; never shortens a break. */
	async timeOut(playerId: PlayerId, hours: number, by: Changer): Promise<void> {
		const untilMs = this.#options.clock() + hours * HOUR_MS;
		await this.#persons.meet(playerId);
		for (const account of this.#persons.accounts(playerId))
			await this.#change(account, (before) => timedOut(before, untilMs), 'TIMED_OUT', by);
		this.#announce(playerId);
	}

	/**
	 * On every domain, and for later accounts with the same proven mobile or document; never shortens an exclusion. An
	 * account without any proof excludes itself alone.
	 * @returns the accounts that it excludes
	 */
	async exclude(playerId: PlayerId, months: ExclusionMonths, by: Changer): Promise<PlayerId[]> {
		const nowMs = this.#options.clock();
		const untilMs = monthsAfter(nowMs, months, this.zoneOf(playerId, nowMs));
		await this.#persons.meet(playerId);
		// The person comes before the accounts: an account created meanwhile is either found here, or sees the exclusion
		// of the person.
		await this.#exclusions.add(this.#persons.accounts(playerId), untilMs);
		await this.#persons.meet(playerId);
		const accounts = this.#persons.accounts(playerId);
		for (const account of accounts) await this.#exclude(account, untilMs, by);
		this.#announce(playerId);
		return this.#persons.reached(playerId);
	}

	/**
	 * Reads a new account's person before the account can be used: limits, breaks and exclusions of the person apply to
	 * it, too. While the person cannot be read, the account takes no risk.
	 */
	async welcome(playerId: PlayerId, mobile: { number: string; isProven: boolean }): Promise<void> {
		// Memory is updated first: the change applies even if the database does not answer.
		const untilMs = this.#exclusions.endByMobile(mobile.number);
		if (mobile.isProven && untilMs > this.#options.clock()) this.#excludeInMemory(playerId, untilMs);
		this.#unmet.add(playerId);
		await this.#meet(playerId);
		// Exclusions from before proven mobiles have no person; they stay.
		const isOldHint = !mobile.isProven && untilMs > this.#options.clock() && this.barOf(playerId) === null;
		if (isOldHint) await this.#exclude(playerId, untilMs, BY_SERVER);
	}

	/** Stores the person's limits and breaks with the account itself, for the journal. */
	async #meet(playerId: PlayerId): Promise<void> {
		try {
			await this.#persons.meet(playerId);
			this.#unmet.delete(playerId);
			const now = this.#options.clock();
			const own = this.#own(playerId);
			const { excludedUntilMs, timeOutUntilMs } = this.of(playerId);
			if (excludedUntilMs !== null && excludedUntilMs > now) {
				// Proofs made since the exclusion bar later accounts, too.
				await this.#exclusions.add(this.#persons.accounts(playerId), excludedUntilMs);
				if (own.excludedUntilMs !== excludedUntilMs) await this.#exclude(playerId, excludedUntilMs, BY_SERVER);
			}
			if (timeOutUntilMs !== null && timeOutUntilMs > now && own.timeOutUntilMs !== timeOutUntilMs)
				await this.#change(playerId, (before) => timedOut(before, timeOutUntilMs), 'TIMED_OUT', BY_SERVER);
			this.#announce(playerId);
		} catch {
			// The next attempt to take a risk reads the person again.
			this.#unmet.add(playerId);
		}
	}

	/** Reports barred accounts. */
	#announce(playerId: PlayerId): void {
		for (const account of this.#persons.reached(playerId)) if (this.barOf(account)) this.#options.onBarred(account);
	}

	/** The barred accounts, also those that are barred by another one of the person. */
	barred(): PlayerId[] {
		const known = ([...this.#records.keys()] as PlayerId[]).filter((playerId) => this.barOf(playerId));
		const players = new Set(known.flatMap((playerId) => this.#persons.reached(playerId)));
		return [...players].filter((playerId) => this.barOf(playerId));
	}

	/** The player has left permanently, or for long: bonuses are forfeited. */
	hasLeft(playerId: PlayerId): boolean {
		const code = this.barOf(playerId)?.code;
		return code === 'EXCLUDED' || code === 'ACCOUNT_CLOSED';
	}

	#excludeInMemory(playerId: PlayerId, untilMs: number): void {
		this.#records.set(playerId, excluded(this.#own(playerId), untilMs));
	}

	async #exclude(playerId: PlayerId, untilMs: number, by: Changer): Promise<void> {
		await this.#change(playerId, (before) => excluded(before, untilMs), 'EXCLUDED', by);
	}

	async close(playerId: PlayerId, by: Changer): Promise<ProtectionRecord> {
		const update = (before: ProtectionRecord) => ({ ...before, closedAtMs: before.closedAtMs ?? this.now() });
		const record = await this.#change(playerId, update, 'ACCOUNT_CLOSED', by);
		this.#announce(playerId);
		return record;
	}

	/** @param reason null unfreezes the account */
	async freeze(playerId: PlayerId, reason: string | null, by: Changer): Promise<ProtectionRecord> {
		const act = reason === null ? 'ACCOUNT_UNFROZEN' : 'ACCOUNT_FROZEN';
		const record = await this.#change(playerId, (before) => ({ ...before, frozen: reason }), act, by);
		this.#announce(playerId);
		return record;
	}

	/**
	 * An operator has verified the player's documents.
	 * @param document its fingerprints, the current key's first: accounts of one document belong to one person; null if
	 * none was given
	 * @param beside is written in the same transaction, and may refuse it
	 */
	async identify(
		playerId: PlayerId,
		{ document, age }: { document: readonly [present: string, ...earlier: string[]] | null; age: number },
		by: Changer,
		beside: (client: Client) => Promise<void> = async () => undefined,
	): Promise<void> {
		const identifiedAtMs = this.#options.clock();
		await this.#change(
			playerId,
			(before) => ({ ...before, identifiedAtMs, ageSeen: age }),
			'IDENTIFIED',
			by,
			async (client) => {
				await beside(client);
				if (document !== null) await nameByDocument(client, playerId, document, identifiedAtMs);
			},
		);
		if (document === null) return;
		const untilMs = this.#exclusions.endByDocument(document);
		if (untilMs > identifiedAtMs) this.#excludeInMemory(playerId, untilMs);
		this.#unmet.add(playerId);
		await this.#meet(playerId);
	}

	/** The age in years that the player has at least; null for a player whose age was not read. */
	leastAgeOf(playerId: PlayerId): number | null {
		return leastAge(this.#own(playerId), this.now());
	}

	/**
	 * Operators decided about restrictions from a time when unproven mobiles connected accounts.
	 * @param own the remaining limits if its limits and breaks are lifted; null changes nothing
	 */
	async decideKept(playerId: PlayerId, own: Partial<Limits> | null, by: Changer): Promise<void> {
		const lifted = (before: ProtectionRecord): ProtectionRecord =>
			own === null ? before : { ...before, limits: own, excludedUntilMs: null, timeOutUntilMs: null };
		await this.#change(playerId, lifted, own === null ? 'KEPT_BAR_LEFT' : 'KEPT_BAR_LIFTED', by, async (client) => {
			const { rowCount } = await client.query(
				'update bar_on_hint set decided_at = $2, decided_by = $3 where player_id = $1 and decided_at is null',
				[playerId, this.#options.clock(), by.actor],
			);
			if (rowCount !== 1) throw new Refused('NOT_FOUND');
			if (own !== null) await this.#exclusions.lift(client, playerId);
		});
	}

	async setRealityCheck(playerId: PlayerId, minutes: number, by: Changer): Promise<ProtectionRecord> {
		return await this.#change(
			playerId,
			(before) => ({ ...before, realityCheckMinutes: minutes }),
			'REALITY_CHECK_SET',
			by,
		);
	}

	/**
	 * Reads the earlier losses of a player whom a limit of losses holds, so that a stake of the same call is judged by
	 * them; null where they are known, or no limit asks for them. A read that fails leaves the stake to `admitStake`.
	 */
	readLosses(playerId: PlayerId): Promise<void> | null {
		const accounts = this.accounts(playerId);
		if (this.#losses.follows(accounts) || !this.#options.settingOf(playerId)) return null;
		const limits = [this.limits(playerId), this.#limitsAbove(playerId) ?? NO_LIMITS];
		const isLimited = limits.some((each) => Object.values(lossLimitsOf(each)).some((limit) => limit !== null));
		return isLimited ? this.#losses.follow(accounts).catch(() => undefined) : null;
	}

	async followLosses(playerId: PlayerId): Promise<void> {
		await this.#losses.follow(this.accounts(playerId));
	}

	/** The person's losses in the period up to now, in minor units; the losses of all accounts are tracked. */
	lost(playerId: PlayerId, period: Period, accounts = this.accounts(playerId)): number {
		return this.#losses.lost(accounts, period);
	}

	onCommitted(committed: Committed): void {
		this.#losses.onCommitted(committed);
		// A payout that arrived, or was returned, identifies the person.
		for (const { kind, state, walletId } of committed.workflows)
			if (kind === 'WITHDRAWAL' && (state === 'PAID' || state === 'RETURNED')) void this.#meet(walletId);
	}

	async #change(
		playerId: PlayerId,
		update: (before: ProtectionRecord) => ProtectionRecord,
		act: string,
		by: Changer,
		beside: (client: Client) => Promise<void> = async () => undefined,
	): Promise<ProtectionRecord> {
		return await this.#turns.take(String(playerId), async () => {
			const before = this.#own(playerId);
			const after = update(before);
			await this.#options.journal.change(async (client) => {
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
			if (limitsLosses(after)) void this.#losses.follow(this.accounts(playerId)).catch(() => undefined);
			return after;
		});
	}
}
