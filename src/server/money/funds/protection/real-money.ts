/**
 * Real money is closed on a domain until two owners have opened it, until its licence, countries, identity and location checks are configured, and for
 * each player until the player is identified and calls from one of these countries. The profile of a jurisdiction that
 * allows no real money closes it, and so does a register of exclusions that names the player or was not asked, except
 * that a balance can leave. It is closed to members of staff unless the brand lets them play. Play and demo money are not
 * affected.
 */

import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { isRealPool, type Pool } from '#values/pools.ts';

type Gate = 'OWNERS' | 'PROFILE' | 'LICENCE' | 'COUNTRY' | 'IDENTITY' | 'STAFF' | 'LOCATION' | 'EXCLUSION_LIST';

interface RealMoneyOptions {
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	poolOf: (playerId: PlayerId) => Pool | null;
	/** An operator has verified the player's identity and age. */
	isIdentified: (playerId: PlayerId) => boolean;
	/** The account is declared as a member of staff's, or is another one of such a person. */
	isOfStaff: (playerId: PlayerId) => boolean;
	/** What a register of excluded persons last said about the player; null if that is not known. */
	listedIn: (playerId: PlayerId, list: string) => 'LISTED' | 'FREE' | null;
	/** The ledger's time. */
	clock: () => number;
}

type Rules = DomainSetting['realMoney'];

const ofOwners = ({ awaitsOwners }: DomainSetting): Gate | null => (awaitsOwners ? 'OWNERS' : null);

export class RealMoney {
	readonly #options: RealMoneyOptions;

	constructor(options: RealMoneyOptions) {
		this.#options = options;
	}

	/**
	 * Checked before a bet, a round or a deposit.
	 * @param country two letters, from the request's address; null if unknown
	 * @throws Refused REAL_MONEY_CLOSED with the first closed gate; EXCLUDED by a register of exclusions
	 */
	admit(playerId: PlayerId, country: string | null): void {
		this.#check(
			playerId,
			(setting) =>
				this.#profileGate(setting) ??
				this.#identityGate(playerId, setting.realMoney) ??
				this.#staffGate(playerId, setting.realMoney) ??
				this.#locationGate(setting, country) ??
				this.#listGate(playerId, setting),
		);
	}

	/** A withdrawal may be requested from any country. @throws Refused REAL_MONEY_CLOSED */
	admitWithdrawal(playerId: PlayerId): void {
		this.#check(playerId, ({ realMoney }) => this.#identityGate(playerId, realMoney));
	}

	#check(playerId: PlayerId, closed: (setting: DomainSetting) => Gate | null): void {
		const { settingOf, poolOf } = this.#options;
		if (!isRealPool(poolOf(playerId))) return;
		const setting = settingOf(playerId);
		const gate = setting ? (ofOwners(setting) ?? closed(setting)) : 'LICENCE';
		if (gate) throw new Refused('REAL_MONEY_CLOSED', { gate });
	}

	#profileGate(setting: DomainSetting): Gate | null {
		return rulesAt(setting, this.#options.clock).pools.includes('REAL') ? null : 'PROFILE';
	}

	/** A balance can leave. */
	#staffGate(playerId: PlayerId, { staffMayPlay }: Rules): Gate | null {
		return !staffMayPlay && this.#options.isOfStaff(playerId) ? 'STAFF' : null;
	}

	/** The profile's own source of locations needs no proxy that tells them. */
	#locationGate(setting: DomainSetting, country: string | null): Gate | null {
		const { countries, location } = setting.realMoney;
		const isAsked = location !== 'NONE' || rulesAt(setting, this.#options.clock).location.source === 'address';
		return !isAsked || country === null || !countries.includes(country) ? 'LOCATION' : null;
	}

	/** A register that is asked only at sign-up binds no stake. @throws Refused EXCLUDED */
	#listGate(playerId: PlayerId, setting: DomainSetting): Gate | null {
		const { clock, listedIn } = this.#options;
		const list = rulesAt(setting, clock).exclusionList;
		if (!list || !(list.askedAt.includes('log-in') || list.askedAt.includes('bet'))) return null;
		const said = listedIn(playerId, list.name);
		if (said === 'LISTED') throw new Refused('EXCLUDED', { list: list.name });
		return said === null ? 'EXCLUSION_LIST' : null;
	}

	#identityGate(playerId: PlayerId, { licence, countries, identity }: Rules): Gate | null {
		if (licence === '') return 'LICENCE';
		if (countries.length === 0) return 'COUNTRY';
		return identity === 'NONE' || !this.#options.isIdentified(playerId) ? 'IDENTITY' : null;
	}
}
