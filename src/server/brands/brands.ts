/** A brand: a host, what its site looks like and may do, and the pool its players bet in. */
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Pool } from '#values/pools.ts';

/** A brand as it is now; a change makes a new one, so whoever holds this one holds what was true when he asked. */
export interface Brand {
	/** Without a port, lower case. */
	host: string;
	pool: Pool;
	setting: DomainSetting;
	/** The whole answer as text, and its strong ETag: clients ask every second. */
	json: string;
	etag: string;
}

export interface Brands {
	byHost(host: string): Brand | null;
	/** The same, or by the name "default" what `default.json` shows; no request is served in that one's name. */
	byName(name: string): Brand | null;
	/** All that hosts are served by, in the order of their hosts. */
	all(): Brand[];
	/**
	 * Changes one field, at once and for every reader, and tells the hub.
	 * @param host of a brand, or "default"
	 * @param field of the contract's setting; "themeTokens.brand" names a part of one
	 * @param text the value as it stands, or as JSON
	 * @throws Refused UNKNOWN_DOMAIN; VALIDATION_FAILED with the contract's sentence
	 */
	change(host: string, field: string, text: string): Promise<Brand>;
	/** A brand of a new host, in play money and with nothing of its own. @throws Refused VALIDATION_FAILED, NAME_TAKEN */
	add(host: string): Promise<Brand>;
}
