/** A barred player is barred at every door in the same way, at once. */
import type { CallName } from '#contract/registry.ts';
import type { Broken, Rule } from './rule.ts';

const DOORS: ReadonlySet<CallName> = new Set<CallName>([
	'placeBetV2',
	'replaceBet',
	'playRound',
	'placeTableBet',
	'placeCrashBet',
	'casinoLogin',
	'casinoToken',
	'getGameUrl',
	'generatePayment',
	'createDeposit',
	'claimDailyCoins',
	'claimBonus',
	'claimReferral',
	'getReferrerCode',
	'createApiKey',
	// Of one more account of a barred person: with coins.
	'register',
]);
/** At the wallets of providers. */
const STAKES: ReadonlySet<string> = new Set(['bet', 'betwin', 'freebet', 'tip', 'log-in of a bot']);

const ruleAt = (door: string): string => `barred is barred at every door: ${door}`;

export const OPEN_DOORS: Rule = {
	check: ({ happened }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what === 'call' && one.wasBarred && one.code === null && DOORS.has(one.name))
				return [{ rule: ruleAt(one.name), why: `${one.account} is barred` }];
			if (one.what === 'wallet' && one.wasBarred && one.status === 'OK' && STAKES.has(one.call))
				return [{ rule: ruleAt(one.call), why: `${one.account} is barred` }];
			if (one.what === 'staked' && one.wasBarred)
				return [{ rule: ruleAt('more stakes in an open round'), why: `${one.account} is barred` }];
			if (one.what === 'word' && one.wasBarred && one.given > 0)
				return [
					{
						rule: ruleAt('an order from before'),
						why: `${one.order.account} is barred, and can play with the deposit`,
					},
				];
			return [];
		}),
};
