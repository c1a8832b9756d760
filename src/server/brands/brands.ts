/** A brand: a host, what its site looks like and may do, and the pool its players bet in. */
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Pool } from '#values/pools.ts';

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
	/** What `default.json` shows. */
	fallback(): Brand;
	all(): Brand[];
}
