/** Free coins fill up what a player has, with all that is held or at stake, and pay no debt. */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { RULES } from '../site.ts';
import type { Broken, Rule } from './rule.ts';
import { inMajor } from './rule.ts';

export const COINS: Rule = {
	check: ({ happened }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what !== 'coins' || one.given === 0) return [];
			const { account, given, before, inRounds } = one;
			if (before.cash < 0)
				return [
					{ rule: 'coins pay no debt', why: `${account} owed ${inMajor(-before.cash)} and got ${inMajor(given)}` },
				];
			const has = before.cash + before.exposure + before.hold + inRounds;
			if (has + given <= account.amount(RULES.dailyCoins) * MINOR_PER_MAJOR) return [];
			const why = `${account} had ${inMajor(has)}, ${inMajor(inRounds)} of it in open rounds, and got ${inMajor(given)}`;
			return [{ rule: 'coins fill the balance up to the floor, open rounds included', why }];
		}),
};
