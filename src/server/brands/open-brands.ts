/** Brands from the database, held ready to send; and the demo brands, put there once. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import * as v from 'valibot';
import { DEFAULT_STAKES } from '#contract/calls/user-stake.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import type { Brand, Brands } from '#server/brands/brands.ts';

const DEMO_BRANDS = join(import.meta.dirname, '..', '..', '..', 'db', 'seed', 'brands.json');

/** The setting of a brand that says nothing of its own. */
function defaultSetting(host: string): DomainSetting {
	return {
		domain: host,
		domainTitle: 'Backlay',
		favicon: '/brands/backlay/favicon.svg',
		description: '',
		allowSignUp: false,
		skipVerification: false,
		showSupportLink: false,
		supportLink: '',
		mainLogo: '/brands/backlay/logo.svg',
		authBackgroundImage: '',
		authLogoImage: '/brands/backlay/logo.svg',
		baseUrl: '',
		siteSuspended: false,
		bonuses: [],
		football: true,
		tennis: true,
		cricket: true,
		kabaddi: true,
		horseRacing: true,
		trade: true,
		pool: 'PLAY',
		currency: 'INR',
		locale: 'en-IN',
		theme: 'dark',
		themeTokens: {},
		hubUrl: '/hub',
		casinoUrl: '',
		paymentUrl: '',
		streamUrl: '',
		encodeRequests: false,
		news: [],
		defaultStakes: [...DEFAULT_STAKES],
		version: 1,
	};
}

function brandOf(setting: DomainSetting): Brand {
	const json = JSON.stringify({ success: true, result: setting, error: null, unAuthorizedRequest: false });
	const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
	return { host: setting.domain, pool: setting.pool, setting, json, etag };
}

/** @throws when a stored setting does not fit the contract */
export async function openBrands(options: { pool: pg.Pool }): Promise<Brands> {
	const { rows } = await options.pool.query<{ host: string; setting: object }>('select host, setting from brand');
	const brands = new Map(
		rows.map(({ host, setting }) => [host, brandOf(v.parse(DomainSetting, { ...defaultSetting(host), ...setting }))]),
	);
	const fallback = brandOf(defaultSetting('default'));
	return {
		byHost: (host) => brands.get(host) ?? null,
		fallback: () => fallback,
		all: () => [...brands.values()],
	};
}

/** Makes the demo brands where they are missing. Refused in production. */
export async function seedDemoBrands(options: { pool: pg.Pool; production: boolean }): Promise<void> {
	if (options.production) throw new Error('The demo seed is not for production.');
	const brands: Record<string, object> = JSON.parse(await readFile(DEMO_BRANDS, 'utf8'));
	for (const [host, setting] of Object.entries(brands)) {
		await options.pool.query('insert into brand (host, setting) values ($1, $2) on conflict (host) do nothing', [
			host,
			JSON.stringify(setting),
		]);
	}
}
