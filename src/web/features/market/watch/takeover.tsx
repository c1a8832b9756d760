/** A goal, a wicket or the finish takes over the score's panel for 600 milliseconds; never with reduced motion. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { type Mark, marksBetween } from '#contract/score-marks.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import type { Score } from '#web/features/market/score/score-types.ts';
import { scoreCardQuery } from '#web/store/queries.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

const LASTS_MS = 600;

type Shown = Mark & { kind: keyof typeof words.takeover };
const isShown = (mark: Mark): mark is Shown => mark.kind in words.takeover;

function sideName(score: Score, side: Mark['side']): string {
	if (side === null) return '';
	if (score.sport === 'football' || score.sport === 'kabaddi') return score.teams[side]?.name ?? '';
	return score.sport === 'cricket' ? (score.innings[side]?.team ?? '') : '';
}

export function Takeover({ eventId }: { eventId: string }): ReactElement | null {
	const { data: score } = useQuery(scoreCardQuery(eventId));
	const still = useMediaQuery('(prefers-reduced-motion: reduce)');
	const before = useRef<Score | null>(null);
	const [shown, setShown] = useState<{ kind: Shown['kind']; side: string } | null>(null);
	useEffect(() => {
		if (!score) return;
		const mark = marksBetween(before.current, score).find(isShown);
		before.current = score;
		if (mark) setShown({ kind: mark.kind, side: sideName(score, mark.side) });
	}, [score]);
	useEffect(() => {
		if (!shown) return;
		const timer = setTimeout(() => setShown(null), LASTS_MS);
		return () => clearTimeout(timer);
	}, [shown]);
	if (!shown || still) return null;
	return (
		<div className="takeover" aria-hidden="true" data-kind={shown.kind}>
			<b>{words.takeover[shown.kind]}</b>
			<span>{shown.side}</span>
		</div>
	);
}
