/** The rules of the walks' brands, one of each currency, and a campaign of each group. */
import { expect } from 'vitest';
import { HOSTS, inCurrency, WALKED_IN, type Walked, type WalkServer } from './walk-server.ts';

/** Free coins and a free bet beside a group's campaign. */
export const coinsOf = (campaign: string): string => `${campaign}-coins`;
export const freeBetOf = (campaign: string): string => `${campaign}-free-bet`;
/** Referrals that pay one referrer. */
export const REFERRAL_CAP = 1;

/** A campaign of each group, with money for a part of its walks. @returns its budget in rupees */
export async function setRules(server: WalkServer, campaign: string, walks: number): Promise<number> {
	const budget = Math.max(400, Math.round(walks / 3) * 200);
	const known = (await server.operator('brand-list', {}))?.result as unknown as { host: string }[];
	for (const currency of WALKED_IN) {
		const host = HOSTS[currency];
		if (!known.some((brand) => brand.host === host))
			expect((await server.operator('brand-add', { host, currency }))?.status).toBe(200);
		await setRulesOf(server, currency, { campaign, budget });
	}
	return budget;
}

async function setRulesOf(
	server: WalkServer,
	currency: Walked,
	{ campaign, budget }: { campaign: string; budget: number },
): Promise<void> {
	const sum = (rupees: number) => inCurrency(currency, rupees);
	const rules = {
		'funds.withdrawalsPerDay': 100,
		'funds.secondApprovalAbove': sum(500),
		'funds.autoApproveUpTo': sum(300),
		'funds.cancelWithdrawals': true,
		'funds.turnover': 0,
		'funds.identity': JSON.stringify({ aboveWithdrawal: sum(700), aboveTotal: sum(3_000) }),
		referral: JSON.stringify({
			reward: sum(50),
			minDeposit: sum(100),
			minWagered: 0,
			maturityHours: 0,
			cap: REFERRAL_CAP,
		}),
		campaigns: JSON.stringify([
			{ id: campaign, title: 'Welcome', kind: 'WELCOME', amount: sum(200), wagering: 1, days: 1, budget: sum(budget) },
			{ id: freeBetOf(campaign), title: 'Free bet', kind: 'FREE_BET', amount: sum(100), days: 1, budget: sum(budget) },
			{ id: coinsOf(campaign), title: 'Coins', kind: 'FREE_COINS', amount: 20, budget: sum(budget) },
		]),
	};
	for (const [field, value] of Object.entries(rules))
		expect((await server.operator('brand-set', { host: HOSTS[currency], field, value: String(value) }))?.status).toBe(
			200,
		);
}
