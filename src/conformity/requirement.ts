/**
 * What standards and laws ask of this software, and what is shown of it: data alone. `register/` has the requirements,
 * `profiles/` what a jurisdiction decides, with the clause beside each value. docs/conformity is generated from both.
 */

/** Standards and laws, in the order in which they are listed. */
export const STANDARDS = {
	'GLI-19': 'GLI-19, Interactive Gaming Systems, version 3.0',
	'GLI-33': 'GLI-33, Event Wagering Systems, version 1.1',
	RTS: 'United Kingdom: remote gambling and software technical standards, as in force in 2026',
	LCCP: 'United Kingdom: licence conditions and codes of practice',
	'UK law': 'United Kingdom: regulations under the Gambling Act 2005',
	AGCO: 'Ontario: Registrar’s Standards for Internet Gaming',
	MGA: 'Malta: Player Protection Directive, 2018',
	Brazil: 'Brazil: law 14.790/2023 and ordinance 722/2024',
	Italy: 'Italy: decree 47/2013 on betting exchanges',
	India: 'India: Promotion and Regulation of Online Gaming Act, 2025',
	BetStop: 'Australia: the national self-exclusion register',
	Own: 'Backlay’s own rules for play money',
} as const;
export type Standard = keyof typeof STANDARDS;

/** A clause with its standard, such as `GLI-19 2.5.3`. */
export type ClauseName = `${Standard} ${string}`;

export const KINDS = ['wallet', 'game', 'betting', 'account', 'report', 'log', 'security'] as const;

/** `part`: tests show a part of the requirement, or code holds it and no test shows it. */
export type State = 'held' | 'part' | 'not held';

export interface Requirement {
	/** As the standard numbers it, or its heading where the number is not known. */
	clause: string;
	/** Tells apart the requirements of one clause. */
	topic: string;
	kind: (typeof KINDS)[number];
	/** In our words. */
	requirement: string;
	/** What code and tests show of the requirement, whatever its clause is called. */
	state: State;
	/** Why the state is not a better one, or what it rests on. */
	reason: string;
	/** The clause was written from memory, and not compared with the text. */
	fromMemory?: true;
	/** Files that decide it. */
	places: readonly string[];
	/** Titles of tests, as their source has them, by file. */
	tests: Readonly<Record<string, readonly string[]>>;
	/** A command that prints further evidence. */
	evidence?: string;
}
