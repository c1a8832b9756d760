import type { ReactElement } from 'react';
import { useMediaQuery } from '#ui/media-query.ts';
import { lengthsOf, METRES_A_LENGTH } from '#web/features/market/score/lengths.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, shortName } from '#web/features/market/watch/ground.tsx';
import { type Finisher, filmOf, finishersOf, spanOf } from '#web/features/market/watch/photo-places.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Race = ScoreOf<'horseRacing'>;

/** The strip of film, where its winner's nose is, and how many letters of a name fit beside it: on a phone they are larger. */
const FILM = { left: 12, top: 10, bottom: 210 };
const LAYOUT = { wide: { right: 392, letters: 18 }, phone: { right: 330, letters: 13 } };
/** Of the film's edge from the winner's nose. */
const MARGIN = 16;
/** Units of a horse in its own drawing, nose to tail. */
const DRAWN_LENGTH = 100;
/** A camera exposes a slit at a time. */
const SLIT = 5;
const LISTED = 6;
/** Where film is cut out: a torn edge before the nose of the horse that was long in coming. */
const CUT = 10;
const TOOTHED = Array.from({ length: 20 }, (_, at) => `l${at % 2 === 0 ? 5 : -5} 10`).join('');

/** Nose at 0, tail at -100, hooves at 62. */
const HORSE =
	'M0 17C-2 12-4 8-7 5L-8-1L-11 4C-17 5-22 8-26 13C-31 18-37 21-45 21C-57 21-71 19-81 23C-92 24-99 33-98 41C-93 34-87 30-80 30C-82 34-81 39-77 43L-87 49L-97 57L-93 61L-82 54L-70 51L-66 58L-58 61L-57 58L-63 49C-58 46-50 46-43 46C-39 47-34 47-30 46L-18 51L-10 58L-6 57L-11 48L-23 41C-19 37-17 33-16 28C-15 25-13 23-11 22L-4 21Z';
const JOCKEY = 'M-53 20C-53 10-46 3-36 4L-30 9L-37 12C-39 15-40 18-41 21Z';

function Rider({
	horse,
	x,
	y,
	scale,
}: {
	horse: Finisher['horse'];
	x: number;
	y: number;
	scale: number;
}): ReactElement {
	const { body, cap, sleeves } = horse.silks;
	return (
		<g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`}>
			<path d={HORSE} className="photo-horse" />
			<path d={JOCKEY} fill={body} className="photo-silks" />
			<path d="M-36 7L-24 13" stroke={sleeves} className="photo-arm" />
			<circle cx="-33" cy="0" r="5" fill={cap} className="photo-silks" />
			<rect x="-62" y="23" width="17" height="16" rx="2" className="photo-cloth" />
			<text x="-53.500" y="36" textAnchor="middle" className="photo-number">
				{horse.number}
			</text>
		</g>
	);
}

/** What the camera at the line took: a line at each nose, and behind each name its margin from the horse before. */
export function FinishPhoto({ score }: { score: Race }): ReactElement {
	const { right, letters } = LAYOUT[useMediaQuery('(width >= 48rem)') ? 'wide' : 'phone'];
	const finishers = finishersOf(score);
	const film = filmOf(finishers);
	const nose = right - MARGIN;
	const metre = (nose - FILM.left - MARGIN) / (spanOf(film) + METRES_A_LENGTH);
	const scale = (metre * METRES_A_LENGTH) / DRAWN_LENGTH;
	const xOf = (at: number): number => nose - at * metre;
	const seen = film.filter(({ at }) => xOf(at) > FILM.left);
	// Nearest the rail is what started nearest to it, as the camera stands on the other side.
	const rows = seen.map(({ horse }) => horse.number).sort((one, other) => one - other);
	const lane = (FILM.bottom - FILM.top - 44) / Math.max(1, rows.length);
	const yOf = (number: number) => FILM.top + 26 + (rows.indexOf(number) + 0.5) * lane - 30 * scale;
	const winner = finishers[0]?.horse.seconds ?? null;
	const slits = Array.from({ length: Math.floor((right - FILM.left) / SLIT) }, (_, at) => FILM.left + at * SLIT);
	return (
		<Ground sport="horseRacing">
			<clipPath id="photo-film">
				<path d={`M${FILM.left} ${FILM.top}H${right}V${FILM.bottom}H${FILM.left}Z`} />
			</clipPath>
			<g clipPath="url(#photo-film)">
				<path d={`M${FILM.left} ${FILM.top}H${right}V${FILM.bottom}H${FILM.left}Z`} className="ground-field" />
				<path d={`M${FILM.left} ${FILM.top + 18}H${right}`} className="photo-rail" />
				<path d={slits.map((x) => `M${x} ${FILM.top}V${FILM.bottom}`).join('')} className="photo-slit" />
				{seen.map(({ horse, at }) => (
					<Rider key={horse.runnerId} horse={horse} x={xOf(at)} y={yOf(horse.number)} scale={scale} />
				))}
				{seen.map(({ horse, at }) => (
					<path
						key={horse.runnerId}
						d={`M${xOf(at).toFixed(1)} ${FILM.top}V${FILM.bottom}`}
						className="photo-line"
						data-lead={at === 0 || undefined}
					/>
				))}
				{seen
					.filter(({ isCut }) => isCut)
					.map(({ horse, at }) => (
						<path
							key={horse.runnerId}
							d={`M${(xOf(at) + CUT).toFixed(1)} ${FILM.top}${TOOTHED}`}
							className="photo-cut"
						/>
					))}
			</g>
			{winner !== null && (
				<text x={right + 14} y={FILM.top + 12} className="ground-small">
					{words.seconds(winner.toFixed(2))}
				</text>
			)}
			{finishers.slice(0, LISTED).map(({ horse, gap }, at) => (
				<g key={horse.runnerId}>
					<text
						x={right + 14}
						y={FILM.top + 42 + at * 30}
						className="lane-name"
						data-lead={horse.position === 1 || undefined}
					>
						{horse.position} {shortName(horse.name, letters)}
					</text>
					<text x="588" y={FILM.top + 42 + at * 30} textAnchor="end" className="lane-name">
						{at === 0 ? '' : gap === 0 ? '=' : words.behind(lengthsOf(gap))}
					</text>
				</g>
			))}
		</Ground>
	);
}
