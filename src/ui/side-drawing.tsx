import type { ReactElement } from 'react';
import { type Flag, flagOf } from '#ui/nation-flags.ts';

/** What a side's badge shows, with its flags: a file that comes after the names beside it (side-badge.tsx). */

/**
 * The badge of a side: a team has a crest or its nation's flag, a person initials, a direction of the level an arrow.
 */
type SideKind = 'team' | 'person' | 'rise' | 'fall';

export interface SideProps {
	name: string;
	kind?: SideKind;
	/** In pixels; otherwise the style sheet's. */
	size?: number;
}

/** The letters of a side: the initials of up to three words, or the first three letters of a single one. */
export function monogramLetters(name: string): string {
	const words = name
		.replace(/\(.*?\)/g, ' ')
		.split(/[\s.'’-]+/)
		.filter((word) => /^\p{L}/u.test(word));
	if (words.length === 0) return '?';
	const letters = words.length === 1 ? (words[0] ?? '').slice(0, 3) : words.map((word) => word[0]).join('');
	return letters.slice(0, 3).toUpperCase();
}

/** A number that is always the same for a name (FNV-1a). */
function hashOf(name: string): number {
	let hash = 0x811c9dc5;
	for (const char of name.toLowerCase()) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	return hash;
}

/**
 * Colours of teams, distinct from each other and from those of prices, gain and loss; white letters are readable on
 * each.
 */
const TEAM_COLOURS = [
	['#b3261e', '#7d1510'],
	['#c2410c', '#8a2c06'],
	['#9a6700', '#6b4700'],
	['#4d7c0f', '#365a08'],
	['#0f766e', '#0a524c'],
	['#0369a1', '#034a73'],
	['#1d4ed8', '#15389c'],
	['#4338ca', '#2f2790'],
	['#7e22ce', '#581790'],
	['#a21caf', '#73127c'],
	['#9f1239', '#710b27'],
	['#475569', '#313c4b'],
] as const;

/** A side's colour, and a darker one beside it. */
export function teamColours(name: string): readonly [string, string] {
	return TEAM_COLOURS[hashOf(name) % TEAM_COLOURS.length] ?? TEAM_COLOURS[0];
}

const SHIELD = 'M4 5.5C8 5.5 12.5 4.5 16 2c3.5 2.5 8 3.5 12 3.5V16c0 7-5 11.5-12 14C9 27.5 4 23 4 16z';
/** What is sewn on a shield, on its right half, across it, or in bands. */
const PATTERNS = [
	'M16 2c3.5 2.5 8 3.5 12 3.5V16c0 7-5 11.5-12 14z',
	'M4 9 27 23.5c-1 1.7-2.5 3.2-4.5 4.5L4 15.5z',
	'M4 20.5h23.2c-1.4 4.3-5.4 7.4-11.2 9.5-5.8-2.1-9.8-5.2-12-9.5z',
	'M4 5.5c2.2 0 4.5-.3 6.7-1v23.2C6.5 25.2 4 21.3 4 16zM28 5.5c-2.2 0-4.5-.3-6.7-1v23.2C25.5 25.2 28 21.3 28 16z',
];

function Crest({ name, letters }: { name: string; letters: string }): ReactElement {
	const [field, half] = teamColours(name);
	return (
		<>
			<path fill={field} d={SHIELD} />
			<path fill={half} d={PATTERNS[(hashOf(name) >>> 8) % PATTERNS.length]} />
			<text x="16" y="16.5" fontSize={letters.length > 2 ? 9.5 : 12}>
				{letters}
			</text>
		</>
	);
}

function Initials({ name, letters }: { name: string; letters: string }): ReactElement {
	return (
		<>
			<circle cx="16" cy="16" r="14" fill={teamColours(name)[0]} />
			<text x="16" y="16.5" fontSize={letters.length > 2 ? 10 : 12.5}>
				{letters}
			</text>
		</>
	);
}

const BANNER = { x: 2, y: 6, width: 28, height: 20 };

function Cross({ colour, inner, shift = 0 }: NonNullable<Flag['cross']>): ReactElement {
	const upright = BANNER.x + BANNER.width * (0.5 + shift);
	const bars = (fill: string, wide: number) => (
		<path
			fill={fill}
			d={`M${upright - wide / 2} ${BANNER.y}h${wide}v${BANNER.height}h${-wide}zM${BANNER.x} ${16 - wide / 2}h${BANNER.width}v${wide}h${-BANNER.width}z`}
		/>
	);
	return (
		<>
			{bars(colour, 4.5)}
			{inner && bars(inner, 2.2)}
		</>
	);
}

/** The stripes of a flag, each with its place and size. */
function stripesOf({ stripes, colours }: Flag) {
	const isUpright = stripes === 'columns';
	const step = (isUpright ? BANNER.width : BANNER.height) / colours.length;
	return colours.map((fill, at) => ({
		...BANNER,
		...(isUpright ? { x: BANNER.x + at * step, width: step } : { y: BANNER.y + at * step, height: step }),
		fill,
	}));
}

function Banner({ flag }: { flag: Flag }): ReactElement {
	const { disc, cross, marks } = flag;
	return (
		<>
			{stripesOf(flag).map((stripe) => (
				<rect key={`${stripe.x} ${stripe.y}`} {...stripe} />
			))}
			{disc && <circle cx="16" cy="16" r={(BANNER.height * disc.share) / 2} fill={disc.colour} />}
			{cross && <Cross {...cross} />}
			{marks && (
				<g transform={`translate(${BANNER.x} ${BANNER.y})`}>
					{marks.map(([colour, path]) => (
						<path key={colour + path} fill={colour} d={path} />
					))}
				</g>
			)}
			<rect {...BANNER} className="flag-edge" />
		</>
	);
}

const ARROWS = { rise: 'M16 24V8M9 15l7-7 7 7', fall: 'M16 8v16M9 17l7 7 7-7' } as const;

/** A nation's flag, a team's crest, a person's initials or the arrow of a direction. */
export function SideDrawing({ name, kind = 'team', size }: SideProps): ReactElement {
	const flag = kind === 'team' ? flagOf(name) : undefined;
	const letters = monogramLetters(name);
	return (
		<svg
			viewBox="0 0 32 32"
			aria-hidden="true"
			className="crest flex-none"
			data-kind={flag ? 'flag' : kind}
			style={size === undefined ? undefined : { width: size, height: size }}
		>
			{kind === 'rise' || kind === 'fall' ? (
				<path className="crest-arrow" d={ARROWS[kind]} />
			) : flag ? (
				<Banner flag={flag} />
			) : kind === 'person' ? (
				<Initials name={name} letters={letters} />
			) : (
				<Crest name={name} letters={letters} />
			)}
		</svg>
	);
}
