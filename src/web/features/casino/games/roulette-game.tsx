import { type ReactElement, useState } from 'react';
import { isRedPocket, roulette, WHEEL_ORDER } from '#games/tables/roulette.ts';
import { ChipSpot, type Chips, ChipTray, useChips } from '#web/features/casino/chips.tsx';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { useRevealed } from '#web/features/casino/reveal.ts';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.roulette;
const SPIN_MS = 2_600;
const SLICE = 360 / WHEEL_ORDER.length;
const KINDS = ['straight', 'split', 'street', 'corner', 'line'] as const;
type Kind = (typeof KINDS)[number];

const toneOf = (pocket: number) => (pocket === 0 ? 'green' : isRedPocket(pocket) ? 'red' : 'black');

/** The bet of that kind that begins with the number, or else one that holds it. */
function betOn(kind: Kind, pocket: number): string {
	const ofKind = roulette.bets.filter(({ code }) => code.startsWith(`${kind}-`));
	const pocketsOf = (code: string) => code.split('-').slice(1).map(Number);
	const first = ofKind.find(({ code }) => pocketsOf(code)[0] === pocket);
	return (first ?? ofKind.find(({ code }) => pocketsOf(code).includes(pocket)))?.code ?? `straight-${pocket}`;
}

/** A slice of the wheel, from the centre to the rim, with its number. */
function Slice({ pocket, index }: { pocket: number; index: number }): ReactElement {
	const half = (Math.tan((SLICE * Math.PI) / 360) * 94).toFixed(2);
	return (
		<g transform={`rotate(${index * SLICE})`}>
			<path d={`M0 0L-${half} -94A94 94 0 0 1 ${half} -94Z`} className="wheel-pocket" data-tone={toneOf(pocket)} />
			<text y="-80" textAnchor="middle" fontSize="8" className="wheel-number">
				{pocket}
			</text>
		</g>
	);
}

/** The wheel turns until the pocket stands under the ball at the top; it never turns back. */
function Wheel({ pocket, turns, isStill }: { pocket: number | null; turns: number; isStill: boolean }): ReactElement {
	const rest = pocket === null ? 0 : -WHEEL_ORDER.indexOf(pocket) * SLICE;
	return (
		<svg viewBox="-100 -100 200 200" className="roulette-wheel" aria-hidden="true">
			<circle r="99" className="wheel-rim" />
			<g
				className="wheel-turning motion"
				style={{ transform: `rotate(${rest - turns * 1_440}deg)`, transitionDuration: `${SPIN_MS}ms` }}
			>
				{WHEEL_ORDER.map((number, index) => (
					<Slice key={number} pocket={number} index={index} />
				))}
				<circle r="58" className="wheel-bowl" />
				<path d="M0-30V30M-30 0H30" className="wheel-cross" />
			</g>
			<circle r="5" cy="-66" className="wheel-ball" />
			{pocket !== null && isStill && (
				<>
					<circle r="26" className="wheel-pocket" data-tone={toneOf(pocket)} />
					<text y="9" textAnchor="middle" fontSize="26" className="wheel-result">
						{pocket}
					</text>
				</>
			)}
		</svg>
	);
}

function Board({
	chips,
	kind,
	won,
	disabled,
}: {
	chips: Chips;
	kind: Kind;
	won: (bet: string) => boolean;
	disabled: boolean;
}) {
	const spot = (
		bet: string,
		name: string,
		more: { said?: string | undefined; tone?: 'red' | 'black' | 'green' } = {},
	) => (
		<ChipSpot
			key={`${bet} ${name}`}
			chips={chips}
			bet={bet}
			name={name}
			disabled={disabled}
			result={won(bet) ? 'won' : null}
			{...more}
		/>
	);
	const number = (pocket: number) => {
		const bet = betOn(kind, pocket);
		const said = kind === 'straight' ? undefined : roulette.betOf(bet)?.name;
		return spot(bet, String(pocket), { tone: toneOf(pocket), said });
	};
	const outside = (code: string) => spot(code, roulette.betOf(code)?.name ?? code);
	return (
		<section className="roulette-board" aria-label={words.board}>
			{number(0)}
			<div className="roulette-numbers">{Array.from({ length: 36 }, (_, index) => number(index + 1))}</div>
			<div className="roulette-outside">
				{['column-1', 'column-2', 'column-3', 'dozen-1', 'dozen-2', 'dozen-3'].map(outside)}
				{['low', 'even', 'red', 'black', 'odd', 'high'].map(outside)}
			</div>
		</section>
	);
}

export function RouletteGame(): ReactElement {
	const play = useRound('roulette');
	const chips = useChips();
	const [kind, setKind] = useState<Kind>('straight');
	const [turns, setTurns] = useState(0);
	const { round } = play;
	const isStill = useRevealed(round, SPIN_MS);
	const isBusy = play.phase !== 'idle' || !isStill;
	const pocket = round ? Number(round.outcome) : null;
	const won = (bet: string) => isStill && (round?.bets.some((paid) => paid.bet === bet && paid.payout > 0) ?? false);
	return (
		<GameFrame
			play={play}
			isRevealed={isStill}
			action={chips.total > 0 ? CASINO_TEXTS.stake.bet(formatMoney(chips.total)) : words.spin}
			blocked={chips.total === 0 ? CASINO_TEXTS.chips.none : ''}
			onAction={() => {
				if (isBusy) return;
				play.play(chips.bets);
				chips.played();
				setTurns(turns + 1);
			}}
			stage={<Wheel pocket={pocket} turns={turns} isStill={isStill} />}
			controls={
				<>
					<Board chips={chips} kind={kind} won={won} disabled={isBusy} />
					<ChoiceRow
						label={words.kind}
						choices={KINDS.map((key) => ({ key, text: words.kinds[key] }))}
						selected={kind}
						onSelect={setKind}
					/>
					<ChipTray chips={chips} disabled={isBusy} />
				</>
			}
		/>
	);
}
