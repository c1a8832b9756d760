/** The kabaddi sides: the invented sides of two leagues, and nations. */
import { type League, leagueOf, nationsOf } from '#sports/names.ts';

export const KABADDI_LEAGUES: readonly League[] = [
	leagueOf(
		'National Kabaddi League',
		'india',
		'Banyan Bears, Cyclone Cranes, Desert Lynx, Ember Rhinos, Monsoon Mongooses, River Jackals, Saffron Storks, Tidal Panthers, Deccan Bisons, Himalayan Hawks, Konkan Cobras, Malwa Mastiffs',
	),
	leagueOf(
		'Village Cup',
		'india',
		'Amravati, Bhiwani, Hisar, Jind, Kolhapur, Madurai, Nanded, Rohtak, Sangli, Satara, Sonipat, Thane',
	),
	nationsOf('Asian Kabaddi Series', {
		india: 'India, Bangladesh, Nepal, Sri Lanka',
		orient: 'Iran, Japan, Thailand, Indonesia',
	}),
] as const;
