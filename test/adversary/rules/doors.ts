/** A barred player is barred at every door in the same way, at once, and no order of it becomes a bet any more. */
import { setTimeout as delay } from 'node:timers/promises';
import type { CallName } from '#contract/registry.ts';
import type { World } from '../world.ts';
import { type Broken, type Rule, touched } from './rule.ts';

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

/** What waits is cancelled by the server itself, a moment after the answer to the bar. */
const MOST_MS = 5_000;
const LOOK_EVERY_MS = 10;

async function stillWaiting(world: World): Promise<Broken[]> {
	const { exchange } = world.site.server.running;
	const waiting = () =>
		touched(world).filter(
			(account) =>
				world.isBarred(account) &&
				(exchange.triggers(account.userId).length > 0 ||
					exchange.openBets(account.userId).some(({ remaining }) => remaining > 0)),
		);
	let left = waiting();
	for (const untilMs = performance.now() + MOST_MS; left.length > 0 && performance.now() < untilMs; left = waiting())
		await delay(LOOK_EVERY_MS);
	return left.map((account) => ({ rule: 'nothing of a barred account becomes a bet', why: `${account} is barred` }));
}

function openDoors({ happened }: World): Broken[] {
	return happened.flatMap((one): Broken[] => {
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
	});
}

export const OPEN_DOORS: Rule = {
	check: async (world) => [...openDoors(world), ...(await stillWaiting(world))],
};
