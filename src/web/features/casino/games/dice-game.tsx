import { type CSSProperties, type ReactElement, useId, useState } from 'react';
import { multipleText, NONE } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { dice } from '#games/instant/dice.ts';
import { minorOf } from '#values/money.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { InstantGame, useInstantPlay } from '#web/features/casino/games/instant-game.tsx';
import { isWin } from '#web/features/casino/result-text.ts';
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
				<span
					className="dice-mark motion"
					data-won={won || undefined}
					style={{ '--at': rolled / 100 } as CSSProperties}
				>
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
	const instant = useInstantPlay('dice', 350);
	const { round } = instant.play;
	const id = useId();
	const [chance, setChance] = useState(50);
	const [side, setSide] = useState<Side>('under');
	const bet = dice.betOf(`${side}-${chance * 100}`);
	const pays = bet?.prizes[0]?.pays ?? NONE;
	const line = side === 'under' ? chance : 100 - chance;
	const rolled = round ? Number(round.outcome) : null;
	return (
		<InstantGame
			instant={instant}
			markOf={({ result }) => result}
			bet={bet?.code ?? null}
			stage={
				<>
					<p className="dice-number">{rolled === null ? '00.00' : dice.describe(rolled)}</p>
					<Line line={line} side={side} rolled={rolled} won={round !== null && isWin(round)} />
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
							<dd>{formatMoney(minorOf(payoutOf(instant.stake.amount ?? 0, pays)))}</dd>
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
						disabled={instant.isBusy}
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
							disabled={instant.isBusy}
							aria-valuetext={`${chance}%, ${multipleText(pays)}`}
							onChange={({ target }) => setChance(Number(target.value))}
						/>
					</div>
				</>
			}
		/>
	);
}
