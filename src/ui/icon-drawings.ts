/**
 * The site's own line drawings: a grid of 24, one stroke weight, round ends. Their names are those of the icon library
 * in the product specification, so that `<Icon solid>star</Icon>` has the same meaning.
 */

export type IconPrefix = 'fas' | 'far' | 'fal' | 'fab' | 'fad' | 'fat';

export interface IconDrawing {
	prefix: IconPrefix;
	iconName: string;
	/** The strokes, as an SVG path. */
	path: string;
	/** Its inside has the colour of its line. */
	filled?: true;
}

const solid = (iconName: string, path: string): IconDrawing => ({ prefix: 'fas', iconName, path });

const DISC = 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z';
const STAR = 'm12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z';

export const arrowRightFromBracket = solid('arrow-right-from-bracket', 'M9 4H5v16h4M15 8l4 4-4 4M19 12H9.5');
export const bars = solid('bars', 'M4 7h16M4 12h16M4 17h16');
export const chevronDown = solid('chevron-down', 'm6 9.5 6 6 6-6');
export const chevronRight = solid('chevron-right', 'm9.5 6 6 6-6 6');
export const circleCheck = solid('circle-check', `${DISC}M8.3 12.2l2.6 2.6 4.8-5.2`);
export const circleInfo = solid('circle-info', `${DISC}M12 11v5.2M12 7.8v.01`);
export const clockRotateLeft = solid('clock-rotate-left', 'M4.5 8.6A8.3 8.3 0 1 1 3.7 12M4 4v4.6h4.6M12 7.5V12l3.2 2');
export const envelope = solid('envelope', 'M3.5 6h17v12h-17zM4 6.7l8 6.3 8-6.3');
export const eye = solid(
	'eye',
	'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
);
export const eyeSlash = solid(
	'eye-slash',
	'm4 4 16 16M9.9 5.8c.7-.2 1.4-.3 2.1-.3 6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.9 3.6M6.4 7.6A15.6 15.6 0 0 0 2.5 12S6 18.5 12 18.5c1.6 0 3-.4 4.2-1M10 10.1a2.8 2.8 0 0 0 3.9 3.9',
);
export const gear = solid(
	'gear',
	'M4 7.5h8.5M17.5 7.5H20M4 16.5h2.5M11.5 16.5H20M15 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM9 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
);
export const house = solid('house', 'm3.5 11.2 8.5-7.4 8.5 7.4M6 9.3V20h12V9.3M10 20v-5.6h4V20');
export const magnifyingGlass = solid(
	'magnifying-glass',
	'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20 20l-4.4-4.4',
);
export const pause = solid('pause', 'M9 5.5v13M15 5.5v13');
export const play = solid('play', 'M8 5.3v13.4L19 12z');
export const receipt = solid(
	'receipt',
	'M6 3.5v17l2-1.4 2 1.4 2-1.4 2 1.4 2-1.4 2 1.4v-17l-2 1.4-2-1.4-2 1.4-2-1.4-2 1.4zM9.2 9.5h5.6M9.2 13.5h5.6',
);
export const star: IconDrawing = { ...solid('star', STAR), filled: true };
export const starOutline: IconDrawing = { ...solid('star', STAR), prefix: 'far' };
export const ticket = solid(
	'ticket',
	'M3.5 6.5h17v3.4a2.1 2.1 0 0 0 0 4.2v3.4h-17v-3.4a2.1 2.1 0 0 0 0-4.2zM14.5 6.5v2.2M14.5 11v2M14.5 15.3v2.2',
);
export const towerBroadcast = solid(
	'tower-broadcast',
	'M12 13.4V20.5M12 8.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM7.9 7a5.7 5.7 0 0 0 0 8M16.1 7a5.7 5.7 0 0 1 0 8M5 4.2a9.6 9.6 0 0 0 0 13.6M19 4.2a9.6 9.6 0 0 1 0 13.6',
);
export const triangleExclamation = solid('triangle-exclamation', 'M12 4 2.8 19.8h18.4zM12 10v4.6M12 17v.01');
export const tv = solid('tv', 'M3.5 5.5h17v11h-17zM8 20h8');
export const user = solid('user', 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.2c.6-3.6 3.6-5.6 7.5-5.6s6.9 2 7.5 5.6');
export const wallet = solid('wallet', 'M18.5 9V5.5h-13a2 2 0 0 0 0 4h15V19h-15a2 2 0 0 1-2-2V7.5M16.7 14.2v.01');
export const xmark = solid('xmark', 'm6 6 12 12M18 6 6 18');

/** Used by single parts of the site, which register them. */
export const chartLine = solid('chart-line', 'M4 4v16h16M7.5 14.5l3.7-4.2 3 2.6 5-6.2');
export const chartSimple = solid('chart-simple', 'M6 20v-7M12 20V4.5M18 20V9.5');
export const circleDot = solid(
	'circle-dot',
	`${DISC}M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 3.5v5M12 15.5v5M3.5 12h5M15.5 12h5`,
);
export const clone = solid('clone', 'M4.5 8.5h9v12h-9zM8.5 8.5v-5h11v13h-6');
export const clock = solid('clock', `${DISC}M12 7.5V12l3.2 2`);
export const dice = solid(
	'dice',
	'M6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5v-11A2.5 2.5 0 0 1 6.5 4zM8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01',
);
export const gift = solid(
	'gift',
	'M4 9h16v4H4zM5.5 13v7.5h13V13M12 9v11.5M12 9C9.2 9 7 8.2 7 6.2 7 3.4 11 3.5 12 9c1-5.5 5-5.6 5-2.8C17 8.2 14.8 9 12 9z',
);
export const lock = solid('lock', 'M5.5 11h13v9.5h-13zM8 11V7.8a4 4 0 0 1 8 0V11');
export const moneyBillTransfer = solid('money-bill-transfer', 'M12 15V4M7.5 8.5 12 4l4.5 4.5M4.5 15v5h15v-5');
export const moneyBillWave = solid('money-bill-wave', 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4.5 15v5h15v-5');
export const moon = solid('moon', 'M19.6 14.6A8.2 8.2 0 0 1 9.4 4.4a8.2 8.2 0 1 0 10.2 10.2z');
export const shield = solid('shield', 'M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10');
export const userPlus = solid(
	'user-plus',
	'M10 4.5a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM3.5 19.5c.5-3.2 3-4.8 6.5-4.8s6 1.6 6.5 4.8M18.5 8v6M15.5 11h6',
);
export const sun = solid(
	'sun',
	'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.8v2M12 19.2v2M2.8 12h2M19.2 12h2M5.5 5.5l1.4 1.4M17.1 17.1l1.4 1.4M18.5 5.5l-1.4 1.4M6.9 17.1l-1.4 1.4',
);
