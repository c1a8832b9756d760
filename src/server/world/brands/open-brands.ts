/** Brands from the database, kept in memory ready to send; and the demo brands, which are inserted once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { brandWith } from '#server/world/brands/brand-with.ts';
import type { Brand, Brands } from '#server/world/brands/brands.ts';
import { datedRules } from '#server/world/brands/dated-rules.ts';
import { withProfile } from '#server/world/brands/profile-choice.ts';
import { settingChange } from '#server/world/brands/setting-change.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';
import type { ProfileName } from '#values/profile-names.ts';

const DEMO_BRANDS = join(import.meta.dirname, '..', '..', '..', '..', 'db', 'seed', 'brands.json');
const DEFAULT = 'default';
/** Other processes learn of a change under this topic, browsers under `brand.HOST`. */
const TOPIC = 'brands';
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** Operators who change one brand at the same time take turns. */
const MOST_TRIES = 5;

/** The pools of brands, the usual one first. A brand's demo players are in DEMO. */
const BRAND_POOLS = ['PLAY', 'REAL'] as const satisfies readonly Pool[];

const ASK_AGAIN_MS = 1000;

type Change = HubMessages['DomainSettingChanged'];

interface BrandRow {
	host: string;
	/** The brand's own fields; the contract's defaults supply the rest. */
	setting: Partial<DomainSetting>;
	version: number;
}

function brandOf({ host, setting: own, version }: BrandRow): Brand {
	const rules = datedRules(own.profiles ?? []);
	return brandWith(v.parse(DomainSetting, { ...own, domain: host, version, rules }));
}

interface BrandsOptions {
	db: pg.Pool;
	bus: Bus;
	/** The pools that this process serves. */
	pools: readonly Pool[];
}

/** @throws if a stored setting does not fit the contract */
export async function openBrands(options: BrandsOptions): Promise<Brands> {
	const brands = new MemoryBrands(options);
	await brands.load();
	return brands;
}

class MemoryBrands implements Brands {
	readonly #db: pg.Pool;
	readonly #bus: Bus;
	readonly #pools: readonly Pool[];
	readonly #brands = new Map<string, Brand>();

	constructor({ db, bus, pools }: BrandsOptions) {
		this.#db = db;
		this.#bus = bus;
		this.#pools = pools;
	}

	async load(): Promise<void> {
		this.#bus.subscribe(TOPIC, ({ data }) => this.#catchUp(data as Change));
		const { rows } = await this.#db.query<BrandRow>('select host, setting, version from brand');
		for (const row of rows) this.#brands.set(row.host, brandOf(row));
	}

	byHost(host: string): Brand | null {
		return host === DEFAULT ? null : this.byName(host);
	}

	byName(name: string): Brand | null {
		return this.#brands.get(name) ?? null;
	}

	all(): Brand[] {
		return [...this.#brands.values()]
			.filter(({ host }) => host !== DEFAULT)
			.sort((one, other) => (one.host < other.host ? -1 : 1));
	}

	change(host: string, field: string, text: string): Promise<Brand> {
		return this.#update(host, (setting) => settingChange(setting, field, text));
	}

	async chooseProfile(host: string, chosen: { profile: ProfileName; fromMs: number }, nowMs: number): Promise<Brand> {
		if (host === DEFAULT) throw new Refused('UNKNOWN_DOMAIN');
		return await this.#update(host, ({ profiles }) => ({ profiles: withProfile(profiles, chosen, nowMs) }));
	}

	/** @param changes of the setting as it is, which another operator's change may have renewed */
	async #update(host: string, changes: (setting: DomainSetting) => Partial<DomainSetting>): Promise<Brand> {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const row = await this.#row(host);
			if (!row) throw new Refused('UNKNOWN_DOMAIN');
			const brand = brandOf(row);
			if (!this.#pools.includes(brand.pool)) throw new Refused('OTHER_POOL');
			const setting = { ...row.setting, ...changes(brand.setting) };
			const { rowCount } = await this.#db.query(
				'update brand set setting = $2, version = version + 1, from_seed = false where host = $1 and version = $3',
				[host, JSON.stringify(setting), row.version],
			);
			if (rowCount === 1) return this.#keep({ host, setting, version: row.version + 1 });
		}
		throw new Refused('OVERLOADED');
	}

	async add(host: string): Promise<Brand> {
		if (!HOST.test(host) || host === DEFAULT) {
			throw new Refused(
				'VALIDATION_FAILED',
				{},
				'A host is a name in lower case without a port, such as play.example.',
			);
		}
		const pool = BRAND_POOLS.find((each) => this.#pools.includes(each));
		if (!pool) throw new Refused('OTHER_POOL');
		const setting = { pool };
		const { rowCount } = await this.#db.query(
			'insert into brand (host, setting) values ($1, $2) on conflict (host) do nothing',
			[host, JSON.stringify(setting)],
		);
		if (rowCount === 0) throw new Refused('NAME_TAKEN', {}, 'There is a domain of that host already.');
		return this.#keep({ host, setting, version: 1 });
	}

	own(): Brand[] {
		return this.all().filter(({ pool }) => this.#pools.includes(pool));
	}

	async keepCopies(settings: readonly DomainSetting[]): Promise<string[]> {
		const own = new Set(this.own().map(({ host }) => host));
		for (const { domain: host, version, ...setting } of settings) {
			if (own.has(host) || this.#versionOf(host) >= version) continue;
			await this.#db.query(
				`insert into brand (host, setting, version) values ($1, $2, $3)
				 on conflict (host) do update set setting = excluded.setting, version = excluded.version, from_seed = false
				 where brand.version < excluded.version`,
				[host, JSON.stringify(setting), version],
			);
			this.#keep({ host, setting, version });
		}
		return settings.map(({ domain }) => domain).filter((host) => own.has(host));
	}

	async makeReal(host: string): Promise<Brand> {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const row = await this.#row(host);
			if (!row || host === DEFAULT) throw new Refused('UNKNOWN_DOMAIN');
			if (!this.#pools.includes('REAL') || !this.#pools.includes(brandOf(row).pool)) throw new Refused('OTHER_POOL');
			const setting = { ...row.setting, pool: 'REAL' as const };
			const { rowCount } = await this.#db.query(
				`update brand set setting = $2, version = version + 1, from_seed = false where host = $1 and version = $3
				   and not exists (select 1 from player where player.brand = brand.host)`,
				[host, JSON.stringify(setting), row.version],
			);
			if (rowCount === 1) return this.#keep({ host, setting, version: row.version + 1 });
			const { rows } = await this.#db.query<{ has: boolean }>(
				'select exists (select 1 from player where brand = $1) as has',
				[host],
			);
			if (rows[0]?.has) throw new Refused('WRONG_STATE', {}, 'The brand has players of play money.');
		}
		throw new Refused('OVERLOADED');
	}

	async #row(host: string): Promise<BrandRow | undefined> {
		const { rows } = await this.#db.query<BrandRow>('select host, setting, version from brand where host = $1', [host]);
		return rows[0];
	}

	/** Published after memory holds the new setting, so that readers who react to the message get it. */
	#keep(row: BrandRow): Brand {
		const brand = this.#hold(row);
		const data = { domain: row.host, version: row.version };
		this.#bus.publish(TOPIC, { code: 'DomainSettingChanged', data });
		this.#bus.publish(`brand.${row.host}`, { code: 'DomainSettingChanged', data, key: 'domain' });
		return brand;
	}

	/** An older version never replaces a newer one. */
	#hold(row: BrandRow): Brand {
		const brand = brandOf(row);
		if (this.#versionOf(row.host) < row.version) this.#brands.set(row.host, brand);
		return brand;
	}

	#versionOf(host: string): number {
		return this.#brands.get(host)?.setting.version ?? 0;
	}

	/** Another process changed a brand. Repeats the query while the database is away. */
	#catchUp({ domain, version }: Change): void {
		if (this.#versionOf(domain) >= version) return;
		this.#row(domain).then(
			(row) => row && this.#hold(row),
			() => setTimeout(() => this.#catchUp({ domain, version }), ASK_AGAIN_MS).unref(),
		);
	}
}

/** Inserts missing demo brands of the served pools, and updates those that it inserted and that were not changed. Refused in production. */
export async function seedDemoBrands(options: {
	db: pg.Pool;
	pools: readonly Pool[];
	production: boolean;
}): Promise<void> {
	if (options.production) throw new Error('The demo seed is not for production.');
	const brands: Record<string, { pool?: Pool }> = JSON.parse(await readFile(DEMO_BRANDS, 'utf8'));
	for (const [host, setting] of Object.entries(brands)) {
		if (!options.pools.includes(setting.pool ?? BRAND_POOLS[0])) continue;
		await options.db.query(
			`insert into brand (host, setting, from_seed) values ($1, $2, true)
			 on conflict (host) do update set setting = excluded.setting where brand.from_seed`,
			[host, JSON.stringify(setting)],
		);
	}
}
