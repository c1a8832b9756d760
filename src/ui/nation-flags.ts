/**
 * Flags of nations that play: stripes of colour, and a disc or a cross on them where the flag has one. Only flags that
 * are right at the height of a line are here; the side of another nation gets a crest of its own.
 */

export interface Flag {
	/** How the stripes lie: one above the other, or side by side. */
	stripes: 'rows' | 'columns';
	colours: readonly string[];
	/** A disc in the middle, with what share of the height it has. */
	disc?: { colour: string; share: number };
	/** A cross through the middle; `shift` moves its upright towards the pole, as in the north. */
	cross?: { colour: string; inner?: string; shift?: number };
}

const rows = (...colours: string[]): Flag => ({ stripes: 'rows', colours });
const columns = (...colours: string[]): Flag => ({ stripes: 'columns', colours });

const FLAGS: Readonly<Record<string, Flag>> = {
	Argentina: { ...rows('#74acdf', '#fff', '#74acdf'), disc: { colour: '#f6b40e', share: 0.2 } },
	Austria: rows('#c8102e', '#fff', '#c8102e'),
	Bangladesh: { ...rows('#006a4e'), disc: { colour: '#f42a41', share: 0.62 } },
	Belgium: columns('#000', '#fdda24', '#ef3340'),
	Bulgaria: rows('#fff', '#00966e', '#d62612'),
	Colombia: rows('#ffcd00', '#ffcd00', '#003087', '#c8102e'),
	Denmark: { ...rows('#c8102e'), cross: { colour: '#fff', shift: -0.12 } },
	England: { ...rows('#fff'), cross: { colour: '#ce1124' } },
	Estonia: rows('#0072ce', '#000', '#fff'),
	Finland: { ...rows('#fff'), cross: { colour: '#002f6c', shift: -0.12 } },
	France: columns('#002654', '#fff', '#ed2939'),
	Georgia: { ...rows('#fff'), cross: { colour: '#f00' } },
	Germany: rows('#000', '#d00', '#ffce00'),
	Hungary: rows('#ce2939', '#fff', '#477050'),
	India: { ...rows('#f93', '#fff', '#138808'), disc: { colour: '#000080', share: 0.24 } },
	Indonesia: rows('#ce1126', '#fff'),
	Ireland: columns('#169b62', '#fff', '#ff883e'),
	Italy: columns('#008c45', '#f4f9ff', '#cd212a'),
	'Ivory Coast': columns('#f77f00', '#fff', '#009e60'),
	Japan: { ...rows('#fff'), disc: { colour: '#bc002d', share: 0.6 } },
	Lithuania: rows('#fdb913', '#006a44', '#c1272d'),
	Luxembourg: rows('#ef3340', '#fff', '#00a3e0'),
	Netherlands: rows('#ae1c28', '#fff', '#21468b'),
	Nigeria: columns('#008753', '#fff', '#008753'),
	Norway: { ...rows('#ba0c2f'), cross: { colour: '#fff', inner: '#00205b', shift: -0.12 } },
	Peru: columns('#d91023', '#fff', '#d91023'),
	Poland: rows('#fff', '#dc143c'),
	Romania: columns('#002b7f', '#fcd116', '#ce1126'),
	Spain: rows('#aa151b', '#f1bf00', '#f1bf00', '#aa151b'),
	Sweden: { ...rows('#006aa7'), cross: { colour: '#fecc00', shift: -0.12 } },
	Thailand: rows('#a51931', '#fff', '#2d2a4a', '#2d2a4a', '#fff', '#a51931'),
	Ukraine: rows('#0057b7', '#ffd700'),
};

/** The flag of a side that is a nation's: of "India", and of "India Women". */
export const flagOf = (name: string): Flag | undefined => FLAGS[name.replace(/ (Women|Men|A|U19|U21|U23)$/, '')];
