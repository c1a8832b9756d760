/**
 * Player protection: time-out, exclusion, closure, freezing, and the limits of `person-limits.ts`. It is checked at every
 * door (`persons/doors.ts`), and answers from memory. Limits and breaks belong to a person and apply to all accounts on
 * all brands. They also apply to an account that merely states the person's mobile; its own choices apply to it alone, and
 * it is told nothing about the person's. Each change is durable, with its journal row, before it is answered.
 */
import type { Committed } from '#server/exchange/committed.ts';
import type { OrderedWallets } from '#server/exchange/exchange.ts';
import { type Client, Exclusions, nameByDocument } from '#server/money/funds/protection/exclusions.ts';
import { Losses } from '#server/money/funds/protection/losses.ts';
import { PersonLimits } from '#server/money/funds/protection/person-limits.ts';
import { type ProtectionOptions, zoneOf } from '#server/money/funds/protection/protection-options.ts';
import {
	type Bar,
	barOf,
	excluded,
	type Limits,
	leastAge,
	type ProtectionRecord,
	timedOut,
	withBreaks,
} from '#server/money/funds/protection/protection-record.ts';
import { type Changer, ProtectionRecords } from '#server/money/funds/protection/protection-records.ts';
import type { Door } from '#server/people/persons/doors.ts';
import type { Persons } from '#server/people/persons/persons.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { HOUR_MS } from '#values/time.ts';
import { monthsAfter } from '#values/zoned-calendar.ts';

const EXCLUSION_MONTHS = [6, 12, 60] as const;
type ExclusionMonths = (typeof EXCLUSION_MONTHS)[number];

const BY_SERVER: Changer = { actor: 'server', address: null };

export class Protection {
	/** Of deposits, losses and stakes. */
	readonly limits: PersonLimits;
	readonly #options: ProtectionOptions;
	readonly #records: ProtectionRecords;
	readonly #exclusions: Exclusions;
	/** New accounts whose person could not be read yet. */
	readonly #unmet = new Set<PlayerId>();
	readonly #persons: Persons;
	readonly #losses: Losses;

	constructor(options: ProtectionOptions) {
		const losses = new Losses(options.throughHistory, options.clock);
		const records = new ProtectionRecords({ ...options, losses });
		this.#options = options;
		this.#persons = options.persons;
		this.#exclusions = new Exclusions(options.db);
		this.#losses = losses;
		this.#records = records;
		this.limits = new PersonLimits({ ...options, records, losses });
	}

	async load(): Promise<void> {
		const [left] = await Promise.all([this.#exclusions.load(), this.#records.load(), this.#persons.load()]);
		for (const { playerId, untilMs } of left) this.#excludeInMemory(playerId, untilMs);
		await this.limits.load();
	}

	/** The account's record, with the breaks of its person, as shown to the account. */
	of(playerId: PlayerId): ProtectionRecord {
		return this.#records.of(playerId);
	}

	/** Deposits of one person take turns under this name. */
	turnOf(playerId: PlayerId): string {
		return `player ${this.#persons.accounts(playerId)[0]}`;
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
	 * Checks a bet or a round where it is ordered.
	 * @param stake minor units, with the largest possible loss
	 * @param wallets in the state at the point where commands are ordered
	 * @throws Refused as `admit` and `PersonLimits.admitStake`, PAYMENT_DISPUTED
	 */
	admitStake(
		playerId: PlayerId,
		{ stake, risk, door }: { stake: AnyMinor; risk: AnyMinor; door: Door },
		wallets: OrderedWallets,
	): void {
		this.admit(playerId, door);
		if (this.#options.isShort(playerId)) throw new Refused('PAYMENT_DISPUTED');
		this.limits.admitStake(playerId, { stake, risk }, wallets);
	}

	/** The ledger's time. */
	now(): number {
		return this.#options.clock();
	}

	/** Of the days of the account's brand. */
	zoneOf(playerId: PlayerId, nowMs: number): string {
		return zoneOf(this.#options, playerId, nowMs);
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
				above.map((account) => this.#records.own(account)),
			),
			now,
		);
		return bar && bar.code !== own?.code ? { code: bar.code, untilMs: null } : own;
	}

	/** Whether the owner of a mobile that the account only states has set a limit or break that applies to it. */
	isHeldByMobile(playerId: PlayerId): boolean {
		if (this.limits.areHeldByMobile(playerId)) return true;
		return this.barOf(playerId)?.code !== barOf(this.of(playerId), this.#options.clock())?.code;
	}

	/** For every account of the person; never shortens a break. */
	async timeOut(playerId: PlayerId, hours: number, by: Changer): Promise<void> {
		const untilMs = this.#options.clock() + hours * HOUR_MS;
		await this.#persons.meet(playerId);
		for (const account of this.#persons.accounts(playerId))
			await this.#records.change(account, (before) => timedOut(before, untilMs), 'TIMED_OUT', by);
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
			const own = this.#records.own(playerId);
			const { excludedUntilMs, timeOutUntilMs } = this.of(playerId);
			if (excludedUntilMs !== null && excludedUntilMs > now) {
				// Proofs made since the exclusion bar later accounts, too.
				await this.#exclusions.add(this.#persons.accounts(playerId), excludedUntilMs);
				if (own.excludedUntilMs !== excludedUntilMs) await this.#exclude(playerId, excludedUntilMs, BY_SERVER);
			}
			if (timeOutUntilMs !== null && timeOutUntilMs > now && own.timeOutUntilMs !== timeOutUntilMs)
				await this.#records.change(playerId, (before) => timedOut(before, timeOutUntilMs), 'TIMED_OUT', BY_SERVER);
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
		const known = [...this.#records.all().keys()].filter((playerId) => this.barOf(playerId));
		const players = new Set(known.flatMap((playerId) => this.#persons.reached(playerId)));
		return [...players].filter((playerId) => this.barOf(playerId));
	}

	/** The player has left permanently, or for long: bonuses are forfeited. */
	hasLeft(playerId: PlayerId): boolean {
		const code = this.barOf(playerId)?.code;
		return code === 'EXCLUDED' || code === 'ACCOUNT_CLOSED';
	}

	#excludeInMemory(playerId: PlayerId, untilMs: number): void {
		this.#records.holdInMemory(playerId, excluded(this.#records.own(playerId), untilMs));
	}

	async #exclude(playerId: PlayerId, untilMs: number, by: Changer): Promise<void> {
		await this.#records.change(playerId, (before) => excluded(before, untilMs), 'EXCLUDED', by);
	}

	async close(playerId: PlayerId, by: Changer): Promise<ProtectionRecord> {
		const update = (before: ProtectionRecord) => ({ ...before, closedAtMs: before.closedAtMs ?? this.now() });
		const record = await this.#records.change(playerId, update, 'ACCOUNT_CLOSED', by);
		this.#announce(playerId);
		return record;
	}

	/** @param reason null unfreezes the account */
	async freeze(playerId: PlayerId, reason: string | null, by: Changer): Promise<ProtectionRecord> {
		const act = reason === null ? 'ACCOUNT_UNFROZEN' : 'ACCOUNT_FROZEN';
		const record = await this.#records.change(playerId, (before) => ({ ...before, frozen: reason }), act, by);
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
		await this.#records.change(
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
		return leastAge(this.#records.own(playerId), this.now());
	}

	/**
	 * Operators decided about restrictions from a time when unproven mobiles connected accounts.
	 * @param own the remaining limits if its limits and breaks are lifted; null changes nothing
	 */
	async decideKept(playerId: PlayerId, own: Partial<Limits> | null, by: Changer): Promise<void> {
		const lifted = (before: ProtectionRecord): ProtectionRecord =>
			own === null ? before : { ...before, limits: own, excludedUntilMs: null, timeOutUntilMs: null };
		const act = own === null ? 'KEPT_BAR_LEFT' : 'KEPT_BAR_LIFTED';
		await this.#records.change(playerId, lifted, act, by, async (client) => {
			const { rowCount } = await client.query(
				'update bar_on_hint set decided_at = $2, decided_by = $3 where player_id = $1 and decided_at is null',
				[playerId, this.#options.clock(), by.actor],
			);
			if (rowCount !== 1) throw new Refused('NOT_FOUND');
			if (own !== null) await this.#exclusions.lift(client, playerId);
		});
	}

	async setRealityCheck(playerId: PlayerId, minutes: number, by: Changer): Promise<ProtectionRecord> {
		return await this.#records.change(
			playerId,
			(before) => ({ ...before, realityCheckMinutes: minutes }),
			'REALITY_CHECK_SET',
			by,
		);
	}

	onCommitted(committed: Committed): void {
		this.#losses.onCommitted(committed);
		// A payout that arrived, or was returned, identifies the person.
		for (const { kind, state, walletId } of committed.workflows)
			if (kind === 'WITHDRAWAL' && (state === 'PAID' || state === 'RETURNED')) void this.#meet(walletId);
	}
}
