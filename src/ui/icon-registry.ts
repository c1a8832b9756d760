/**
 * Parts that site and console share: they know tokens and words handed to them, never a screen, a call or a store.
 *
 * This file holds the icons that are known by name. Icons are imported one by one, so that a screen carries only what
 * it shows; the 24 below are those every screen may use, a lazy screen registers its own.
 */

import type { IconDefinition, IconName, IconPrefix } from '@fortawesome/fontawesome-common-types';
import { faStar as faStarOutline } from '@fortawesome/free-regular-svg-icons';
import {
	faArrowRightFromBracket,
	faBars,
	faChevronDown,
	faChevronRight,
	faCircleCheck,
	faCircleInfo,
	faClockRotateLeft,
	faEye,
	faEyeSlash,
	faGear,
	faHouse,
	faMagnifyingGlass,
	faPause,
	faPlay,
	faReceipt,
	faStar,
	faTicket,
	faTowerBroadcast,
	faTriangleExclamation,
	faTv,
	faUser,
	faWallet,
	faXmark,
} from '@fortawesome/free-solid-svg-icons';

/** The icon library's release whose drawings these are. */
export const ICON_LIBRARY_VERSION = '6.7.2';

/** The 24 icons registered before anything is drawn; the outline star is the second face of the favourite. */
export const PRE_REGISTERED_ICONS: readonly IconDefinition[] = [
	faArrowRightFromBracket,
	faBars,
	faChevronDown,
	faChevronRight,
	faCircleCheck,
	faCircleInfo,
	faClockRotateLeft,
	faEye,
	faEyeSlash,
	faGear,
	faHouse,
	faMagnifyingGlass,
	faPause,
	faPlay,
	faReceipt,
	faStar,
	faStarOutline,
	faTicket,
	faTowerBroadcast,
	faTriangleExclamation,
	faTv,
	faUser,
	faWallet,
	faXmark,
];

const registered = new Map<string, IconDefinition>();

const keyOf = (prefix: string, name: string): string => `${prefix}-${name}`;

/** Makes icons known by their names; a lazy screen calls this beside its own imports. */
export function registerIcons(icons: readonly IconDefinition[]): void {
	for (const icon of icons) registered.set(keyOf(icon.prefix, icon.iconName), icon);
}

/** The drawing of a name such as `fas`, `star`; undefined when it is not registered. */
export function findIcon(prefix: IconPrefix, name: IconName | string): IconDefinition | undefined {
	return registered.get(keyOf(prefix, name));
}

registerIcons(PRE_REGISTERED_ICONS);
