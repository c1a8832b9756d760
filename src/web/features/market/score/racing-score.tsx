import type { ReactElement, ReactNode } from 'react';
import { lengthsOf } from '#web/features/market/score/lengths.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { SilksPicture } from '#web/features/market/silks.tsx';
import { formatNumber } from '#web/format.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Race = ScoreOf<'horseRacing'>;
type Horse = Race['runners'][number];

/** In running order, by number before the off; non-runners and fallers last. */
export const byPosition = (runners: readonly Horse[]): Horse[] =>
	[...runners].sort(
		(one, other) =>
			Number(one.status !== 'RUNNER') - Number(other.status !== 'RUNNER') ||
			one.position - other.position ||
			one.number - other.number,
	);

function standing(score: Race, horse: Horse): ReactNode {
	if (horse.status === 'NON_RUNNER') return words.nonRunner;
	if (horse.status === 'FELL') return words.fell;
	if (horse.seconds !== null) return words.seconds(horse.seconds.toFixed(1));
	if (score.state !== 'IN_PLAY') return horse.jockey;
	const lead = Math.max(...score.runners.map(({ metres }) => metres));
	if (lead === horse.metres) return '';
	const gap = lengthsOf(lead - horse.metres);
	return (
		<>
			<span aria-hidden="true">{words.behind(gap)}</span>
			<span className="unseen">{words.behindLabel(gap)}</span>
		</>
	);
}

/** Distance and going, and the field in its order. */
export function RacingScore({ score }: { score: Race }): ReactElement {
	return (
		<>
			<p className="w-full text-xs text-muted">
				{words.metres(formatNumber(score.distanceMetres))} · {words.going}: {score.going}
			</p>
			<ol className="race-order">
				{byPosition(score.runners).map((horse) => (
					<li key={horse.runnerId} data-out={horse.status !== 'RUNNER' || undefined}>
						<b className="race-place">
							{horse.position > 0 ? (
								<>
									<span aria-hidden="true">{horse.position}</span>
									<span className="unseen">{words.position(horse.position)}</span>
								</>
							) : (
								'–'
							)}
						</b>
						<SilksPicture silks={horse.silks} size={22} />
						<span className="min-w-0 flex-1 truncate">
							{horse.number} {horse.name}
						</span>
						<span className="flex-none text-xs text-muted">{standing(score, horse)}</span>
					</li>
				))}
			</ol>
		</>
	);
}
