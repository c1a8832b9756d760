/** The profiles by the name that `npm run conformity -- --profile NAME` takes. */
import { brazil } from '#conformity/profiles/brazil.ts';
import { india } from '#conformity/profiles/india.ts';
import { italy } from '#conformity/profiles/italy.ts';
import { malta } from '#conformity/profiles/malta.ts';
import { ontario } from '#conformity/profiles/ontario.ts';
import { play } from '#conformity/profiles/play.ts';
import type { Profile } from '#conformity/profiles/profile.ts';
import { uk } from '#conformity/profiles/uk.ts';
import { REGISTER, type Row, verdictOf } from '#conformity/register/register.ts';
import type { State } from '#conformity/requirement.ts';

export const PROFILES: Readonly<Record<string, Profile>> = { play, uk, ontario, malta, brazil, italy, india };

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
