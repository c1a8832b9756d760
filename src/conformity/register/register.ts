/** All requirements, by standard, each under a name of its own. */
import { BETSTOP, BRAZIL, INDIA, ITALY, MALTA, ONTARIO, UK_LAW, UK_LCCP } from '#conformity/register/countries.ts';
import { GLI_19_GAMES } from '#conformity/register/gli-19-games.ts';
import { GLI_19_OPERATION } from '#conformity/register/gli-19-operation.ts';
import { GLI_19_RECORDS } from '#conformity/register/gli-19-records.ts';
import { GLI_19_SYSTEM } from '#conformity/register/gli-19-system.ts';
import { GLI_33 } from '#conformity/register/gli-33.ts';
import { OWN_RULES } from '#conformity/register/own-rules.ts';
import { UK_RTS } from '#conformity/register/uk-rts.ts';
import { type ClauseName, type Requirement, STANDARDS, type Standard, type State } from '#conformity/requirement.ts';

const BY_STANDARD: Readonly<Record<Standard, readonly Requirement[]>> = {
	'GLI-19': [...GLI_19_SYSTEM, ...GLI_19_RECORDS, ...GLI_19_GAMES, ...GLI_19_OPERATION],
	'GLI-33': GLI_33,
	RTS: UK_RTS,
	LCCP: UK_LCCP,
	'UK law': UK_LAW,
	AGCO: ONTARIO,
	MGA: MALTA,
	Brazil: BRAZIL,
	Italy: ITALY,
	India: INDIA,
	BetStop: BETSTOP,
	Own: OWN_RULES,
};

export interface Row extends Requirement {
	standard: Standard;
	/** Standard, clause and topic, such as `RTS 12B: raise`; no other row has it. */
	name: `${ClauseName}: ${string}`;
}

export const REGISTER: readonly Row[] = (Object.keys(STANDARDS) as Standard[]).flatMap((standard) =>
	BY_STANDARD[standard].map(
		(requirement): Row => ({
			...requirement,
			standard,
			name: `${standard} ${requirement.clause}: ${requirement.topic}`,
		}),
	),
);

/** What may be said of a row: no more than `part` while its clause was not compared with the text. */
export function verdictOf({ state, reason, fromMemory }: Requirement): { state: State; reason: string } {
	return state === 'held' && fromMemory
		? { state: 'part', reason: `${reason} The clause was written from memory: compare it with the text.` }
		: { state, reason };
}
