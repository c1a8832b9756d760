/** A bank's reference is credited once, and nobody keeps another, or himself, from the credit of his own. */
import type { Broken, Rule } from './rule.ts';
import { rupees } from './rule.ts';

export const REFERENCES: Rule = {
	check: ({ happened, receipts }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what === 'word') {
				const { order, utr, amount, before, after, wasBarred } = one;
				const isApproved = receipts.some((receipt) => receipt.utr === utr && receipt.state === 'APPROVED');
				if (isApproved && after.cash > before.cash)
					return [{ rule: 'a reference is credited once', why: `${utr} was credited by a receipt and by its order` }];
				if (isApproved || wasBarred || after.cash - before.cash === amount) return [];
				const others = receipts
					.filter((receipt) => receipt.utr === utr)
					.map(({ account, state }) => `${account} ${state}`);
				const why = `${order.account} paid ${rupees(amount)} with ${utr} and got nothing; receipts: ${others.join(', ') || 'none'}`;
				return [{ rule: 'nobody blocks the credit of another’s payment', why }];
			}
			if (one.what !== 'receipt' || one.receipt.state !== 'DUPLICATE' || one.isPaid) return [];
			const { receipt, earlier } = one;
			if (earlier.some(({ state }) => state === 'APPROVED')) return [];
			const why = `${receipt.account} reports ${receipt.utr}, and is blocked by ${earlier.map(({ account, state }) => `${account} ${state}`).join(', ')}`;
			return [{ rule: 'nobody blocks the receipt of another’s payment', why }];
		}),
};
