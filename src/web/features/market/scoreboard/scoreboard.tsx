import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { RollingFigure } from '#ui/rolling-figure.tsx';
import { SideBadge } from '#ui/side-badge.tsx';
import { monogramLetters } from '#ui/side-drawing.tsx';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { sideKindOf } from '#web/betting/side-kind.ts';
import { titleBesideStart } from '#web/betting/title-beside-start.ts';
import {
	type BoardSide,
	type Scoreboard as Line,
	scoreboardOf,
} from '#web/features/market/scoreboard/scoreboard-line.ts';
import { formatPrice } from '#web/format.ts';
import { useCellPrice } from '#web/live/prices/live-prices.ts';
import { scoreCardQuery } from '#web/store/queries.ts';
import { GRID_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './scoreboard.css';

/** The names of the two sides, in the order of the main market; none if the title names other things. */
function sidesOf(event: EventSummary, main: Market | undefined): string[] {
	const names = (main?.runners ?? [])
		.map(({ name }) => name)
		.filter((name) => sideKindOf(event.sportId, name) !== null && event.title.includes(name));
	return names.length === 2 ? names : [];
}

function State({ event, clock }: { event: EventSummary; clock: string }): ReactElement {
	if (event.status !== 'IN_PLAY') return <span>{clock}</span>;
	return (
		<>
			<InPlayBadge word={TEXTS.matches.inPlay} />
			<RollingFigure text={clock} className="min-w-0" />
		</>
	);
}

function Side({ side, sportId }: { side: BoardSide; sportId: number }): ReactElement {
	return (
		<div className="board-side" data-noted={side.note ? true : undefined}>
			<SideBadge name={side.name} kind={sideKindOf(sportId, side.name) ?? 'team'} />
			<p className="board-name">
				<bdi>{side.name}</bdi>
				{side.doing && (
					<span className="turn-dot" title={side.doing}>
						<span className="unseen"> {side.doing}</span>
					</span>
				)}
				{side.note && <small>{side.note}</small>}
			</p>
		</div>
	);
}

/** Pixels. */
const BELOW_TOP_BAR = 57;

/** Whether an element has left the view at the top. */
function useIsPast(target: RefObject<HTMLElement | null>): boolean {
	const [isPast, setIsPast] = useState(false);
	useEffect(() => {
		if (!target.current) return;
		// Below the top bar is out of view already.
		const watcher = new IntersectionObserver(
			([entry]) => setIsPast(entry?.isIntersecting === false && entry.boundingClientRect.top < BELOW_TOP_BAR),
			{ rootMargin: `-${BELOW_TOP_BAR}px 0px 0px` },
		);
		watcher.observe(target.current);
		return () => watcher.disconnect();
	}, [target]);
	return isPast;
}

function StripPrice({ market, runner }: { market: Market; runner: Market['runners'][number] }): ReactElement | null {
	const best = useCellPrice(market.id, runner.id, 'back', 0);
	if (!best) return null;
	return (
		<span className="strip-price">
			<span>{monogramLetters(runner.name)}</span>
			<b>{formatPrice(best.price)}</b>
		</span>
	);
}

const STRIP_RUNNERS = 3;

/**
 * The header's content in a line that stays while the page scrolls; screen readers have it from the header and the
 * markets.
 */
function Strip({ event, line, main }: { event: EventSummary; line: Line; main: Market | undefined }): ReactElement {
	const runners = (main?.runners ?? []).slice(0, STRIP_RUNNERS);
	const [home, away] = line.sides ?? [];
	return (
		<div className="strip-line" aria-hidden="true">
			{event.status === 'IN_PLAY' && <i className="live-dot" />}
			<b className="strip-score">
				{home && away ? (
					<>
						{monogramLetters(home.name)} <RollingFigure text={line.figure} /> {monogramLetters(away.name)}
					</>
				) : (
					<RollingFigure text={line.figure} />
				)}
			</b>
			<span className="strip-clock">{line.clock}</span>
			{main?.bettingModel === 'EXCHANGE' &&
				runners.map((runner) => <StripPrice key={runner.id} market={main} runner={runner} />)}
		</div>
	);
}

/** The header of a fixture is its scoreboard; once it is scrolled away, a strip keeps score and best prices in sight. */
export function Scoreboard({ event, markets }: { event: EventSummary; markets: readonly Market[] }): ReactElement {
	const { data: card } = useQuery({ ...scoreCardQuery(event.id), enabled: event.status !== 'UPCOMING' });
	const board = useRef<HTMLElement>(null);
	const isPast = useIsPast(board);
	const main = markets.find(({ id }) => id === event.mainMarketId);
	const line = scoreboardOf(event, card ?? null, sidesOf(event, main));
	const [home, away] = line.sides ?? [];
	return (
		<>
			<header ref={board} className="scoreboard" data-sides={line.sides ? '2' : '1'}>
				<Link
					to="/matchlist/$id"
					params={{ id: String(event.sportId) }}
					className="icon-button board-back"
					aria-label={GRID_WORDS.backToList}
				>
					<Icon solid transform="rotate-180">
						chevron-right
					</Icon>
				</Link>
				<h1 className={line.sides ? 'unseen' : 'board-title'}>
					{event.status === 'UPCOMING' ? titleBesideStart(event) : event.title}
				</h1>
				{home && <Side side={home} sportId={event.sportId} />}
				<div className="board-score">
					<p className="board-state">
						<State event={event} clock={line.clock} />
					</p>
					<p className="board-figure" data-tone={line.tone}>
						<RollingFigure text={line.figure} />
					</p>
				</div>
				{away && <Side side={away} sportId={event.sportId} />}
				<p className="board-event">
					<span>{line.event || event.competition}</span>
				</p>
			</header>
			<div className="board-strip" data-shown={isPast || undefined}>
				<Strip event={event} line={line} main={main} />
			</div>
		</>
	);
}
