/**
 * Nothing raises what may be withdrawn, a bonus, a referral or a cashback without a risk that was taken. The server is asked
 * before the risk is counted: a round of a table may end between the two.
 */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import type { Account } from '../account.ts';
import { allLosses, allRisk } from '../money-at-risk.ts';
import { RULES } from '../site.ts';
import type { World } from '../world.ts';
import { type Broken, grown, inMajor, type Rule, touched } from './rule.ts';

/** What the account's postings of these kinds brought it in cash, minor units. */
async function cashBy(world: World, { userId }: Account, kinds: readonly string[]): Promise<number> {
	const { rows } = await world.site.server.database.db.query<{ net: number }>(
		`select coalesce(sum(case when credit = 'cash' then amount when debit = 'cash' then -amount else 0 end), 0)::bigint as net
		 from posting where wallet_id = $1 and kind = any ($2)`,
		[userId, kinds],
	);
	return rows[0]?.net ?? 0;
}

/** What came in by payments and receipts and is neither disputed nor taken back. */
const depositedBy = (world: World, account: Account): Promise<number> =>
	cashBy(world, account, ['PAYMENT', 'DEPOSIT', 'DISPUTE']);

async function withdrawal(world: World, account: Account): Promise<Broken[]> {
	const deposited = await depositedBy(world, account);
	if (deposited <= 0) return [];
	const { cash } = account.money;
	const version = account.moneyVersion;
	const { result } = await account.call('getPaymentInfo', {});
	if (!result) return [];
	// A bet that waited for a round was placed meanwhile.
	if (account.moneyVersion !== version) return await withdrawal(world, account);
	const risk = await allRisk(world, account);
	const max = Math.round(result.withdrawal.max * MINOR_PER_MAJOR);
	const allowed = Math.max(0, cash - Math.max(0, deposited - risk));
	if (!grown(world, `withdrawal of ${account}`, max - allowed)) return [];
	const why = `${account} may withdraw ${inMajor(max)} of ${inMajor(cash)}: ${inMajor(deposited)} were deposited, ${inMajor(risk)} were at risk`;
	return [{ rule: 'a deposit is withdrawn only after it was at risk', why }];
}

async function bonus(world: World, account: Account): Promise<Broken[]> {
	if (!world.claimed.has(account)) return [];
	const { result } = await account.call('getBonuses', {});
	const risk = await allRisk(world, account);
	return (result ?? []).flatMap(({ kind, status, wageringDone, wageringRequired }) => {
		if (kind !== 'WELCOME' || (status !== 'ACTIVE' && status !== 'RELEASED')) return [];
		const done = Math.round((status === 'RELEASED' ? wageringRequired : wageringDone) * MINOR_PER_MAJOR);
		if (!grown(world, `bonus of ${account}`, done - risk)) return [];
		const why = `${account} has ${inMajor(done)} wagered and had ${inMajor(risk)} at risk`;
		return [{ rule: 'a bonus is wagered by money at risk alone', why }];
	});
}

async function referral(world: World, referee: Account): Promise<Broken[]> {
	const { inviter } = referee;
	if (!inviter || inviter.userId === 0 || referee.userId === 0) return [];
	const { rows } = await world.site.server.database.db.query<{ state: string }>(
		`select state from workflow where kind = 'REFERRAL' and wallet_id = $1 and (data ->> 'refereeId')::bigint = $2`,
		[inviter.userId, referee.userId],
	);
	const state = rows[0]?.state ?? '';
	if (state !== 'QUALIFIED' && state !== 'CLAIMED') return [];
	const risk = await allRisk(world, referee);
	if (!grown(world, `referral of ${referee}`, referee.amount(RULES.referral.minWagered) * MINOR_PER_MAJOR - risk))
		return [];
	const why = `${referee}, whom ${inviter} invited, is ${state} and had ${inMajor(risk)} at risk`;
	return [{ rule: 'a referral is earned by money at risk alone', why }];
}

async function cashback(world: World, account: Account, given: number): Promise<Broken[]> {
	// Commission is lost to the house; the book of a match knows nothing of it.
	const lost = (await allLosses(world, account)) - (await cashBy(world, account, ['COMMISSION']));
	if (given * 100 <= lost * RULES.cashback.percent) return [];
	const why = `${account} got ${inMajor(given)} back and lost ${inMajor(lost)} to others`;
	return [{ rule: 'a cashback is a part of a loss to others', why }];
}

export const TURNOVER: Rule = {
	check: async (world) => {
		const broken: Broken[] = [];
		for (const one of world.happened)
			if (one.what === 'cashback') broken.push(...(await cashback(world, one.account, one.given)));
		const acted = touched(world);
		for (const account of acted) {
			broken.push(...(await withdrawal(world, account)));
			broken.push(...(await bonus(world, account)));
		}
		for (const referee of world.accounts)
			if (referee.inviter && (acted.includes(referee) || acted.includes(referee.inviter)))
				broken.push(...(await referral(world, referee)));
		return broken;
	},
};
