/**
 * An icon by its name: `<Icon solid>star</Icon>`. The rules are those of the product specification, sections 5 and 8:
 * one variant must be named, the content is the icon's name, and an unknown name draws a question mark.
 */

import { type CSSProperties, type ReactElement, useState } from 'react';
import type { IconPrefix } from '#ui/icon-drawings.ts';
import { findIcon } from '#ui/icon-registry.ts';

type IconSize = '2xs' | 'xs' | 'sm' | 'lg' | 'xl' | '2xl' | `${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}x`;

/** Names of variants that the site has no drawings of resolve to the placeholder. */
const PREFIXES = {
	solid: 'fas',
	regular: 'far',
	light: 'fal',
	brands: 'fab',
	duotone: 'fad',
	thin: 'fat',
} as const satisfies Record<string, IconPrefix>;

type Variant = keyof typeof PREFIXES;

export interface IconProps extends Partial<Record<Variant, boolean>> {
	/** The icon's name, as in `magnifying-glass`. */
	children?: string;
	size?: IconSize;
	spin?: boolean;
	/** Turns in eight steps. */
	pulse?: boolean;
	/** All icons as wide as each other, for lists; the site's own drawings are. */
	fixedWidth?: boolean;
	/** `grow-4 rotate-90 flip-h up-2`: sixteenths of the icon's size, and degrees. */
	transform?: string;
	/** Read out loud; without it the icon is decoration. */
	title?: string;
	className?: string;
}

const EMS: Record<string, number> = { '2xs': 0.625, xs: 0.75, sm: 0.875, lg: 1.25, xl: 1.5, '2xl': 2 };

/** The variant named by the props; throws the specification's error if there is none. */
function iconPrefix(props: Partial<Record<Variant, boolean>>): IconPrefix {
	const variant = (Object.keys(PREFIXES) as Variant[]).find((name) => props[name] === true);
	if (!variant) {
		throw new Error('Missing icon prefix configuration. Pass one of {solid,regular,light,brands,duotone,thin} props.');
	}
	return PREFIXES[variant];
}

/** The icon's name from the tag's content; throws the specification's error if there is none. */
function iconName(content: string | undefined): string {
	const name = content?.trim();
	if (!name) throw new Error('Empty icon content. Content of the tag should contain the icon name.');
	return name;
}

/** Power transforms as CSS: every step is a sixteenth of the icon. */
function cssTransform(transform: string): string {
	let scale = 1;
	let x = 0;
	let y = 0;
	let turn = 0;
	let flipX = 1;
	let flipY = 1;
	for (const word of transform.toLowerCase().split(/\s+/)) {
		const [, verb, rest = ''] = /^([a-z]+)-(.+)$/.exec(word) ?? [];
		const amount = Number(rest);
		if (verb === 'flip') {
			if (rest.includes('h')) flipX = -1;
			if (rest.includes('v')) flipY = -1;
		} else if (Number.isFinite(amount)) {
			if (verb === 'grow') scale += amount / 16;
			else if (verb === 'shrink') scale -= amount / 16;
			else if (verb === 'left') x -= amount / 16;
			else if (verb === 'right') x += amount / 16;
			else if (verb === 'up') y -= amount / 16;
			else if (verb === 'down') y += amount / 16;
			else if (verb === 'rotate') turn += amount;
		}
	}
	return `translate(${x}em, ${y}em) scale(${scale * flipX}, ${scale * flipY}) rotate(${turn}deg)`;
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** An element id of 12 random characters, for the title a screen reader reads. */
export function randomIconId(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const reported = new Set<string>();

/** Reports a missing icon once on the console. */
function reportMissing(prefix: IconPrefix, name: string): void {
	const key = `${prefix}-${name}`;
	if (reported.has(key)) return;
	reported.add(key);
	console.error(`could not find icon: ${key}`);
}

/** A question mark in a box, drawn where an icon is missing. */
const PLACEHOLDER = 'M4.5 4.5h15v15h-15zM9.8 9.6c.2-1.3 1-2 2.2-2s2.3.8 2.3 2c0 1.7-2.3 1.9-2.3 3.7M12 16.3v.01';

/** Drawings leave room around themselves on their grid, so that they are drawn larger than the letters beside them. */
const TO_LETTERS = 1.25;

export function Icon(props: IconProps): ReactElement {
	const prefix = iconPrefix(props);
	const name = iconName(props.children);
	const [titleId] = useState(() => (props.title ? randomIconId() : undefined));
	const found = findIcon(prefix, name);
	if (!found) reportMissing(prefix, name);
	const ems = (props.size ? (EMS[props.size] ?? Number.parseInt(props.size, 10)) : 1) * TO_LETTERS;
	const style: CSSProperties = { height: `${ems}em`, width: `${ems}em` };
	if (props.transform) style.transform = cssTransform(props.transform);
	if (props.spin) style.animation = 'turn 2s linear infinite';
	if (props.pulse) style.animation = 'turn 1s steps(8) infinite';
	return (
		<svg
			viewBox="0 0 24 24"
			data-icon={name}
			data-prefix={prefix}
			data-filled={found?.filled}
			className={`icon ${props.className ?? ''}`}
			style={style}
			role={titleId ? 'img' : undefined}
			aria-labelledby={titleId}
			aria-hidden={titleId ? undefined : true}
			focusable="false"
		>
			{titleId && <title id={titleId}>{props.title}</title>}
			<path d={found ? found.path : PLACEHOLDER} />
		</svg>
	);
}
