/**
 * Names of staff. The journal, the payments and the screens identify people by them, so no name may look like another
 * one, or like the word for a non-member.
 */

/** Actors other than members, as the journal, the steps of payments and the console name them. */
const NO_MEMBERS = [
	'server',
	'player',
	'players',
	'provider',
	'the provider',
	'rules',
	'the rules',
	'feed',
	'the feed',
	'operator',
	'system',
	'nobody',
	'unknown',
	'unnamed',
];

/** Scripts in which names are written here. Others, such as Cyrillic and Greek, have letters that look like Latin ones. */
const SCRIPTS = [
	'Latin',
	'Devanagari',
	'Bengali',
	'Gurmukhi',
	'Gujarati',
	'Oriya',
	'Tamil',
	'Telugu',
	'Kannada',
	'Malayalam',
	'Arabic',
].map((script) => new RegExp(`^[\\p{Script=${script}}\\p{Script=Inherited}0-9 ._@-]+$`, 'u'));

/** Letters other than A to Z with an accent, such as a dotless i, look like these. */
const PLAIN_LATIN = /^[\p{Script=Inherited}A-Za-z0-9 ._@-]+$/u;

/** Letters and pairs of letters that look alike in Latin print, in some case. */
const LOOKALIKES: readonly (readonly [pattern: RegExp, like: string])[] = [
	[/[i1]/g, 'l'],
	[/0/g, 'o'],
	[/rn/g, 'm'],
	[/vv/g, 'w'],
	[/cl/g, 'd'],
];

/** The form in which names look alike: without accents, case and separators (Unicode Technical Standard 39, 4). */
export function staffNameSkeleton(name: string): string {
	const bare = name
		.normalize('NFKD')
		.replaceAll(/[\u0300-\u036f\s._@-]/g, '')
		.toLowerCase();
	return LOOKALIKES.reduce((text, [pattern, letter]) => text.replaceAll(pattern, letter), bare);
}

const RESERVED = new Set(NO_MEMBERS.map(staffNameSkeleton));

/** Whether the name stands for an actor that is not a member of staff. */
export const isReservedStaffName = (name: string): boolean => RESERVED.has(staffNameSkeleton(name));

/** Whether the name is of one script, in letters that cannot be confused with others. */
export function isPlainStaffName(name: string): boolean {
	const text = name.normalize('NFKD');
	const script = SCRIPTS.findIndex((only) => only.test(text));
	return script > 0 || (script === 0 && PLAIN_LATIN.test(text));
}
