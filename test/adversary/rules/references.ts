/** A bank's reference is credited once, and no player keeps another, or himself, from the credit of his own. */
import type { Happened, Receipt } from '../world.ts';
import { type Broken, inMajor, type Rule } from './rule.ts';

type Word = Extract<Happened, { what: 'word' }>;
type Reported = Extract<Happened, { what: 'receipt' }>;

const named = (receipts: readonly Receipt[]): string =>
	receipts.map(({ account, state }) => `${account} ${state}`).join(', ') || 'none';

/** What the provider says is paid to its order, whatever was reported about the reference before. */
function credited({ order, utr, amount, given, wasBarred }: Word, receipts: readonly Receipt[]): Broken[] {
	const about = receipts.filter((receipt) => receipt.utr === utr);
	const approved = about.filter(({ state }) => state === 'APPROVED');
	// A late payment waits for operators where a limit leaves no room for it.
	if (Date.now() > order.expiresAtMs) return [];
	if (wasBarred || given === amount || approved.some(({ account }) => account === order.account)) return [];
	const rule =
		approved.length > 0 ? 'an approved receipt gives way to the provider’s word' : 'no receipt blocks a payment';
	return [
		{ rule, why: `${order.account} paid ${inMajor(amount)} with ${utr} and got nothing; receipts: ${named(about)}` },
	];
}

/** The payer reports the payment, once, or again after an operator rejected it. */
function reported({ receipt, payer, earlier }: Reported): Broken[] {
	const { account, state, utr } = receipt;
	if (state !== 'DUPLICATE' || payer?.account !== account || payer.isCredited) return [];
	if (earlier.some((one) => one.state === 'APPROVED' || (one.account === account && one.state !== 'REJECTED')))
		return [];
	const why = `${account} reports ${utr}, which others reported: ${named(earlier)}`;
	return [{ rule: 'no receipt blocks the receipt of the payer', why }];
}

export const REFERENCES: Rule = {
	check: async ({ happened, receipts, orders, site }) => {
		const broken: Broken[] = [];
		for (const one of happened) {
			if (one.what === 'word') broken.push(...credited(one, receipts));
			if (one.what === 'receipt') broken.push(...reported(one));
			const utr = one.what === 'word' ? one.utr : one.what === 'judged' ? one.receipt.utr : null;
			if (utr === null) continue;
			const { rowCount } = await site.server.database.db.query(
				`select 1 from workflow where kind = 'DEPOSIT' and state = 'APPROVED' and data ->> 'utr' = $1`,
				[utr],
			);
			const count = (rowCount ?? 0) + orders.filter((order) => order.utr === utr && order.isCredited).length;
			if (count > 1) broken.push({ rule: 'a reference is credited once', why: `${utr} was credited ${count} times` });
		}
		return broken;
	},
};
