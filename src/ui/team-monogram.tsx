import type { CSSProperties, ReactElement } from 'react';

/** The letters of a team: the initials of up to three words, or the first three letters of a single one. */
export function monogramLetters(name: string): string {
	const words = name
		.replace(/\(.*?\)/g, ' ')
		.split(/[\s.'’-]+/)
		.filter((word) => /^\p{L}/u.test(word));
	if (words.length === 0) return '?';
	const letters = words.length === 1 ? (words[0] ?? '').slice(0, 3) : words.map((word) => word[0]).join('');
	return letters.slice(0, 3).toUpperCase();
}

/** A hue of 0 to 359 that a name always gets again (FNV-1a). */
export function hueOf(name: string): number {
	let hash = 0x811c9dc5;
	for (const char of name.toLowerCase()) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	return hash % 360;
}

/** A crest drawn from a name; decoration beside that name. */
export function TeamMonogram({ name, size = 28 }: { name: string; size?: number }): ReactElement {
	const hue = hueOf(name);
	const letters = monogramLetters(name);
	const style = { '--hue': hue, width: size, height: size } as CSSProperties;
	return (
		<svg viewBox="0 0 32 32" aria-hidden="true" className="crest flex-none" style={style}>
			<path
				className="crest-field"
				d="M4 5.5C8 5.5 12.5 4.5 16 2c3.5 2.5 8 3.5 12 3.5V16c0 7-5 11.5-12 14C9 27.5 4 23 4 16z"
			/>
			<path className="crest-half" d="M16 2c3.5 2.5 8 3.5 12 3.5V16c0 7-5 11.5-12 14z" />
			<text x="16" y="16.5" textAnchor="middle" dominantBaseline="central" fontSize={letters.length > 2 ? 9.5 : 12}>
				{letters}
			</text>
		</svg>
	);
}
