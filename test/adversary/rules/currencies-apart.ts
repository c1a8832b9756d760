/** Money is of one currency and of its coins, in every account and every posting of a player. */
import type { CallName } from '#contract/registry.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { poolOf } from '#values/pools.ts';
import type { Account } from '../account.ts';
import type { World } from '../world.ts';
import { type Broken, inMajor, type Rule, touched } from './rule.ts';

/** The server says how much money moves. */
const COUNTED: ReadonlySet<CallName> = new Set(['claimBonus', 'claimReferral', 'claimDailyCoins', 'cashOut']);

async function postings({ site }: World, { userId, currency, userName }: Account): Promise<Broken[]> {
	const { rows } = await site.server.database.db.query<{ kind: string; pool: string; amount: number }>(
		'select kind, pool, amount from posting where wallet_id = $1 and (pool <> $2 or amount % $3 <> 0)',
		[userId, poolOf('PLAY', currency), CURRENCY_TERMS[currency].step],
	);
	return rows.map(({ kind, pool, amount }) => {
		const why = `${userName} plays in ${currency} and has a posting ${kind} of ${inMajor(amount)} in ${pool}`;
		return { rule: 'each posting is of whole coins of the player’s currency', why };
	});
}

function amounts({ currency, money, userName }: Account): Broken[] {
	const parts = Object.entries(money).filter(([, amount]) => amount % CURRENCY_TERMS[currency].step !== 0);
	return parts.map(([name, amount]) => {
		const why = `${userName} plays in ${currency} and has ${inMajor(amount)} ${name}`;
		return { rule: 'what a player has is whole coins', why };
	});
}

export const CURRENCIES_APART: Rule = {
	check: async (world) => {
		const broken: Broken[] = [];
		for (const account of touched(world)) broken.push(...amounts(account), ...(await postings(world, account)));
		for (const one of world.happened) {
			if (one.what === 'call' && one.code === 'INVALID_AMOUNT' && COUNTED.has(one.name))
				broken.push({ rule: 'what the server counts is whole coins', why: `${one.account}: ${one.name}` });
			if (one.what !== 'withdrawal' || one.code !== 'INVALID_AMOUNT') continue;
			const why = `${one.account} was offered ${one.amount} for a withdrawal, which is not of coins`;
			broken.push({ rule: 'what may be withdrawn is whole coins', why });
		}
		return broken;
	},
};
