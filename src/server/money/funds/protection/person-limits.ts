/**
 * Limits of deposits, losses and stakes. They belong to a person, so each account of the person in the pool has the lowest
 * of them. Those of the owner of a mobile that an account merely states hold for it, too; they are shown to no account, and
 * refuse without a figure.
 */
import type { BrandRules } from '#contract/brand-rules.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
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
import type { Losses } from '#server/money/funds/protection/losses.ts';
import { type ProtectionOptions, zoneOf } from '#server/money/funds/protection/protection-options.ts';
import {
	confirmed,
	depositLimitsOf,
	isLossLimited,
	type LimitName,
	type Limits,
	limitsDue,
	limitsLosses,
	limitsOf,
	lossLimitsOf,
	NO_LIMITS,
	type ProtectionRecord,
	strictest,
	withLimit,
	withLimitsOf,
	withoutFigures,
} from '#server/money/funds/protection/protection-record.ts';
import type { Changer, ProtectionRecords } from '#server/money/funds/protection/protection-records.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

interface PersonLimitsOptions extends Pick<ProtectionOptions, 'db' | 'persons' | 'settingOf' | 'isDemo' | 'clock'> {
	records: ProtectionRecords;
	losses: Losses;
}

/** A stake that limits judge; amounts in minor units. */
interface JudgedStake {
	stake: AnyMinor;
	/** The largest possible loss. */
	risk: AnyMinor;
	/** Of the person in the pool. */
	accounts: readonly PlayerId[];
	/** In the state at the point where commands are ordered. */
	wallets: OrderedWallets;
}

export class PersonLimits {
	readonly #options: PersonLimitsOptions;
	readonly #records: ProtectionRecords;
	readonly #losses: Losses;

	constructor(options: PersonLimitsOptions) {
		this.#options = options;
		this.#records = options.records;
		this.#losses = options.losses;
	}

	/** Reads the earlier losses of players with a limit of them, when the records are in memory. */
	async load(): Promise<void> {
		const limited = [...this.#records.all()].filter(([, record]) => limitsLosses(record));
		const accounts = new Set(limited.flatMap(([playerId]) => this.accounts(playerId)));
		// All in one query: one query for each would take minutes with many players.
		await this.#losses.follow([...accounts]);
	}

	/** The limits shown to the account: its own, and the person's choices on other accounts of the pool, or on these. */
	of(playerId: PlayerId, accounts = this.accounts(playerId)): Limits {
		const setting = this.#options.settingOf(playerId);
		if (!setting) throw new Refused('UNKNOWN_USER');
		return this.#shown(playerId, setting, accounts);
	}

	#shown(playerId: PlayerId, setting: DomainSetting, accounts: readonly PlayerId[]): Limits {
		const own = limitsOf(this.#records.own(playerId), setting);
		const others = this.#records.others(playerId, accounts);
		return others.length === 0 ? own : strictest(own, others);
	}

	/** Limits of the owner of a mobile that the account only states; null for none. They are shown to no account. */
	#above(playerId: PlayerId): Limits | null {
		const above = this.#options.persons.aboveInPool(playerId);
		return above.length === 0
			? null
			: withoutFigures(
					strictest(
						NO_LIMITS,
						above.map((account) => this.#records.own(account)),
					),
				);
	}

	/** Whether the owner of a mobile that the account only states has set a limit that holds for it. */
	areHeldByMobile(playerId: PlayerId): boolean {
		const above = this.#above(playerId);
		return above !== null && Object.values(above).some((limit) => limit !== null);
	}

	/** The accounts that share limits with this one, including itself. */
	accounts(playerId: PlayerId): readonly PlayerId[] {
		return this.#options.persons.accountsInPool(playerId);
	}

	/** Accounts with a limit of their own, and those whose losses are tracked. */
	limited(): PlayerId[] {
		const chosen = [...this.#records.all()].filter(([, { limits }]) =>
			Object.values(limits).some((limit) => limit !== null && limit !== undefined),
		);
		const all = new Set<PlayerId>([...chosen.map(([playerId]) => playerId), ...this.#losses.players()]);
		return [...all].filter((playerId) => this.#options.settingOf(playerId) !== null);
	}

	/**
	 * Checks a stake against limits of stakes and losses, where it is ordered. The possible losses of all earlier commands
	 * count, durable or not, so concurrent bets, rounds and markets cannot pass a limit together.
	 * @param stake minor units, with the largest possible loss
	 * @param wallets in the state at the point where commands are ordered
	 * @throws Refused STAKE_LIMIT, LOSS_LIMIT; without a figure if the limit is hidden from the account
	 */
	admitStake(playerId: PlayerId, { stake, risk }: { stake: AnyMinor; risk: AnyMinor }, wallets: OrderedWallets): void {
		const setting = this.#options.settingOf(playerId);
		if (!setting) return;
		const accounts = this.accounts(playerId);
		const judged = { stake, risk, accounts, wallets };
		const passed = this.#refusalBy(this.#shown(playerId, setting, accounts), judged);
		if (passed) throw passed;
		const above = this.#above(playerId);
		const hidden = above && this.#refusalBy(above, judged);
		if (hidden) throw new Refused(hidden.code);
	}

	/** Checks a stake against limits, given the past and possible losses of the person's accounts. */
	#refusalBy(limits: Limits, { stake, risk, accounts, wallets }: JudgedStake): Refused | null {
		const { stake: most } = limits;
		if (most !== null && stake > most) return new Refused('STAKE_LIMIT', { limit: majorFromMinor(most) });
		if (!isLossLimited(limits)) return null;
		const passed = this.#losses.passed(lossLimitsOf(limits), { accounts, risk, wallets });
		return passed && new Refused('LOSS_LIMIT', { period: passed.period, limit: majorFromMinor(passed.limit) });
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
		const above = this.#above(playerId);
		return above ? await this.#usesOf(playerId, depositLimitsOf(above)) : [];
	}

	/** The frames in which deposits of the account count, by the profile of its brand. */
	depositFrames(playerId: PlayerId, nowMs: number): Frames {
		const { depositFrames } = this.#rulesOf(playerId, nowMs);
		return framesAt(nowMs, depositFrames, zoneOf(this.#options, playerId, nowMs));
	}

	#rulesOf(playerId: PlayerId, nowMs: number): BrandRules {
		return rulesAt(this.#options.settingOf(playerId) ?? { rules: [] }, () => nowMs);
	}

	/** The person's deposits and reserved amounts in minor units, in the present frames. */
	async deposited(playerId: PlayerId): Promise<Record<Period, number>> {
		const { db, clock } = this.#options;
		return await depositedBy(db, this.accounts(playerId), this.depositFrames(playerId, clock()));
	}

	/** The deposit limits that are set, with their use. Reads nothing without a limit. */
	async depositUses(playerId: PlayerId): Promise<LimitUse[]> {
		const isKnown = this.#options.settingOf(playerId) !== null;
		return await this.#usesOf(playerId, isKnown ? depositLimitsOf(this.of(playerId)) : NO_DEPOSITS);
	}

	async #usesOf(playerId: PlayerId, limits: DepositLimits): Promise<LimitUse[]> {
		if (Object.values(limits).every((limit) => limit === null)) return [];
		return limitUses(limits, await this.deposited(playerId));
	}

	/**
	 * A lower limit applies immediately; a higher one or none after a day, see `confirmRaise`. For every account of the
	 * person in the pool.
	 * @param isReview whether the player looked at the limits, and did not leave them as they are
	 */
	async set(
		playerId: PlayerId,
		limits: Partial<Limits>,
		by: Changer,
		{ isReview = false } = {},
	): Promise<ProtectionRecord> {
		const { settingOf, clock } = this.#options;
		if (!settingOf(playerId)) throw new Refused('UNKNOWN_USER');
		const nowMs = clock();
		for (const account of this.accounts(playerId)) {
			if (!settingOf(account)) continue;
			const update = (before: ProtectionRecord) => {
				const present = this.of(account);
				const reviewed = isReview && account === playerId ? { ...before, limitsReviewedAtMs: nowMs } : before;
				return (Object.entries(limits) as [LimitName, number | null][]).reduce(
					(record, [name, to]) => withLimit(record, { name, to, present: present[name] }, nowMs),
					reviewed,
				);
			};
			await this.#records.change(account, update, 'LIMITS_SET', by);
		}
		await this.readLosses(playerId);
		return this.#records.of(playerId);
	}

	/** @throws Refused WRONG_STATE if there is nothing to confirm yet */
	async confirmRaise(playerId: PlayerId, name: LimitName, by: Changer): Promise<ProtectionRecord> {
		const nowMs = this.#options.clock();
		const isDue = (account: PlayerId) => confirmed(this.#records.own(account), name, nowMs) !== null;
		const raised = this.accounts(playerId).filter(isDue);
		if (raised.length === 0) throw new Refused('WRONG_STATE');
		for (const account of raised) {
			const update = (before: ProtectionRecord) => {
				const record = confirmed(before, name, nowMs);
				if (!record) throw new Refused('WRONG_STATE');
				return record;
			};
			await this.#records.change(account, update, 'LIMIT_RAISED', by);
		}
		return this.#records.of(playerId);
	}

	/** Before the account is erased, which may alone connect the person's other accounts: each keeps the limits of all. */
	async leaveToOthers(playerId: PlayerId, by: Changer): Promise<void> {
		const { settingOf } = this.#options;
		for (const account of this.accounts(playerId).filter((each) => each !== playerId)) {
			const [setting, others] = [settingOf(account), this.#records.others(account, this.accounts(account))];
			const lowered = (before: ProtectionRecord) => (setting ? withLimitsOf(before, others, setting) : before);
			const own = this.#records.own(account);
			if (lowered(own) !== own) await this.#records.change(account, lowered, 'LIMITS_SET', by);
		}
	}

	/**
	 * Why the player is to be asked for limits: never answered, or not for as long as the profile of the brand says. Null
	 * while nothing is to be asked.
	 */
	due(playerId: PlayerId): 'FIRST' | 'REMINDER' | null {
		const { isDemo, clock } = this.#options;
		if (isDemo(playerId)) return null;
		const nowMs = clock();
		const zone = zoneOf(this.#options, playerId, nowMs);
		return limitsDue(this.#records.own(playerId), this.#rulesOf(playerId, nowMs), zone, nowMs);
	}

	/** The player looked at the limits, and left them as they are. */
	async review(playerId: PlayerId, by: Changer): Promise<void> {
		const limitsReviewedAtMs = this.#options.clock();
		const reviewed = (before: ProtectionRecord) => ({ ...before, limitsReviewedAtMs });
		await this.#records.change(playerId, reviewed, 'LIMITS_REVIEWED', by);
	}

	/**
	 * Reads the earlier losses of a player whom a limit of losses holds, so that a stake of the same call is judged by
	 * them; null where they are known, or no limit asks for them. A read that fails leaves the stake to `admitStake`.
	 */
	readLosses(playerId: PlayerId): Promise<void> | null {
		const accounts = this.accounts(playerId);
		const setting = this.#options.settingOf(playerId);
		if (!setting || this.#losses.follows(accounts)) return null;
		const isLimited =
			isLossLimited(this.#shown(playerId, setting, accounts)) || isLossLimited(this.#above(playerId) ?? NO_LIMITS);
		return isLimited ? this.#losses.follow(accounts).catch(() => undefined) : null;
	}

	async followLosses(playerId: PlayerId): Promise<void> {
		await this.#losses.follow(this.accounts(playerId));
	}

	/** The person's losses in the period up to now, in minor units; the losses of all accounts are tracked. */
	lost(playerId: PlayerId, period: Period, accounts = this.accounts(playerId)): number {
		return this.#losses.lost(accounts, period);
	}
}

/** Of an account without a brand. */
const NO_DEPOSITS: DepositLimits = { DAY: 0, WEEK: 0, MONTH: 0 };
