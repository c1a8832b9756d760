/** The server that is attacked: a brand that proves mobiles, one that does not, and outside providers of games. */

import { MINOR_PER_MAJOR } from '#values/money.ts';
import { StudioSite } from '../providers/studio-site.ts';
import type { FreshDatabase } from '../support/database.ts';
import type { TestServer } from '../support/server.ts';
import { MovedClock } from './moved-clock.ts';

/** Sends a code to the mobile of each new player. */
export const PROVING = 'localhost';
/** Takes each mobile at its word. */
export const TRUSTING = '127.0.0.1';

/** Rules of both brands; amounts in rupees. */
export const RULES = {
	signUpCoins: 1_000,
	dailyCoins: 1_500,
	referral: { reward: 50, minDeposit: 100, minWagered: 400, maturityHours: 0, cap: 20 },
	welcome: { amount: 100, wagering: 5 },
	cashback: { percent: 50, amount: 1_000 },
} as const;

/** Nothing happens by polling: orders wait until a webhook speaks. */
const PAYMENTS = { orderMs: 300_000, simulatedDelayMs: 1e12, pollMs: 600_000, webhookKeys: {} };
/** Half a second for bets on Crash. */
const TABLE_SPEED = 20;

const SETTINGS: Readonly<Record<string, unknown>> = {
	allowSignUp: true,
	signUpCoins: RULES.signUpCoins,
	dailyCoins: RULES.dailyCoins,
	referral: RULES.referral,
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
	],
};

async function open(database?: FreshDatabase): Promise<StudioSite> {
	return await StudioSite.open(database, { payments: PAYMENTS, tableSpeed: TABLE_SPEED });
}

export class AdversarySite {
	#studio: StudioSite;
	readonly clock: MovedClock;
	/** The largest stake and payout of each game, minor units, as every visitor reads them. */
	readonly limits = new Map<string, { stake: number; payout: number }>();

	private constructor(studio: StudioSite, clock: MovedClock) {
		this.#studio = studio;
		this.clock = clock;
	}

	static async open(): Promise<AdversarySite> {
		const clock = new MovedClock();
		const site = new AdversarySite(await open(), clock);
		for (const host of [PROVING, TRUSTING])
			for (const [field, value] of Object.entries({ ...SETTINGS, skipVerification: host === TRUSTING }))
				await site.server.act('brand-set', { host, field, value: asText(value) });
		for (const { code, maxStake, maxPayout } of (await site.server.result('getCasinoGames', {})).games)
			site.limits.set(code, { stake: maxStake * MINOR_PER_MAJOR, payout: maxPayout * MINOR_PER_MAJOR });
		return site;
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
