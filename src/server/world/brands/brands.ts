/** A brand: a host, the site's appearance and features, and the pool of its players' bets. */
import type pg from 'pg';
import type { PictureField } from '#contract/brand-picture.ts';
import type { DomainSetting, LegalTexts } from '#contract/domain-setting.ts';
import type { FieldText } from '#contract/setting-change.ts';
import type { Currency } from '#values/currency-codes.ts';
import { isRealPool, type Pool } from '#values/pools.ts';
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

/** Whether two owners have opened it for real money. */
export const takesRealMoney = ({ pool, setting }: Pick<Brand, 'pool' | 'setting'>): boolean =>
	isRealPool(pool) && !setting.awaitsOwners;

/** An uploaded picture, cleaned. */
export interface NewPicture {
	/** 32 bytes in base64url. */
	hash: string;
	width: number;
	height: number;
	bytes: Uint8Array;
}

/** Finds a draft of a brand. @returns null for a secret that is unknown, too old, or of another host */
export type FindPreview = (host: string, secret: string) => Promise<DomainSetting | null>;

/** A change of a brand that is not committed yet. */
export interface ChangedBrand {
	before: Brand;
	after: Brand;
	/** Tells readers, after the commit. */
	announce(): void;
}

export interface Brands {
	byHost(host: string): Brand | null;
	/** Like `find`, and for the name "default" the setting of `default.json`; no request is served under that name. */
	byName(name: string): Brand | null;
	/** All served brands, by host. */
	all(): Brand[];
	/**
	 * Changes fields at once, for all readers, and notifies the hub.
	 * @param host of a brand, or "default"
	 * @param seen the version from which the changes were made; null for any
	 * @throws Refused UNKNOWN_DOMAIN; OTHER_POOL for the copy of another engine's brand; WRONG_STATE for another version
	 *   than the seen one; VALIDATION_FAILED with the contract's message; REAL_MONEY_NOT_READY for a first sport of real
	 *   money in an engine that opens no market for it
	 */
	change(host: string, changes: readonly FieldText[], seen?: number | null): Promise<Brand>;
	/**
	 * Changes fields within a transaction. Readers learn of it when `announce` is called after the commit.
	 * @throws Refused as `change`
	 */
	changeWithin(client: pg.PoolClient, host: string, changes: readonly FieldText[]): Promise<ChangedBrand>;
	/**
	 * Stores a picture and shows it in a field, atomically.
	 * @throws Refused as `change`; PICTURES_FULL
	 */
	changePicture(host: string, field: PictureField, picture: NewPicture): Promise<Brand>;
	/** An uploaded picture of the brand, for a year's caching; null for none. */
	picture(host: string, name: string): Promise<Buffer | null>;
	/** The names of uploaded pictures that a setting shows, and the brand does not have. */
	missingPictures(host: string, setting: DomainSetting): Promise<string[]>;
	/**
	 * The setting that a brand had.
	 * @throws Refused UNKNOWN_DOMAIN; NOT_FOUND for a version that was not kept
	 */
	settingAt(host: string, version: number): Promise<DomainSetting>;
	/** The kept versions of a brand but for the present one, newest first, and when each was replaced. */
	formerVersions(host: string): Promise<{ version: number; replacedAtMs: number }[]>;
	/**
	 * Adds a brand in play money where that is served here.
	 * @param changes of the default setting
	 * @throws Refused VALIDATION_FAILED, NAME_TAKEN; OTHER_POOL in an engine of demo players alone
	 */
	add(host: string, changes?: readonly FieldText[], currency?: Currency): Promise<Brand>;
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
	/**
	 * Lets versions of terms and privacy policy hold from an instant on, instead of those that were to begin later.
	 * @throws Refused as `chooseProfile`
	 */
	announceTerms(host: string, texts: LegalTexts, nowMs: number): Promise<Brand>;
	/** The brands whose pool is served here. Only these change here; the others are copies for demo players. */
	own(): Brand[];
	/**
	 * Keeps the brands of another engine, unless a newer version is here.
	 * @returns the hosts that are brands of this engine as well, which stay as they are
	 */
	keepCopies(settings: readonly DomainSetting[]): Promise<string[]>;
}
