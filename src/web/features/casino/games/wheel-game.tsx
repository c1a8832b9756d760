import { type ReactElement, useState } from 'react';
import { hundredths, multipleText } from '#games/fraction.ts';
import { WHEELS, type WheelRisk } from '#games/instant/wheel.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { InstantGame, useInstantPlay } from '#web/features/casino/games/instant-game.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.wheel;
const SPIN_MS = 1_800;
const SLICE = 360 / WHEELS.low.length;
const RISKS: readonly WheelRisk[] = ['low', 'medium', 'high'];

const heatOf = (cents: number): string =>
	cents === 0 ? 'none' : cents < 200 ? 'low' : cents < 1_000 ? 'middle' : 'high';

/** The wheel turns until the segment stands under the mark at the top. */
function Wheel({
	risk,
	segment,
	turns,
	paid,
}: {
	risk: WheelRisk;
	segment: number | null;
	turns: number;
	/** What the segment under the mark pays, in hundredths; null while the wheel turns and before it did. */
	paid: number | null;
}): ReactElement {
	const half = (Math.sin((SLICE * Math.PI) / 360) * 92).toFixed(2);
	const height = (Math.cos((SLICE * Math.PI) / 360) * 92).toFixed(2);
	return (
		<svg viewBox="-100 -104 200 204" className="fortune-wheel" aria-hidden="true">
			<circle r="97" className="wheel-rim" />
			<g
				className="wheel-turning motion"
				style={{
					transform: `rotate(${-(segment ?? 0) * SLICE - turns * 1_080}deg)`,
					transitionDuration: `${SPIN_MS}ms`,
				}}
			>
				{WHEELS[risk]
					.map((cents, place) => ({ cents, place }))
					.map(({ cents, place }) => (
						<path
							key={place}
							d={`M0 0L-${half} -${height}A92 92 0 0 1 ${half} -${height}Z`}
							transform={`rotate(${place * SLICE})`}
							className="wheel-segment"
							data-heat={heatOf(cents)}
						/>
					))}
				<circle r="56" className="wheel-bowl" />
			</g>
			<circle r="52" className="wheel-hub" data-heat={paid === null ? undefined : heatOf(paid)} />
			{turns === 0 && (
				<text className="wheel-best" textAnchor="middle" y="5">
					{CASINO_TEXTS.upTo(multipleText(hundredths(Math.max(...WHEELS[risk]))))}
				</text>
			)}
			<text className="wheel-paid" textAnchor="middle" y="8">
				{paid === null ? '' : multipleText(hundredths(paid))}
			</text>
			<path d="M0-84l-8-19h16z" className="wheel-mark" />
		</svg>
	);
}

export function WheelGame(): ReactElement {
	const instant = useInstantPlay('wheel', SPIN_MS);
	const { round } = instant.play;
	const [risk, setRisk] = useState<WheelRisk>('low');
	const segment = round ? Number(round.outcome) : null;
	const played = (round?.bets[0]?.bet ?? risk) as WheelRisk;
	const isStill = segment !== null && instant.play.isRevealed && played === risk;
	const pays = [...new Set(WHEELS[risk])].sort((one, other) => one - other);
	return (
		<InstantGame
			instant={instant}
			bet={risk}
			result={segment === null ? '' : multipleText(hundredths(WHEELS[played][segment] ?? 0))}
			stage={
				<>
					<Wheel
						risk={risk}
						segment={segment}
						paid={isStill ? (WHEELS[played][segment] ?? null) : null}
						// The nonce counts the rounds, so each turns the wheel on.
						turns={round ? round.nonce + 1 : 0}
					/>
					<ul className="wheel-pays">
						{pays.map((cents) => (
							<li key={cents} data-heat={heatOf(cents)}>
								{multipleText(hundredths(cents))}
							</li>
						))}
					</ul>
				</>
			}
			controls={
				<ChoiceRow
					label={words.risk}
					choices={RISKS.map((key) => ({ key, text: CASINO_TEXTS.plinko.risks[key] }))}
					selected={risk}
					disabled={instant.isBusy}
					onSelect={setRisk}
				/>
			}
		/>
	);
}
