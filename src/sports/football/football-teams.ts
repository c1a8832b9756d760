/** The football sides: the invented clubs of five leagues, and nations. */
import { type League, leagueOf, nationsOf } from '#sports/names.ts';

export const FOOTBALL_LEAGUES: readonly League[] = [
	leagueOf(
		'Northern Premier',
		'islands',
		'Anchor Town, Birchfield Rovers, Castle Wharf, Dunmore Athletic, Eastgate United, Foundry Albion, Glenrock, Holm Wanderers, Ironbridge, Kingsmere City, Lower Marsh, Millhaven, Northwick, Oldcastle, Priory Park, Ravenscar, Southmoor, Thornbury, Upper Vale, Westering',
	),
	leagueOf(
		'Liga del Sol',
		'europe',
		'Almaver, Bahía Norte, Castellar, Deportivo Ría, Estrella Azul, Fuentes, Granada del Mar, Huertas, Isla Verde, La Torre, Montealto, Puerto Real, Ríolobo, San Telmo, Valdemar, Zafiro',
	),
	leagueOf(
		'Bundesring',
		'europe',
		'Adlerberg, Blau-Weiss Rhede, Donauhafen, Eintracht Moor, Fortuna Elbe, Grünwald, Hansa Kiel, Isarstadt, Lindenau, Neckartal, Oderburg, Rot-Weiss Halle, Saalfeld, Tannenberg, Union Spree, Waldheim',
	),
	leagueOf(
		'Indian Coastal League',
		'india',
		'Bay of Bengal, Chilika Blues, Coromandel, Goa Mariners, Konkan Tigers, Kutch Rangers, Malabar Stars, Mumbai Docks, Palk Strait, Puri Lancers, Sundarban, Vembanad',
	),
	nationsOf('Nations Cup', {
		europe: 'Argentina, Spain, France, Germany, Netherlands, Italy, Belgium, Denmark, Colombia, Sweden, Poland, Peru',
		islands: 'England, Ireland',
		orient: 'Japan, Nigeria, Ivory Coast, Thailand',
	}),
] as const;
