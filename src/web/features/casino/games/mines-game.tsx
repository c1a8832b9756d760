import { type ReactElement, useState } from 'react';
import { hundredths, multipleText } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { MINES_FIELDS, type MinesShown, minesCents } from '#games/turns/mines.ts';
import { Button } from '#ui/button.tsx';
import { minorOf } from '#values/money.ts';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { type RoundPlay, useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.mines;
const SIDE = 5;
const FIELDS = Array.from({ length: MINES_FIELDS }, (_, field) => field);

type Face = 'closed' | 'safe' | 'mine' | 'hit';

function faceOf(field: number, shown: MinesShown | null): Face {
	if (!shown) return 'closed';
	if (shown.hit === field) return 'hit';
	if (shown.opened.includes(field)) return 'safe';
	return shown.mines?.includes(field) ? 'mine' : 'closed';
}

const SYMBOLS: Record<Face, ReactElement | null> = {
	closed: null,
	safe: (
		<svg viewBox="0 0 24 24" aria-hidden="true">
			<path d="M12 3l8 7-8 11-8-11z" className="mines-gem" />
			<path d="M4 10h16M12 3l-3 7 3 11 3-11z" className="mines-cut" />
		</svg>
	),
	mine: (
		<svg viewBox="0 0 24 24" aria-hidden="true">
			<circle cx="12" cy="13" r="7" className="mines-bomb" />
			<path d="M16 8l3-4" className="mines-fuse" />
		</svg>
	),
	hit: (
		<svg viewBox="0 0 24 24" aria-hidden="true">
			<path d="M12 1l3 6 6-3-3 6 5 4-6 1 1 7-6-4-6 4 1-7-6-1 5-4-3-6 6 3z" className="mines-blast" />
		</svg>
	),
};

function Field({ field, shown, play }: { field: number; shown: MinesShown | null; play: RoundPlay }): ReactElement {
	const face = faceOf(field, shown);
	const isOpen = play.round?.state === 'OPEN';
	const name = words.field(field + 1, Math.floor(field / SIDE) + 1, (field % SIDE) + 1);
	const said = face === 'safe' ? words.safe : face === 'closed' ? '' : words.mine;
	return (
		<button
			type="button"
			className="mines-field motion"
			data-face={face}
			// While a field is being opened the grid is unchanged, so that the focus stays.
			aria-disabled={!isOpen || face !== 'closed' || play.phase !== 'idle' || undefined}
			aria-label={said ? `${name}, ${said}` : name}
			onClick={() => isOpen && face === 'closed' && play.act(`open-${field}`)}
		>
			{SYMBOLS[face]}
		</button>
	);
}

export function MinesGame(): ReactElement {
	const play = useRound('mines');
	const stake = useStake();
	const [mines, setMines] = useState(3);
	const { round } = play;
	const isOpen = round?.state === 'OPEN';
	const shown = (round?.shown ?? null) as MinesShown | null;
	const isBusy = play.phase !== 'idle' || isOpen;
	const worth = minorOf(payoutOf(round?.stake ?? 0, hundredths(shown?.pays ?? 0)));
	const openRandom = () => {
		const closed = round?.next.filter((action) => action !== 'cash-out') ?? [];
		// All fields are equivalent; this is not a draw of the game.
		const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
		const action = closed[random % closed.length];
		if (action) play.act(action);
	};
	const progress = shown?.opened.length
		? words.progress(shown.opened.length, formatMoney(worth))
		: words.hidden(Number(round?.bets[0]?.bet ?? 0));
	const next = isOpen ? (shown?.next ?? 0) : minesCents(mines, 1);
	return (
		<GameFrame
			play={play}
			progress={progress}
			action={
				isOpen
					? shown?.pays
						? words.cashOut(formatMoney(worth))
						: words.start
					: CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? minorOf(0)))
			}
			blocked={isOpen ? (shown?.pays ? '' : words.start) : stake.amount === null ? CASINO_TEXTS.stake.whole : ''}
			onAction={() =>
				isOpen
					? play.act('cash-out')
					: stake.amount !== null && play.play([{ bet: String(mines), stake: stake.amount }])
			}
			second={isOpen && <Button onClick={openRandom}>{words.random}</Button>}
			stage={
				<>
					<div className="mines-grid">
						{FIELDS.map((field) => (
							<Field key={field} field={field} shown={shown} play={play} />
						))}
					</div>
					<p className="game-next">{(isOpen ? words.next : words.first)(multipleText(hundredths(next)))}</p>
				</>
			}
			controls={
				<div className="range-field">
					<label htmlFor="mines-count">
						{words.mines} <b>{isOpen ? round.bets[0]?.bet : mines}</b>
					</label>
					<input
						id="mines-count"
						type="range"
						min="1"
						max={MINES_FIELDS - 1}
						value={isOpen ? Number(round.bets[0]?.bet) : mines}
						disabled={isBusy}
						onChange={({ target }) => setMines(Number(target.value))}
					/>
				</div>
			}
			stake={<StakeField stake={stake} refused={play.refusedStake} disabled={isBusy} />}
		/>
	);
}
