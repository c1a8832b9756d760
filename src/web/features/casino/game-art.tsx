/** The artwork of the games: one style, drawn here. Each tile has a hue of its own and a few plain shapes. */
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { SYMBOL } from '#web/currency.ts';

const CARD = (x: number, y: number, turn: number, text: string, isRed: boolean): ReactElement => (
	<g transform={`translate(${x} ${y}) rotate(${turn})`}>
		<rect x="-17" y="-24" width="34" height="48" rx="5" className="art-paper" />
		<text y="8" className={isRed ? 'art-red' : 'art-ink'} textAnchor="middle" fontSize="20" fontWeight="700">
			{text}
		</text>
	</g>
);

const dots = (points: readonly (readonly [number, number])[], radius: number, className: string): ReactNode =>
	points.map(([x, y]) => <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} className={className} />);

const PINS = [0, 1, 2, 3, 4].flatMap((row) =>
	Array.from({ length: row + 3 }, (_, pin) => [80 - (row + 2) * 8 + pin * 16, 26 + row * 15] as const),
);

interface Art {
	hue: number;
	drawing: ReactNode;
}

const ART: Readonly<Record<string, Art>> = {
	'lantern-cups': {
		hue: 36,
		drawing: (
			<>
				{[40, 80, 120].map((x) => (
					<path key={x} d={`M${x - 10} 44 h20 l8 44 h-36z`} className="art-light" />
				))}
				{dots([[80, 92]], 8, 'art-paper')}
			</>
		),
	},
	'harbour-reels': {
		hue: 196,
		drawing: (
			<>
				{[44, 80, 116].map((x) => (
					<rect key={x} x={x - 15} y="34" width="30" height="56" rx="5" className="art-paper" />
				))}
				{dots(
					[
						[44, 62],
						[80, 62],
						[116, 62],
					],
					9,
					'art-red',
				)}
			</>
		),
	},
	'copper-ladder': {
		hue: 14,
		drawing: (
			<>
				<path d="M56 100 L68 20 M104 100 L92 20" className="art-line" />
				<path d="M59 82 h42 M62 62 h36 M65 42 h30" className="art-line" />
			</>
		),
	},
	crash: {
		hue: 20,
		drawing: (
			<>
				<path d="M14 96 Q80 94 128 26" className="art-line" />
				<path d="M14 96 Q80 94 128 26 V96 Z" className="art-shade" />
				<path d="M128 26l-18 6 10 3 2 11z" className="art-light" />
			</>
		),
	},
	'teen-patti-20-20': {
		hue: 152,
		drawing: (
			<>
				{CARD(52, 64, -18, 'A', true)}
				{CARD(80, 58, 0, 'A', false)}
				{CARD(108, 64, 18, 'A', true)}
			</>
		),
	},
	'andar-bahar': {
		hue: 280,
		drawing: (
			<>
				{CARD(80, 42, 0, '7', true)}
				{CARD(46, 78, -12, '7', false)}
				{CARD(114, 78, 12, '3', false)}
			</>
		),
	},
	'dragon-tiger': {
		hue: 42,
		drawing: (
			<>
				{CARD(56, 60, -8, 'K', true)}
				{CARD(104, 60, 8, '9', false)}
				<path d="M72 52l16 16M88 52l-16 16" className="art-line" />
			</>
		),
	},
	'lucky-7': {
		hue: 350,
		drawing: (
			<>
				<circle cx="80" cy="60" r="40" className="art-shade" />
				<text x="80" y="84" textAnchor="middle" fontSize="70" fontWeight="800" className="art-light">
					7
				</text>
			</>
		),
	},
	'32-cards': {
		hue: 205,
		drawing: (
			<>
				{CARD(38, 62, -9, '8', false)}
				{CARD(66, 58, -3, '9', true)}
				{CARD(94, 58, 3, '10', false)}
				{CARD(122, 62, 9, 'J', true)}
			</>
		),
	},
	roulette: {
		hue: 130,
		drawing: (
			<>
				<circle cx="80" cy="60" r="44" className="art-shade" />
				{Array.from({ length: 12 }, (_, index) => (
					<path
						key={index}
						d="M80 60L76 18h8z"
						transform={`rotate(${index * 30} 80 60)`}
						className={index % 2 ? 'art-ink' : 'art-red'}
					/>
				))}
				<circle cx="80" cy="60" r="18" className="art-light" />
				<circle cx="106" cy="32" r="5" className="art-paper" />
			</>
		),
	},
	baccarat: {
		hue: 230,
		drawing: (
			<>
				{CARD(52, 60, -10, '9', true)}
				{CARD(78, 62, 0, 'K', false)}
				<text x="120" y="76" textAnchor="middle" fontSize="42" fontWeight="800" className="art-light">
					9
				</text>
			</>
		),
	},
	mines: {
		hue: 185,
		drawing: (
			<>
				{[0, 1, 2].flatMap((row) =>
					[0, 1, 2].map((column) => (
						<rect
							key={`${row} ${column}`}
							x={44 + column * 25}
							y={23 + row * 25}
							width="21"
							height="21"
							rx="5"
							className={row === 1 && column === 2 ? 'art-red' : (row + column) % 2 ? 'art-shade' : 'art-light'}
						/>
					)),
				)}
				<circle cx="104.500" cy="58.500" r="6" className="art-ink" />
			</>
		),
	},
	dice: {
		hue: 255,
		drawing: (
			<g transform="rotate(-10 80 60)">
				<rect x="46" y="26" width="68" height="68" rx="15" className="art-light" />
				{dots(
					[
						[63, 43],
						[97, 43],
						[80, 60],
						[63, 77],
						[97, 77],
					],
					7,
					'art-ink',
				)}
			</g>
		),
	},
	plinko: {
		hue: 305,
		drawing: (
			<>
				{dots(PINS, 3, 'art-shade')}
				<circle cx="88" cy="16" r="8" className="art-light" />
				<path d="M40 102h16M64 102h16M88 102h16M112 102h16" className="art-line" />
			</>
		),
	},
	keno: {
		hue: 60,
		drawing: (
			<>
				{dots(
					[
						[46, 36],
						[114, 36],
						[46, 84],
						[80, 84],
					],
					15,
					'art-shade',
				)}
				{dots(
					[
						[80, 36],
						[114, 84],
					],
					15,
					'art-light',
				)}
				<text x="80" y="42" textAnchor="middle" fontSize="16" fontWeight="800" className="art-ink">
					8
				</text>
				<text x="114" y="90" textAnchor="middle" fontSize="16" fontWeight="800" className="art-ink">
					40
				</text>
			</>
		),
	},
	limbo: {
		hue: 170,
		drawing: (
			<>
				<path d="M30 98c14-30 22-74 50-74s36 44 50 74" className="art-line" />
				<path d="M80 16l-9 15h18z" className="art-light" />
				<path d="M30 66h100" className="art-line" strokeDasharray="5 6" />
			</>
		),
	},
	wheel: {
		hue: 95,
		drawing: (
			<>
				<circle cx="80" cy="62" r="42" className="art-shade" />
				{[0, 60, 120, 180, 240, 300].map((turn) => (
					<path
						key={turn}
						d="M80 62V20a42 42 0 0 1 21 5.600z"
						transform={`rotate(${turn} 80 62)`}
						className={turn % 120 ? 'art-red' : 'art-light'}
					/>
				))}
				<path d="M80 26l-7-14h14z" className="art-paper" />
			</>
		),
	},
	'hi-lo': {
		hue: 320,
		drawing: (
			<>
				{CARD(80, 60, 0, '8', true)}
				<path d="M120 52l10-16 10 16zM20 68l10 16 10-16z" className="art-light" />
			</>
		),
	},
	'coin-flip': {
		hue: 75,
		drawing: (
			<>
				<ellipse cx="80" cy="60" rx="34" ry="40" className="art-shade" />
				<ellipse cx="74" cy="60" rx="34" ry="40" className="art-light" />
				<text x="74" y="76" textAnchor="middle" fontSize="44" fontWeight="800" className="art-ink">
					{SYMBOL}
				</text>
			</>
		),
	},
	blackjack: {
		hue: 0,
		drawing: (
			<>
				{CARD(64, 60, -10, 'A', false)}
				{CARD(98, 58, 9, 'K', true)}
			</>
		),
	},
};

/** A tile's picture, 4:3; decoration. */
export function GameArt({ code }: { code: string }): ReactElement {
	const { hue, drawing } = ART[code] ?? { hue: 210, drawing: null };
	return (
		<svg viewBox="0 0 160 120" aria-hidden="true" className="game-art" style={{ '--hue': hue } as CSSProperties}>
			<rect width="160" height="120" className="art-ground" />
			<circle cx="132" cy="12" r="62" className="art-glow" />
			{drawing}
		</svg>
	);
}
