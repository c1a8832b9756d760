import { type ReactElement, useEffect, useRef, useState } from 'react';
import { hundredths, toNumber } from '#games/fraction.ts';
import { type PlinkoRisk, type PlinkoRows, slotOf, slotsOf } from '#games/instant/plinko.ts';
import { paiseOf } from '#values/money.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { movesLess, useRevealed } from '#web/features/casino/reveal.ts';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.plinko;
const WIDTH = 340;
const TOP = 18;
const HEIGHT = 300;
const ROW_MS = 70;

interface Drop {
	id: string;
	rows: PlinkoRows;
	risk: PlinkoRisk;
	path: readonly number[];
}

/** The centre between pins: after `row` rows with `right` steps to the right. */
function placeOf(rows: number, row: number, right: number): { x: number; y: number } {
	const step = WIDTH / (rows + 2);
	return { x: WIDTH / 2 + (right - row / 2) * step, y: TOP + (row * HEIGHT) / rows };
}

/** The ball along its path, which was drawn before it falls. */
function Ball({ drop }: { drop: Drop }): ReactElement {
	const ball = useRef<SVGCircleElement>(null);
	const { rows, path } = drop;
	const end = placeOf(rows, rows, slotOf(path, rows));
	useEffect(() => {
		if (movesLess()) return;
		let right = 0;
		const places = [{ x: WIDTH / 2, y: 0 }, placeOf(rows, 0, 0)];
		for (const [row, step] of path.slice(0, rows).entries()) {
			right += step;
			places.push(placeOf(rows, row + 1, right));
		}
		const frames = places.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)`, easing: 'ease-in' }));
		const animation = ball.current?.animate(frames, { duration: ROW_MS * places.length });
		return () => animation?.cancel();
	}, [rows, path]);
	return <circle ref={ball} r="7" className="plinko-ball" style={{ transform: `translate(${end.x}px, ${end.y}px)` }} />;
}

/** Multiples of a slot without zeros that say nothing: 1000×, 5.4×. */
const slotText = (cents: number): string => `${toNumber(hundredths(cents))}×`;

function Board({
	rows,
	risk,
	drop,
	isDown,
}: {
	rows: PlinkoRows;
	risk: PlinkoRisk;
	drop: Drop | null;
	isDown: boolean;
}): ReactElement {
	const slots = slotsOf(rows, risk).map((cents, slot) => ({ cents, slot }));
	const reached = drop && isDown && drop.rows === rows && drop.risk === risk ? slotOf(drop.path, rows) : null;
	const width = WIDTH / (rows + 2);
	return (
		<>
			<svg viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 8}`} className="plinko-board" aria-hidden="true">
				{Array.from({ length: rows }, (_, row) =>
					Array.from({ length: row + 2 }, (_, pin) => {
						const { x, y } = placeOf(rows, row, pin);
						return <circle key={`${row} ${pin}`} cx={x - width / 2} cy={y + 10} r="3" className="plinko-pin" />;
					}),
				)}
				{drop && drop.rows === rows && <Ball key={drop.id} drop={drop} />}
			</svg>
			<ol
				className="plinko-slots"
				style={{ gridTemplateColumns: `repeat(${slots.length}, 1fr)`, marginInline: `${50 / (rows + 2)}%` }}
			>
				{slots.map(({ cents, slot }) => (
					<li
						key={slot}
						data-reached={slot === reached || undefined}
						data-heat={cents >= 1_000 ? 'high' : cents >= 100 ? 'middle' : 'low'}
					>
						{slotText(cents)}
					</li>
				))}
			</ol>
		</>
	);
}

function dropOf(round: ReturnType<typeof useRound>['round']): Drop | null {
	const [rows = '', risk = ''] = round?.bets[0]?.bet.split('-') ?? [];
	if (!round) return null;
	return {
		id: round.roundId,
		rows: Number(rows) as PlinkoRows,
		risk: risk as PlinkoRisk,
		path: round.outcome as number[],
	};
}

export function PlinkoGame(): ReactElement {
	const play = useRound('plinko');
	const stake = useStake();
	const [rows, setRows] = useState<PlinkoRows>(12);
	const [risk, setRisk] = useState<PlinkoRisk>('medium');
	const drop = dropOf(play.round);
	const isDown = useRevealed(play.round, ROW_MS * ((drop?.rows ?? 0) + 2));
	const isBusy = play.phase !== 'idle';
	return (
		<GameFrame
			play={play}
			isRevealed={isDown}
			result={drop ? slotText(slotsOf(drop.rows, drop.risk)[slotOf(drop.path, drop.rows)] ?? 0) : ''}
			action={CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? paiseOf(0)))}
			blocked={stake.amount === null ? CASINO_TEXTS.stake.whole : ''}
			onAction={() => stake.amount !== null && play.play([{ bet: `${rows}-${risk}`, stake: stake.amount }])}
			stage={<Board rows={rows} risk={risk} drop={drop} isDown={isDown} />}
			controls={
				<>
					<ChoiceRow
						label={words.rows}
						choices={([8, 12, 16] as const).map((key) => ({ key, text: String(key) }))}
						selected={rows}
						disabled={isBusy}
						onSelect={setRows}
					/>
					<ChoiceRow
						label={words.risk}
						choices={(['low', 'medium', 'high'] as const).map((key) => ({ key, text: words.risks[key] }))}
						selected={risk}
						disabled={isBusy}
						onSelect={setRisk}
					/>
				</>
			}
			stake={<StakeField stake={stake} disabled={isBusy} />}
		/>
	);
}
