/** Brands from the database, kept in memory ready to send; and the demo brands, which are inserted once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import * as v from 'valibot';
import { type PictureField, pictureNameOf, picturePath, picturesOf } from '#contract/brand-picture.ts';
import { settingOfCurrency } from '#contract/currency-setting.ts';
import { DomainSetting, type LegalTexts } from '#contract/domain-setting.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import { type FieldText, settingChange } from '#contract/setting-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { checkPictures, findPicture, missingPictures, storePicture } from '#server/world/brands/brand-pictures.ts';
import { brandWith } from '#server/world/brands/brand-with.ts';
import {
	type Brand,
	type Brands,
	type ChangedBrand,
	type NewPicture,
	takesRealMoney,
} from '#server/world/brands/brands.ts';
import { withChoice } from '#server/world/brands/dated-choice.ts';
import { datedRules } from '#server/world/brands/dated-rules.ts';
import { lacksMarkets, NEEDS_MARKETS } from '#server/world/brands/lacks-markets.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PoolKind } from '#values/pool-kinds.ts';
import { type Pool, poolOf } from '#values/pools.ts';
import type { ProfileName } from '#values/profile-names.ts';

const DEMO_BRANDS = join(import.meta.dirname, '..', '..', '..', '..', 'db', 'seed', 'brands.json');
const DEFAULT = 'default';
/** Other processes learn of a change under this topic, browsers under `brand.HOST`. */
const TOPIC = 'brands';
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** Versions that are listed. */
const MOST_VERSIONS = 100;

/** The kinds of money of brands, the usual one first. A brand's demo players have a pool of their own, in its currency. */
const BRAND_KINDS = ['PLAY', 'REAL'] as const satisfies readonly PoolKind[];

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

/** The fields to change, from the brand's present state; its row is locked meanwhile. */
type ChangeOf = (held: {
	brand: Brand;
	client: pg.PoolClient;
}) => Partial<DomainSetting> | Promise<Partial<DomainSetting>>;

interface BrandsOptions {
	db: pg.Pool;
	bus: Bus;
	/** The pools that this process serves. */
	pools: readonly Pool[];
	/** Those of them in which markets open. */
	marketPools: readonly Pool[];
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
	readonly #marketPools: readonly Pool[];
	readonly #brands = new Map<string, Brand>();

	constructor({ db, bus, pools, marketPools }: BrandsOptions) {
		this.#db = db;
		this.#bus = bus;
		this.#pools = pools;
		this.#marketPools = marketPools;
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

	async change(host: string, changes: readonly FieldText[], seen: number | null = null): Promise<Brand> {
		return await this.#write(host, ({ brand }) => {
			if (seen !== null && seen !== brand.setting.version) throw new Refused('WRONG_STATE');
			return this.#changed(brand, changes);
		});
	}

	/**
	 * A brand that lacks markets already, since its engine serves other pools, can still be changed: owners have to be able to close it.
	 * @throws Refused REAL_MONEY_NOT_READY
	 */
	#changed(brand: Brand, changes: readonly FieldText[]): Partial<DomainSetting> {
		const change = settingChange(brand.setting, changes);
		const lacks = (setting: DomainSetting) => takesRealMoney(brand) && lacksMarkets(this.#marketPools, setting);
		if (!lacks(brand.setting) && lacks({ ...brand.setting, ...change }))
			throw new Refused('REAL_MONEY_NOT_READY', { missing: ['markets'] }, NEEDS_MARKETS);
		return change;
	}

	async chooseProfile(host: string, chosen: { profile: ProfileName; fromMs: number }, nowMs: number): Promise<Brand> {
		if (host === DEFAULT) throw new Refused('UNKNOWN_DOMAIN');
		return await this.#write(host, ({ brand }) => ({
			profiles: withChoice(
				brand.setting.profiles,
				{ profile: chosen.profile, from: new Date(chosen.fromMs).toISOString() },
				nowMs,
			),
		}));
	}

	async announceTerms(host: string, texts: LegalTexts, nowMs: number): Promise<Brand> {
		if (host === DEFAULT) throw new Refused('UNKNOWN_DOMAIN');
		return await this.#write(host, ({ brand }) => ({ legalTexts: withChoice(brand.setting.legalTexts, texts, nowMs) }));
	}

	async changeWithin(client: pg.PoolClient, host: string, changes: readonly FieldText[]): Promise<ChangedBrand> {
		const { before, row } = await this.#writeWithin(client, host, ({ brand }) => this.#changed(brand, changes));
		return { before, after: brandOf(row), announce: () => void this.#keep(row) };
	}

	async changePicture(host: string, field: PictureField, { bytes, ...picture }: NewPicture): Promise<Brand> {
		return await this.#write(host, async ({ brand, client }) => {
			const path = picturePath(picture);
			const change = settingChange(brand.setting, [{ field, value: path }]);
			await storePicture(client, { host, name: pictureNameOf(path) ?? '', bytes });
			return change;
		});
	}

	picture(host: string, name: string): Promise<Buffer | null> {
		return findPicture(this.#db, host, name);
	}

	missingPictures(host: string, setting: DomainSetting): Promise<string[]> {
		return missingPictures(this.#db, host, picturesOf(setting));
	}

	async settingAt(host: string, version: number): Promise<DomainSetting> {
		const brand = this.byName(host);
		if (!brand) throw new Refused('UNKNOWN_DOMAIN');
		if (brand.setting.version === version) return brand.setting;
		const { rows } = await this.#db.query<BrandRow>(
			'select host, version, setting from brand_version where host = $1 and version = $2',
			[host, version],
		);
		const [row] = rows;
		if (!row) throw new Refused('NOT_FOUND');
		return brandOf(row).setting;
	}

	async formerVersions(host: string): Promise<{ version: number; replacedAtMs: number }[]> {
		const { rows } = await this.#db.query<{ version: number; replacedAtMs: number }>(
			`select version, replaced_at as "replacedAtMs" from brand_version where host = $1
			 order by version desc limit ${MOST_VERSIONS}`,
			[host],
		);
		return rows;
	}

	async add(host: string, changes: readonly FieldText[] = [], currency: Currency = HOME_CURRENCY): Promise<Brand> {
		if (!HOST.test(host) || host === DEFAULT) {
			throw new Refused(
				'VALIDATION_FAILED',
				{},
				'A host is a name in lower case without a port, such as play.example.',
			);
		}
		const pool = BRAND_KINDS.find((kind) => this.#pools.includes(poolOf(kind, currency)));
		if (!pool) throw new Refused('OTHER_POOL');
		const chosen = { pool, ...(currency === HOME_CURRENCY ? {} : settingOfCurrency(currency)) };
		const bare = brandOf({ host, setting: chosen, version: 1 });
		// Where there is no play money to begin with, the brand waits for its owners.
		const awaited = pool === 'REAL' ? { awaitsOwners: true } : {};
		const setting = { ...chosen, ...awaited, ...settingChange(bare.setting, changes) };
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
		if (host === DEFAULT) throw new Refused('UNKNOWN_DOMAIN');
		return await this.#write(host, async ({ brand, client }) => {
			if (!this.#pools.includes(poolOf('REAL', brand.setting.currency))) throw new Refused('OTHER_POOL');
			const { rowCount } = await client.query(`select from player where brand = $1 and pool not like 'REAL%' limit 1`, [
				host,
			]);
			if (rowCount !== 0) throw new Refused('WRONG_STATE', {}, 'The brand has players of play money.');
			return { pool: 'REAL', awaitsOwners: false };
		});
	}

	/** Operators who change one brand at the same time take turns at its row. */
	async #write(host: string, changeOf: ChangeOf): Promise<Brand> {
		const { row } = await inTransaction(this.#db, (client) => this.#writeWithin(client, host, changeOf));
		return this.#keep(row);
	}

	async #writeWithin(
		client: pg.PoolClient,
		host: string,
		changeOf: ChangeOf,
	): Promise<{ before: Brand; row: BrandRow }> {
		const { rows } = await client.query<BrandRow>(
			'select host, setting, version from brand where host = $1 for update',
			[host],
		);
		const [held] = rows;
		if (!held) throw new Refused('UNKNOWN_DOMAIN');
		const before = brandOf(held);
		if (!this.#pools.includes(before.pool)) throw new Refused('OTHER_POOL');
		const setting = { ...held.setting, ...(await changeOf({ brand: before, client })) };
		const row = { host, setting, version: held.version + 1 };
		await checkPictures(client, host, picturesOf(brandOf(row).setting));
		await client.query('insert into brand_version (host, version, setting, replaced_at) values ($1, $2, $3, $4)', [
			host,
			held.version,
			JSON.stringify(held.setting),
			Date.now(),
		]);
		await client.query('update brand set setting = $2, version = $3, from_seed = false where host = $1', [
			host,
			JSON.stringify(setting),
			row.version,
		]);
		return { before, row };
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
	const brands: Record<string, { pool?: PoolKind; currency?: Currency }> = JSON.parse(
		await readFile(DEMO_BRANDS, 'utf8'),
	);
	const own = Object.entries(brands).filter(([, { pool = BRAND_KINDS[0], currency = HOME_CURRENCY }]) =>
		options.pools.includes(poolOf(pool, currency)),
	);
	await options.db.query(
		`insert into brand (host, setting, from_seed) select key, value, true from jsonb_each($1)
		 on conflict (host) do update set setting = excluded.setting
		 where brand.from_seed and brand.setting <> excluded.setting`,
		[JSON.stringify(Object.fromEntries(own))],
	);
}
