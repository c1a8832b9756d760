import { type CSSProperties, type ReactElement, useId, useState } from 'react';
import { multipleText, NONE } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { dice } from '#games/instant/dice.ts';
import { paiseOf } from '#values/money.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { useRevealed } from '#web/features/casino/reveal.ts';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.dice;
type Side = 'under' | 'over';

/** The line with the part that wins, and the roll as a mark on it. */
function Line({
	line,
	side,
	rolled,
	won,
}: {
	line: number;
	side: Side;
	rolled: number | null;
	won: boolean;
}): ReactElement {
	return (
		<div className="dice-line" aria-hidden="true">
			<div className="dice-bar" data-side={side} style={{ '--line': `${line}%` } as CSSProperties} />
			{rolled !== null && (
				<span className="dice-mark motion" data-won={won || undefined} style={{ left: `${rolled / 100}%` }}>
					{dice.describe(rolled)}
				</span>
			)}
			<div className="dice-scale">
				{[0, 25, 50, 75, 100].map((mark) => (
					<span key={mark}>{mark}</span>
				))}
			</div>
		</div>
	);
}

export function DiceGame(): ReactElement {
	const play = useRound('dice');
	const stake = useStake();
	const id = useId();
	const [chance, setChance] = useState(50);
	const [side, setSide] = useState<Side>('under');
	const bet = dice.betOf(`${side}-${chance * 100}`);
	const pays = bet?.prizes[0]?.pays ?? NONE;
	const line = side === 'under' ? chance : 100 - chance;
	const isBusy = play.phase !== 'idle';
	const rolled = play.round ? Number(play.round.outcome) : null;
	const isRevealed = useRevealed(play.round, 350);
	return (
		<GameFrame
			play={play}
			isRevealed={isRevealed}
			action={stake.amount === null ? words.roll : CASINO_TEXTS.stake.bet(formatMoney(stake.amount))}
			blocked={stake.amount === null ? CASINO_TEXTS.stake.whole : ''}
			onAction={() => bet && stake.amount !== null && play.play([{ bet: bet.code, stake: stake.amount }])}
			stage={
				<>
					<p className="dice-number">{rolled === null ? '00.00' : dice.describe(rolled)}</p>
					<Line line={line} side={side} rolled={rolled} won={(play.round?.payout ?? 0) > 0} />
					<dl className="game-facts">
						<div>
							<dt>{words.pays}</dt>
							<dd>{multipleText(pays)}</dd>
						</div>
						<div>
							<dt>{side === 'under' ? words.under : words.over}</dt>
							<dd>{dice.describe(line * 100)}</dd>
						</div>
						<div>
							<dt>{words.wins}</dt>
							<dd>{formatMoney(paiseOf(payoutOf(stake.amount ?? 0, pays)))}</dd>
						</div>
					</dl>
				</>
			}
			controls={
				<>
					<ChoiceRow
						label={words.roll}
						choices={[
							{ key: 'under', text: words.under },
							{ key: 'over', text: words.over },
						]}
						selected={side}
						disabled={isBusy}
						onSelect={setSide}
					/>
					<div className="range-field">
						<label htmlFor={id}>
							{words.chance} <b>{chance}%</b>
						</label>
						<input
							id={id}
							type="range"
							min="1"
							max="96"
							value={chance}
							disabled={isBusy}
							aria-valuetext={`${chance}%, ${multipleText(pays)}`}
							onChange={({ target }) => setChance(Number(target.value))}
						/>
					</div>
					<StakeField stake={stake} disabled={isBusy} />
				</>
			}
		/>
	);
}
