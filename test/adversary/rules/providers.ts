/** What a provider says is checked in every field, and bounded. */
import type { Broken, Rule } from './rule.ts';

export const PROVIDERS: Rule = {
	check: ({ happened }) =>
		happened.flatMap((one): Broken[] => {
			if (one.what !== 'wallet' || one.fault === null || one.status !== 'OK') return [];
			return [{ rule: `a provider is refused ${one.fault}`, why: `${one.account}: a ${one.call} was taken` }];
		}),
};
