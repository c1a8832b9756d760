/** What is found of the register for a profile. */
import type { Profile } from '#conformity/profiles/profile.ts';
import { REGISTER, type Row, verdictOf } from '#conformity/register/register.ts';
import type { State } from '#conformity/requirement.ts';

export interface Finding {
	row: Row;
	state: State | 'not applicable';
	reason: string;
}

/** What is found of each row of the register for a profile, in the register's order. */
export const findingsOf = (profile: Profile): Finding[] =>
	REGISTER.map((row) => {
		if (profile.needs[row.standard] === undefined)
			return { row, state: 'not applicable', reason: `${profile.title} is not measured by it.` };
		const leftOut = profile.leavesOut[`${row.standard} ${row.clause}`];
		return leftOut === undefined ? { row, ...verdictOf(row) } : { row, state: 'not applicable', reason: leftOut };
	});
