import { type ReactElement, useState } from 'react';
import { roulette, toneOf, WHEEL_ORDER } from '#games/tables/roulette.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { Spot } from '#web/features/casino/tables/spots.tsx';
import {
	type BoardProps,
	type SceneProps,
	type TableLook,
	TableScreen,
} from '#web/features/casino/tables/table-screen.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.roulette;
const SLICE = 360 / WHEEL_ORDER.length;
const KINDS = ['straight', 'split', 'street', 'corner', 'line'] as const;
type Kind = (typeof KINDS)[number];

/** A slice of the wheel, from the centre to the rim, with its number. */
function Slice({ pocket, index }: { pocket: number; index: number }): ReactElement {
	const half = (Math.tan((SLICE * Math.PI) / 360) * 84).toFixed(2);
	return (
		<g transform={`rotate(${index * SLICE})`}>
			<path d={`M0 0L-${half} -84A84 84 0 0 1 ${half} -84Z`} className="pocket" data-tone={toneOf(pocket)} />
			<text y="-74" textAnchor="middle" fontSize="7.500" className="pocket-number">
				{pocket}
			</text>
		</g>
	);
}

const DEFLECTORS = Array.from({ length: 8 }, (_, index) => index * 45 + 22.5);

/** Where wheel and ball come to rest, degrees from the top; both go on from where they lay. */
interface Rest {
	round: string;
	wheel: number;
	ball: number;
}

/** The wheel turns one way and the ball the other, until the ball lies in its pocket. */
function restAfter({ wheel, ball }: Rest, round: string, pocket: number): Rest {
	const turned = wheel + 720 + 97;
	const target = turned + WHEEL_ORDER.indexOf(pocket) * SLICE;
	const least = ball - 5 * 360;
	return { round, wheel: turned, ball: least - ((((least - target) % 360) + 360) % 360) };
}

function Scene({ shown, isDecided, round }: SceneProps): ReactElement {
	const pocket = typeof shown === 'number' ? shown : null;
	const [rest, setRest] = useState<Rest>({ round: '', wheel: 0, ball: 0 });
	if (pocket !== null && rest.round !== round) setRest(restAfter(rest, round, pocket));
	const { wheel, ball } = rest;
	const isSpinning = pocket !== null && !isDecided;
	return (
		<div className="roulette-scene">
			<svg viewBox="-104 -104 208 208" className="roulette-wheel" aria-hidden="true">
				<defs>
					<radialGradient id="wheel-wood">
						<stop offset="0.800" stopColor="#3a2412" />
						<stop offset="0.920" stopColor="#7a4f26" />
						<stop offset="1" stopColor="#2a180b" />
					</radialGradient>
					<radialGradient id="wheel-hub">
						<stop offset="0" stopColor="#b98a4a" />
						<stop offset="0.500" stopColor="#5f3d1d" />
						<stop offset="1" stopColor="#2c1a0c" />
					</radialGradient>
				</defs>
				<circle r="103" fill="url(#wheel-wood)" />
				{DEFLECTORS.map((angle) => (
					<path key={angle} d="M0-97l2.500 4-2.500 4-2.500-4z" className="deflector" transform={`rotate(${angle})`} />
				))}
				<circle r="86" className="pocket-rim" />
				<g className="spin-wheel motion" style={{ transform: `rotate(${wheel}deg)` }}>
					{WHEEL_ORDER.map((number, index) => (
						<Slice key={number} pocket={number} index={index} />
					))}
					<circle r="67" className="pocket-track" />
					<circle r="50" fill="url(#wheel-hub)" />
					<path d="M0-34V34M-34 0H34" className="hub-cross" />
					<circle r="9" className="hub-knob" />
				</g>
				<g className="spin-ball motion" style={{ transform: `rotate(${ball}deg)` }}>
					<circle
						r="4.200"
						cy="-60"
						className={rest.round === '' ? 'ball-dot' : 'ball-dot ball-falls motion'}
						key={rest.round}
					/>
				</g>
			</svg>
			{isDecided && pocket !== null && (
				<b className="roulette-result motion" data-tone={toneOf(pocket)}>
					{pocket}
				</b>
			)}
			{isSpinning && <span className="unseen">{words.spinning}</span>}
		</div>
	);
}

const byFirst = (kind: Kind): readonly (readonly [code: string, pockets: readonly number[]])[] =>
	roulette.bets
		.filter(({ code }) => code.startsWith(`${kind}-`))
		.map(({ code }) => [code, code.split('-').slice(1).map(Number)] as const);

/** The bet of that kind that begins with the number, or else one that holds it. */
function betOn(kind: Kind, pocket: number): string {
	const bets = byFirst(kind);
	const first = bets.find(([, pockets]) => pockets[0] === pocket);
	return (first ?? bets.find(([, pockets]) => pockets.includes(pocket)))?.[0] ?? `straight-${pocket}`;
}

const NUMBERS = Array.from({ length: 36 }, (_, index) => index + 1);
const SIDES = [
	['low', '1–18'],
	['even', ''],
	['red', ''],
	['black', ''],
	['odd', ''],
	['high', '19–36'],
] as const;

/** The table as it lies before a player: zero on top, three numbers a row, dozens and even chances beside them. */
function Board(board: BoardProps): ReactElement {
	const [kind, setKind] = useState<Kind>('straight');
	const number = (pocket: number) => (
		<Spot
			key={pocket}
			board={board}
			bet={betOn(kind, pocket)}
			look={{ text: String(pocket), tone: toneOf(pocket), isPlain: true, className: 'roulette-number' }}
		/>
	);
	const outside = (bet: string, text: string, tone?: 'red' | 'black') => (
		<Spot
			key={bet}
			board={board}
			bet={bet}
			look={{
				text: text || words.outside[bet as keyof typeof words.outside],
				isPlain: true,
				...(tone ? { tone } : {}),
			}}
		/>
	);
	return (
		<section className="roulette-board" aria-label={CASINO_TEXTS.tables.board}>
			<div className="roulette-grid">
				<div className="roulette-zero">{number(0)}</div>
				<div className="roulette-evens">
					{SIDES.map(([bet, text]) => outside(bet, text, bet === 'red' || bet === 'black' ? bet : undefined))}
				</div>
				<div className="roulette-dozens">
					{[1, 2, 3].map((dozen) => outside(`dozen-${dozen}`, `${dozen * 12 - 11}–${dozen * 12}`))}
				</div>
				<div className="roulette-numbers">{NUMBERS.map(number)}</div>
				<div className="roulette-columns">{[1, 2, 3].map((column) => outside(`column-${column}`, '2:1'))}</div>
			</div>
			<ChoiceRow
				label={words.kind}
				choices={KINDS.map((key) => ({ key, text: words.kinds[key] }))}
				selected={kind}
				onSelect={setKind}
			/>
		</section>
	);
}

const LOOK: TableLook = {
	code: 'roulette',
	hue: 155,
	Scene,
	Board,
	sides: [
		{ side: 'red', name: words.outside.red },
		{ side: 'green', name: '0' },
		{ side: 'black', name: words.outside.black },
	],
	hasRuns: false,
};

export const RouletteTable = (): ReactElement => <TableScreen look={LOOK} />;
