import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import { hundredths, toNumber } from '#games/fraction.ts';
import { type PlinkoRisk, type PlinkoRows, slotOf, slotsOf } from '#games/instant/plinko.ts';
import { minorOf } from '#values/money.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { movesLess } from '#web/features/casino/moves-less.ts';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { type RoundPlay, useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import type { CasinoRound } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.plinko;
const WIDTH = 340;
const TOP = 18;
const HEIGHT = 300;
const ROW_MS = 70;
/** Above the first row, along each row, and into the slot. */
const fallMs = (rows: number): number => ROW_MS * (rows + 2);
const MOST_BALLS = 10;

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
		const animation = ball.current?.animate(frames, { duration: fallMs(rows) });
		return () => animation?.cancel();
	}, [rows, path]);
	return <circle ref={ball} r="7" className="plinko-ball" style={{ transform: `translate(${end.x}px, ${end.y}px)` }} />;
}

/** Multiples of a slot without zeros that say nothing: 1000, 5.4. */
const slotText = (cents: number): string => String(toNumber(hundredths(cents)));

function Board({
	rows,
	risk,
	drops,
	landed,
}: {
	rows: PlinkoRows;
	risk: PlinkoRisk;
	/** The balls on the board. */
	drops: readonly Drop[];
	/** The one that came down last. */
	landed: Drop | null;
}): ReactElement {
	const slots = slotsOf(rows, risk).map((cents, slot) => ({ cents, slot }));
	const reached = landed && landed.rows === rows && landed.risk === risk ? slotOf(landed.path, rows) : null;
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
				{drops.map((drop) => drop.rows === rows && <Ball key={drop.id} drop={drop} />)}
			</svg>
			<ol className="plinko-slots" data-rows={rows} style={{ '--slots': slots.length } as CSSProperties}>
				{slots.map(({ cents, slot }) => (
					<li
						// A ball that comes into the same slot again presses it again.
						key={slot === reached ? `${slot} ${landed?.id}` : slot}
						className="motion"
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

const rowsOf = (round: CasinoRound): PlinkoRows => Number(round.bets[0]?.bet.split('-')[0]) as PlinkoRows;

const dropOf = (round: CasinoRound): Drop => ({
	id: round.roundId,
	rows: rowsOf(round),
	risk: round.bets[0]?.bet.split('-')[1] as PlinkoRisk,
	path: round.outcome as number[],
});

/** The balls that fall, and the one that came last, which lies until the next. */
function useDrops({ round, ended }: RoundPlay): readonly Drop[] {
	const [drops, setDrops] = useState<readonly Drop[]>([]);
	if (round && drops.at(-1)?.id !== round.roundId) setDrops([...drops, dropOf(round)].slice(-MOST_BALLS));
	const isDown = new Set(ended.map(({ roundId }) => roundId));
	return drops.filter(({ id }, place) => place === drops.length - 1 || !isDown.has(id));
}

export function PlinkoGame(): ReactElement {
	const play = useRound('plinko', (round) => fallMs(rowsOf(round)));
	const stake = useStake();
	const [rows, setRows] = useState<PlinkoRows>(12);
	const [risk, setRisk] = useState<PlinkoRisk>('medium');
	const drops = useDrops(play);
	const last = drops.at(-1);
	const landed = play.ended[0] ? dropOf(play.ended[0]) : null;
	const isBusy = play.phase !== 'idle';
	return (
		<GameFrame
			play={play}
			result={last ? `${slotText(slotsOf(last.rows, last.risk)[slotOf(last.path, last.rows)] ?? 0)}x` : ''}
			action={CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? minorOf(0)))}
			blocked={stake.amount === null ? CASINO_TEXTS.stake.whole : ''}
			onAction={() => stake.amount !== null && play.play([{ bet: `${rows}-${risk}`, stake: stake.amount }])}
			stage={<Board rows={rows} risk={risk} drops={drops} landed={landed} />}
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
			stake={<StakeField stake={stake} refused={play.refusedStake} disabled={isBusy} />}
		/>
	);
}
