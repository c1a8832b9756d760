/** A dispute holds the disputed amount at most, in each cycle, and takes it from the player before the house bears a rest. */
import type { Money } from '../account.ts';
import type { Broken, Rule } from './rule.ts';
import { inMajor } from './rule.ts';

const total = ({ cash, exposure, hold }: Money): number => cash + exposure + hold;

export const DISPUTES: Rule = {
	check: ({ happened }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what === 'dispute') {
				const { order, amount, before, after } = one;
				const held = after.hold - before.hold;
				const due = Math.min(amount, Math.max(0, before.cash));
				const said = `${order.account}: ${inMajor(amount)} of ${inMajor(order.amount)} are disputed, ${inMajor(held)} are held`;
				if (held > amount) return [{ rule: 'a dispute holds the disputed amount at most', why: said }];
				return held < due ? [{ rule: 'each dispute holds what is disputed', why: said }] : [];
			}
			if (one.what !== 'dispute lost') return [];
			const { order, amount, before, after } = one;
			// A rest freezes the account, which cancels its unmatched bets: what they held is cash then, or taken.
			const taken = total(before) - total(after);
			const due = Math.min(amount, one.held + Math.max(0, before.cash));
			const said = `${order.account} lost a dispute about ${inMajor(amount)} and had ${inMajor(one.held + before.cash)}: ${inMajor(taken)} were taken`;
			if (taken > amount) return [{ rule: 'a lost dispute takes the disputed amount at most', why: said }];
			return taken < due ? [{ rule: 'the house bears only what the player does not have', why: said }] : [];
		}),
};
