/** Invented courses, horses and jockeys. */
import { personOf, type Region } from '#sports/names.ts';

const list = (text: string): string[] => text.split(', ');

export const COURSES = list(
	'Alder Vale, Brackenmoor, Cinder Hill, Dovecote Park, Elmscar, Fallowfield, Gorse Down, Hawkstead, Ivelbury, Juniper Bank, Kilnsea, Larkrise, Mallowbrook, Netherby, Oxmoor, Pendleford, Quarry Bank, Rushmere, Saltmarsh, Tarrow, Underwood, Wetherlam',
);
const FIRST = list(
	'Amber, Bold, Cobalt, Dancing, Early, Fair, Gilded, Hasty, Ivory, Jolly, Kindly, Lonely, Marble, Northern, Opal, Paper, Quiet, Royal, Silver, Tidal, Upland, Velvet, Winter, Young, Autumn, Brave, Copper, Distant, Emerald, Flying',
);
const SECOND = list(
	'Ledger, Meridian, Rain, Plumb, Monsoon, Quarrel, Heron, Verdict, Tollgate, Road, Bay, Lamplighter, Arcade, Ferry, Orchard, Lantern, Harbour, Sonnet, Compass, Falcon, Meadow, Whisper, Thunder, Anthem, Ember, Frontier, Gambit',
);
const REGIONS: readonly Region[] = ['islands', 'india', 'europe'];
const JOCKEYS = 72;

/** Horses of neighbouring numbers share no word. */
export const horseOf = (number: number): string =>
	`${FIRST[number % FIRST.length]} ${SECOND[(number * 5 + Math.floor(number / FIRST.length)) % SECOND.length]}`;

/** An initial and a surname. */
export function jockeyOf(number: number): string {
	const at = number % JOCKEYS;
	const [first = '', ...last] = personOf(REGIONS[at % REGIONS.length] as Region, 2000 + at).split(' ');
	return `${first[0]}. ${last.join(' ')}`;
}
