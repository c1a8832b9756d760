/** A brand: a host, the site's appearance and features, and the pool of its players' bets. */
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Pool } from '#values/pools.ts';
import type { ProfileName } from '#values/profile-names.ts';

/** A brand at a point in time. A change creates a new object, so a holder of this one keeps a consistent setting. */
export interface Brand {
	/** Without a port, lower case. */
	host: string;
	pool: Pool;
	setting: DomainSetting;
	/** The whole answer as text, and its strong ETag: clients poll every second. */
	json: string;
	etag: string;
}

export interface Brands {
	byHost(host: string): Brand | null;
	/** Like `find`, and for the name "default" the setting of `default.json`; no request is served under that name. */
	byName(name: string): Brand | null;
	/** All served brands, by host. */
	all(): Brand[];
	/**
	 * Changes one field at once, for all readers, and notifies the hub.
	 * @param host of a brand, or "default"
	 * @param field of the contract's setting; "themeTokens.brand" names a part of one
	 * @param text the value itself, or as JSON
	 * @throws Refused UNKNOWN_DOMAIN; OTHER_POOL for the copy of another engine's brand; VALIDATION_FAILED with the
	 *   contract's message
	 */
	change(host: string, field: string, text: string): Promise<Brand>;
	/**
	 * Adds a brand with default settings, in play money where that is served here.
	 * @throws Refused VALIDATION_FAILED, NAME_TAKEN; OTHER_POOL in an engine of demo players alone
	 */
	add(host: string): Promise<Brand>;
	/**
	 * Makes a brand without players one of real money.
	 * @throws Refused UNKNOWN_DOMAIN, WRONG_STATE, OVERLOADED; OTHER_POOL where another engine has it or real money
	 */
	makeReal(host: string): Promise<Brand>;
	/**
	 * Lets a profile hold from an instant on, instead of those that were to begin later.
	 * @param nowMs by the clock of the exchange
	 * @throws Refused UNKNOWN_DOMAIN, OTHER_POOL, OVERLOADED; VALIDATION_FAILED for an instant that has passed
	 */
	chooseProfile(host: string, chosen: { profile: ProfileName; fromMs: number }, nowMs: number): Promise<Brand>;
	/** The brands whose pool is served here. Only these change here; the others are copies for demo players. */
	own(): Brand[];
	/**
	 * Keeps the brands of another engine, unless a newer version is here.
	 * @returns the hosts that are brands of this engine as well, which stay as they are
	 */
	keepCopies(settings: readonly DomainSetting[]): Promise<string[]>;
}
