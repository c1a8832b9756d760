/**
 * Flags of nations that play: stripes of colour, and on them a disc, a cross or marks where the flag has them, drawn for
 * the height of a line. The side of a nation that is not here gets a crest of its own.
 */

export interface Flag {
	/** How the stripes lie: one above the other, or side by side. */
	stripes: 'rows' | 'columns';
	colours: readonly string[];
	/** A disc in the middle, with what share of the height it has. */
	disc?: { colour: string; share: number };
	/** A cross through the middle; `shift` moves its upright towards the pole, as in the north. */
	cross?: { colour: string; inner?: string; shift?: number };
	/** Colour and path of each mark, on a cloth of 28 by 20. */
	marks?: readonly (readonly [colour: string, path: string])[];
}

const rows = (...colours: string[]): Flag => ({ stripes: 'rows', colours });
const columns = (...colours: string[]): Flag => ({ stripes: 'columns', colours });

/** Stars of five points, each with its middle and the reach of its points. */
const stars = (...places: readonly (readonly [x: number, y: number, reach: number])[]): string =>
	places
		.map(([x, y, reach]) => {
			const points = Array.from({ length: 10 }, (_, at) => {
				const turn = (at * Math.PI) / 5;
				const far = at % 2 === 0 ? reach : reach * 0.42;
				return `${(x + Math.sin(turn) * far).toFixed(1)} ${(y - Math.cos(turn) * far).toFixed(1)}`;
			});
			return `M${points.join('L')}z`;
		})
		.join('');
const UNION: NonNullable<Flag['marks']> = [
	['#fff', 'M0 0h1.6L7 3.9 12.4 0H14v1.1L8.6 5 14 8.9V10h-1.6L7 6.1 1.6 10H0V8.9L5.4 5 0 1.1z'],
	['#fff', 'M5.3 0h3.4v3.3H14v3.4H8.7V10H5.3V6.7H0V3.3h5.3z'],
	['#c8102e', 'M6.1 0h1.8v4.1H14v1.8H7.9V10H6.1V5.9H0V4.1h6.1z'],
];

const FLAGS: Readonly<Record<string, Flag>> = {
	Afghanistan: {
		...columns('#000', '#d32011', '#007a36'),
		disc: { colour: '#fff', share: 0.36 },
		marks: [
			['#d32011', 'M14 7.5a2.5 2.5 0 1 0 .01 0z'],
			['#fff', 'M12.4 11.3V9.6L14 8.4l1.6 1.2v1.7z'],
		],
	},
	Argentina: { ...rows('#74acdf', '#fff', '#74acdf'), disc: { colour: '#f6b40e', share: 0.2 } },
	Australia: {
		...rows('#012169'),
		marks: [...UNION, ['#fff', stars([7, 15, 2.8], [21, 3.6, 1.6], [24.4, 8, 1.6], [17.6, 9, 1.6], [21, 16.4, 1.6])]],
	},
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
	Iran: {
		...rows('#239f40', '#fff', '#da0000'),
		marks: [
			[
				'#da0000',
				'M14 7.2l1.3 2.8-1.3 2.8-1.3-2.8zM11.6 8a3.4 3.4 0 0 0 1.2 4.6 4 4 0 0 1-1.2-4.6zM16.4 8a3.4 3.4 0 0 1-1.2 4.6 4 4 0 0 0 1.2-4.6z',
			],
		],
	},
	Ireland: columns('#169b62', '#fff', '#ff883e'),
	Italy: columns('#008c45', '#f4f9ff', '#cd212a'),
	'Ivory Coast': columns('#f77f00', '#fff', '#009e60'),
	Japan: { ...rows('#fff'), disc: { colour: '#bc002d', share: 0.6 } },
	Lithuania: rows('#fdb913', '#006a44', '#c1272d'),
	Luxembourg: rows('#ef3340', '#fff', '#00a3e0'),
	Nepal: {
		...rows('#fff'),
		marks: [
			['#003893', 'M6 .6l16 9h-9l9.6 9.8H6z'],
			['#dc143c', 'M7.2 2.6l10.8 6h-7.4l9.3 9.7H7.2z'],
			['#fff', `M8.6 5.8a2.2 2.2 0 0 0 4.4 0 2.4 2.4 0 0 1-4.4 0z${stars([10.8, 14, 2.4])}`],
		],
	},
	Netherlands: rows('#ae1c28', '#fff', '#21468b'),
	'New Zealand': {
		...rows('#012169'),
		marks: [
			...UNION,
			['#fff', stars([21, 4, 2.3], [24.6, 8.4, 2.3], [17.8, 9, 2.3], [21, 15.6, 2.3])],
			['#c8102e', stars([21, 4, 1.6], [24.6, 8.4, 1.6], [17.8, 9, 1.6], [21, 15.6, 1.6])],
		],
	},
	Nigeria: columns('#008753', '#fff', '#008753'),
	Norway: { ...rows('#ba0c2f'), cross: { colour: '#fff', inner: '#00205b', shift: -0.12 } },
	Pakistan: {
		...columns('#fff', '#01411c', '#01411c', '#01411c'),
		marks: [['#fff', `M19.4 5.6a5 5 0 1 0 2.6 6.2 4.4 4.4 0 1 1-2.6-6.2z${stars([20.6, 7.6, 1.8])}`]],
	},
	Peru: columns('#d91023', '#fff', '#d91023'),
	Poland: rows('#fff', '#dc143c'),
	Romania: columns('#002b7f', '#fcd116', '#ce1126'),
	Scotland: {
		...rows('#005eb8'),
		marks: [['#fff', 'M0 0h3.2L14 7.7 24.8 0H28v2.3L17.2 10 28 17.7V20h-3.2L14 12.3 3.2 20H0v-2.3L10.8 10 0 2.3z']],
	},
	'South Africa': {
		...rows('#e03c31', '#001489'),
		marks: [
			['#fff', 'M0 0h8.2l8 6H28v8H16.2l-8 6H0z'],
			['#007749', 'M0 0h4.8l9.9 7.6H28v4.8H14.7L4.8 20H0z'],
			['#ffb81c', 'M0 2.4 10 10 0 17.6z'],
			['#000', 'M0 4.8 6.9 10 0 15.2z'],
		],
	},
	Spain: rows('#aa151b', '#f1bf00', '#f1bf00', '#aa151b'),
	'Sri Lanka': {
		...rows('#ffb81c'),
		marks: [
			['#00534e', 'M1.2 1.2h3.6v17.6H1.2z'],
			['#eb7400', 'M4.8 1.2h3.6v17.6H4.8z'],
			['#8d153a', 'M9.6 1.2h17.2v17.6H9.6z'],
			[
				'#ffb81c',
				'M13 15.8v-3.2l-1-2 1.4-3.4h2l1 1.8h4l1.8-3.2 1 .5-1.4 3.3.5 6.2h-1.7l-.6-3.6h-3.4l-.9 3.6zM12 3.6h.9v5H12z',
			],
		],
	},
	Sweden: { ...rows('#006aa7'), cross: { colour: '#fecc00', shift: -0.12 } },
	Thailand: rows('#a51931', '#fff', '#2d2a4a', '#2d2a4a', '#fff', '#a51931'),
	Ukraine: rows('#0057b7', '#ffd700'),
	'West Indies': {
		...rows('#7b1030'),
		marks: [
			['#f6c12f', 'M9 4.6a2.4 2.4 0 1 0 .01 0z'],
			[
				'#3d8b37',
				'M5.5 16.4q8.5-5 17 0zM15.2 6.8q-3.5-3-5.8.3 2.8-.8 5.8-.3zM15.2 6.8q3.5-3 5.8.3-2.8-.8-5.8-.3zM15.2 6.8q-1.6-3.4 1.2-4.4.6 2-1.2 4.4z',
			],
			['#f4e3c1', 'M14.7 6.8h1l.3 7.4h-1.6zM18.4 9.6h.7v4.6h-.7zM19.9 9.6h.7v4.8h-.7zM21.4 9.6h.7v5.2h-.7z'],
		],
	},
	Zimbabwe: {
		...rows('#319208', '#ffd200', '#de2010', '#000', '#de2010', '#ffd200', '#319208'),
		marks: [
			['#000', 'M0 0 13 10 0 20z'],
			['#fff', 'M0 .8 11.9 10 0 19.2z'],
			['#de2010', stars([4.4, 10, 3.4])],
			['#ffd200', 'M4.2 8.2l1.2 3.2H3.2z'],
		],
	},
};

/** The flag of a side that is a nation's: of "India", and of "India Women". */
export const flagOf = (name: string): Flag | undefined => FLAGS[name.replace(/ (Women|Men|A|U19|U21|U23)$/, '')];
