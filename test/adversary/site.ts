/**
 * The server that is attacked: in rupees and in yen a brand that proves mobiles and one that does not, and outside
 * providers of games.
 */

import { CURRENCY_TERMS } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { HOME_POOLS, POOLS } from '#values/pools.ts';
import { StudioSite } from '../providers/studio-site.ts';
import { BrandDoor } from '../support/brand-door.ts';
import type { FreshDatabase } from '../support/database.ts';
import type { TestServer } from '../support/server.ts';
import { MovedClock } from './moved-clock.ts';

/** The currencies that are attacked: one with a hundredth for its coin, one whose coin is a hundred minor units. */
export type Attacked = Extract<Currency, 'INR' | 'JPY'>;
export const ATTACKED: readonly Attacked[] = ['INR', 'JPY'];

/** The brand of a currency that sends a code to the mobile of each new player, and the one that takes it at its word. */
export const HOSTS: Readonly<Record<Attacked, { proving: string; trusting: string }>> = {
	INR: { proving: 'localhost', trusting: '127.0.0.1' },
	JPY: { proving: 'proving.yen.test', trusting: 'trusting.yen.test' },
};
export const currencyAt = (host: string): Attacked => (host.endsWith('.yen.test') ? 'JPY' : 'INR');

/** What acts name in rupees, as the currency has it: limits of the house are scaled in the same way. */
export function amountIn(currency: Attacked, rupees: number): number {
	const { times, over } = CURRENCY_TERMS[currency].limits;
	return (rupees * times) / over;
}

/** Rules of all brands; amounts in rupees. */
export const RULES = {
	signUpCoins: 1_000,
	dailyCoins: 1_500,
	referral: { reward: 50, minDeposit: 100, minWagered: 400, maturityHours: 0, cap: 20 },
	welcome: { amount: 100, wagering: 5 },
	cashback: { percent: 50, amount: 1_000 },
} as const;

/** Nothing happens by polling: orders wait until a webhook speaks. */
const PAYMENTS = { orderMs: 300_000, simulatedDelayMs: 1e12, pollMs: 600_000, webhookKeys: {} };
const SERVED = [...HOME_POOLS, ...POOLS.filter((pool) => pool.endsWith('-JPY'))];
/** Half a second for bets on Crash. */
const TABLE_SPEED = 20;

const settingsIn = (currency: Attacked): Readonly<Record<string, unknown>> => ({
	allowSignUp: true,
	signUpCoins: amountIn(currency, RULES.signUpCoins),
	dailyCoins: amountIn(currency, RULES.dailyCoins),
	referral: {
		...RULES.referral,
		reward: amountIn(currency, RULES.referral.reward),
		minDeposit: amountIn(currency, RULES.referral.minDeposit),
		minWagered: amountIn(currency, RULES.referral.minWagered),
	},
	'funds.turnover': 1,
	'funds.autoApproveUpTo': 0,
	'funds.withdrawalsPerDay': 100,
	'funds.maxDeposit': 10_000_000,
	'funds.secondApprovalAbove': 10_000_000,
	'playerProtection.depositLimitDay': null,
	'playerProtection.depositLimitWeek': null,
	'playerProtection.depositLimitMonth': null,
	campaigns: [
		{ id: 'welcome', title: 'Welcome', kind: 'WELCOME', ...RULES.welcome, casinoWeight: 100 },
		{ id: 'cashback', title: 'Cashback', kind: 'CASHBACK', ...RULES.cashback, period: 1 },
	].map((campaign) => ({ ...campaign, amount: amountIn(currency, campaign.amount) })),
});

async function open(database?: FreshDatabase): Promise<StudioSite> {
	return await StudioSite.open(database, { payments: PAYMENTS, tableSpeed: TABLE_SPEED, pools: SERVED });
}

export class AdversarySite {
	#studio: StudioSite;
	readonly clock: MovedClock;
	/** The largest stake and payout of each game, minor units, as every visitor of the currency's brands reads them. */
	readonly limits: Readonly<Record<Attacked, Map<string, { stake: number; payout: number }>>> = {
		INR: new Map(),
		JPY: new Map(),
	};

	private constructor(studio: StudioSite, clock: MovedClock) {
		this.#studio = studio;
		this.clock = clock;
	}

	static async open(): Promise<AdversarySite> {
		const clock = new MovedClock();
		const site = new AdversarySite(await open(), clock);
		for (const currency of ATTACKED) await site.#openBrands(currency);
		return site;
	}

	async #openBrands(currency: Attacked): Promise<void> {
		const { proving, trusting } = HOSTS[currency];
		for (const host of [proving, trusting]) {
			if (currency !== 'INR') await this.server.act('brand-add', { host, currency });
			for (const [field, value] of Object.entries({ ...settingsIn(currency), skipVerification: host === trusting }))
				await this.server.act('brand-set', { host, field, value: asText(value) });
		}
		const { games } = await new BrandDoor(this.server, proving).result('getCasinoGames', {});
		for (const { code, maxStake, maxPayout } of games)
			this.limits[currency].set(code, { stake: maxStake * MINOR_PER_MAJOR, payout: maxPayout * MINOR_PER_MAJOR });
	}

	get studio(): StudioSite {
		return this.#studio;
	}

	get server(): TestServer {
		return this.#studio.server;
	}

	/** The database stays, the process is another one as far as players can tell. */
	async restart(): Promise<void> {
		const { database } = this.server;
		await this.#studio.closeStudio();
		await this.server.stop();
		this.#studio = await open(database);
	}

	async close(): Promise<void> {
		await this.#studio.close();
		this.clock.restore();
	}
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
