import { type ReactElement, useState } from 'react';
import { multipleText } from '#games/fraction.ts';
import { KENO_NUMBERS, keno, MOST_PICKS } from '#games/instant/keno.ts';
import { Button } from '#ui/button.tsx';
import { InstantGame, useInstantPlay } from '#web/features/casino/games/instant-game.tsx';
import type { CasinoRound } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './keno.css';

const words = CASINO_TEXTS.keno;
const NUMBERS = Array.from({ length: KENO_NUMBERS }, (_, index) => index + 1);

function Grid({
	picks,
	round,
	isRevealed,
	onToggle,
}: {
	picks: readonly number[];
	round: CasinoRound | null;
	isRevealed: boolean;
	onToggle: (number: number) => void;
}): ReactElement {
	const drawn = (round?.outcome ?? []) as readonly number[];
	return (
		<div className="keno-grid">
			{NUMBERS.map((number) => {
				const place = drawn.indexOf(number);
				return (
					<button
						key={number}
						type="button"
						className="keno-number motion"
						aria-pressed={picks.includes(number)}
						aria-label={words.number(number, isRevealed && place >= 0)}
						data-drawn={place >= 0 || undefined}
						style={{ transitionDelay: `${Math.max(0, place) * 60}ms` }}
						onClick={() => onToggle(number)}
					>
						{number}
					</button>
				);
			})}
		</div>
	);
}

/** The number of drawn picks of a round, independent of the picks for the next one. */
function hitsOf(round: CasinoRound | null): number {
	const drawn = (round?.outcome ?? []) as readonly number[];
	const picks = round?.bets[0]?.bet.split('.').map(Number) ?? [];
	return picks.filter((pick) => drawn.includes(pick)).length;
}

export function KenoGame(): ReactElement {
	const instant = useInstantPlay('keno', 700);
	const { round } = instant.play;
	const [picks, setPicks] = useState<readonly number[]>([]);
	const bet = picks.length > 0 ? keno.betOf(picks.join('.')) : null;
	const toggle = (number: number) => {
		if (picks.includes(number)) setPicks(picks.filter((pick) => pick !== number));
		else if (picks.length < MOST_PICKS) setPicks([...picks, number].sort((one, other) => one - other));
	};
	return (
		<InstantGame
			instant={instant}
			bet={bet?.code ?? null}
			missing={words.pick}
			result={words.hits(hitsOf(round))}
			stage={
				<>
					<Grid picks={picks} round={round} isRevealed={instant.play.isRevealed} onToggle={toggle} />
					<ul className="wheel-pays">
						{(bet?.prizes ?? []).map(({ name, pays }) => (
							<li key={name}>
								{name} {multipleText(pays)}
							</li>
						))}
					</ul>
				</>
			}
			controls={
				<div className="keno-picks">
					<span>{words.picks(picks.length)}</span>
					<Button
						size="small"
						variant="outline"
						disabled={instant.isBusy || picks.length === 0}
						onClick={() => setPicks([])}
					>
						{words.clear}
					</Button>
				</div>
			}
		/>
	);
}
