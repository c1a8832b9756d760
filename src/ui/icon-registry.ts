/**
 * Parts that site and console share: they know tokens and texts passed to them, never a screen, a call or a store.
 *
 * This file holds the icons that are known by name. The 24 below are those every screen may use; a lazy screen
 * registers its own, so that the first one carries only the icons that it shows.
 */

import {
	arrowRightFromBracket,
	bars,
	chevronDown,
	chevronRight,
	circleCheck,
	circleInfo,
	clockRotateLeft,
	eye,
	eyeSlash,
	gear,
	house,
	type IconDrawing,
	type IconPrefix,
	magnifyingGlass,
	pause,
	play,
	receipt,
	star,
	starOutline,
	ticket,
	towerBroadcast,
	triangleExclamation,
	tv,
	user,
	wallet,
	xmark,
} from '#ui/icon-drawings.ts';

/** The icon library's release whose names these are. */
export const ICON_LIBRARY_VERSION = '6.7.2';

/** The 24 icons registered before anything is drawn; the outline star is the second face of the favourite. */
export const PRE_REGISTERED_ICONS: readonly IconDrawing[] = [
	arrowRightFromBracket,
	bars,
	chevronDown,
	chevronRight,
	circleCheck,
	circleInfo,
	clockRotateLeft,
	eye,
	eyeSlash,
	gear,
	house,
	magnifyingGlass,
	pause,
	play,
	receipt,
	star,
	starOutline,
	ticket,
	towerBroadcast,
	triangleExclamation,
	tv,
	user,
	wallet,
	xmark,
];

const registered = new Map<string, IconDrawing>();

const keyOf = (prefix: string, name: string): string => `${prefix}-${name}`;

/** Makes icons known by their names; a lazy screen calls this beside its own imports. */
export function registerIcons(icons: readonly IconDrawing[]): void {
	for (const icon of icons) registered.set(keyOf(icon.prefix, icon.iconName), icon);
}

/** The drawing of a name such as `fas`, `star`; undefined if it is not registered. */
export function findIcon(prefix: IconPrefix, name: string): IconDrawing | undefined {
	return registered.get(keyOf(prefix, name));
}

registerIcons(PRE_REGISTERED_ICONS);
