/** No account learns or changes anything of another one without a proof that both are one person's. */
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import type { Account } from '../account.ts';
import type { World } from '../world.ts';
import { type Broken, grown, type Rule, touched } from './rule.ts';

type Protection = ResultOf<Calls['getProtection']>;

/** Each account with others of its mobile that never proved it. */
const posed = (world: World): { owner: Account; stranger: Account }[] =>
	world.accounts.flatMap((stranger) => {
		if (stranger.isProven || stranger.userId === 0) return [];
		const owner = world.accounts.find(({ isProven, mobile }) => isProven && mobile === stranger.mobile);
		return owner && owner.userId !== 0 ? [{ owner, stranger }] : [];
	});

/** Bars and limits. Money moves by itself, too: rounds end, and wagered bonuses are released. */
function stateOf({ limits, timeOutUntil, excludedUntil, closedAt, isFrozen }: Protection): string {
	const kept = limits.map(({ name, limit, raise }) => [name, limit, raise]);
	return JSON.stringify({ kept, timeOutUntil, excludedUntil, closedAt, isFrozen });
}

/** What the account itself has ordered and reported, major units. */
const ordered = (world: World, account: Account): number =>
	[...world.orders, ...world.receipts].reduce((sum, one) => sum + (one.account === account ? one.amount : 0), 0) /
	MINOR_PER_MAJOR;

function learnt(world: World, stranger: Account, { limits, netDeposits }: Protection): Broken[] {
	const own = ordered(world, stranger);
	const used = limits.filter((limit) => limit.name.startsWith('deposit')).map((limit) => limit.used ?? 0);
	const shown = Math.max(netDeposits, ...used);
	if (!grown(world, `shown to ${stranger}`, shown - own)) return [];
	const why = `${stranger} ordered ${own} and is shown deposits of ${shown}: those of the mobile’s owner`;
	return [{ rule: 'no account learns anything of another', why }];
}

export const STRANGERS: Rule = {
	check: async (world) => {
		const broken: Broken[] = [];
		const acted = touched(world);
		const pairs = posed(world);
		for (const owner of new Set(pairs.map((pair) => pair.owner))) {
			const { result } = await owner.call('getProtection', {});
			if (!result) continue;
			const state = stateOf(result);
			const before = world.states.get(owner);
			world.states.set(owner, state);
			const isOwn = acted.some(({ isProven, mobile }) => isProven && mobile === owner.mobile);
			if (before === undefined || before === state || isOwn) continue;
			const why = `${owner} was changed by ${acted.join(', ')}: ${before} became ${state}`;
			broken.push({ rule: 'no account changes anything of another', why });
		}
		for (const { stranger } of pairs) {
			if (!acted.includes(stranger) && !acted.some(({ mobile }) => mobile === stranger.mobile)) continue;
			const { result } = await stranger.call('getProtection', {});
			if (result) broken.push(...learnt(world, stranger, result));
		}
		return broken;
	},
};
