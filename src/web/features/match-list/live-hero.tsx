import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { RollingFigure } from '#ui/rolling-figure.tsx';
import { SideBadge } from '#ui/side-badge.tsx';
import { sportById } from '#values/sports.ts';
import type { PricedEvent } from '#web/api/answers.ts';
import { sideKindOf } from '#web/betting/side-kind.ts';
import { BestPair } from '#web/features/match-list/best-pair.tsx';
import { ChanceLines } from '#web/features/match-list/chance-lines.tsx';
import { isDecided, tightestOf } from '#web/features/match-list/hero-choice.ts';
import { isBetweenSides, type MainMarket, type Outcome, outcomesOf } from '#web/features/match-list/match-columns.ts';
import { scorePartsOf } from '#web/features/match-list/score-parts.ts';
import { formatShort } from '#web/format.ts';
import { useFollowedMarket } from '#web/live/followed-market.ts';
import { useListedMarket, useTotalMatched } from '#web/live/market-now.ts';
import { useBrand } from '#web/store/brand.ts';
import { setLayout } from '#web/store/layout.ts';
import { closestQuery, sportEventsQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';
import './live-hero.css';

interface Hero {
	event: PricedEvent;
	market: MainMarket;
	outcomes: Outcome[];
}

/** A match in play between two sides, whose main market takes bets. */
function heroOf(event: PricedEvent): Hero[] {
	const { mainMarket: market } = event;
	const outcomes = outcomesOf(event);
	if (event.status !== 'IN_PLAY' || !market || !outcomes || !isBetweenSides(event)) return [];
	return [{ event, market, outcomes }];
}

/** The tightest of the big matches in play; it stays until it is decided, even if another is tighter by then. */
function useHero(events: readonly PricedEvent[] | undefined): Hero | null {
	const [shownId, setShownId] = useState<string | null>(null);
	const heroes = (events ?? []).flatMap(heroOf);
	const shown = heroes.find(({ event, market }) => event.id === shownId && !isDecided(market)) ?? tightestOf(heroes);
	if (shown && shown.event.id !== shownId) setShownId(shown.event.id);
	return shown;
}

/** The fixtures that the list below shows: of its sport, or of all. */
function useListed() {
	const { id = '0' } = useParams({ strict: false });
	const sport = sportById(Number(id));
	const ofSport = useQuery({ ...sportEventsQuery(sport?.name ?? ''), enabled: sport !== undefined });
	const ofAll = useQuery({ ...closestQuery(), enabled: sport === undefined });
	return sport ? ofSport : ofAll;
}

function Side({ event, name, scores }: { event: PricedEvent; name: string; scores: boolean }): ReactElement {
	return (
		<span className="hero-side">
			<SideBadge name={name} kind={sideKindOf(event.sportId, name) ?? 'team'} />
			<bdi className="min-w-0 truncate">{name}</bdi>
			{scores && <i className="turn-dot" />}
		</span>
	);
}

function Matched({ market }: { market: MainMarket }): ReactElement {
	const matched = useTotalMatched(market.marketId) ?? market.totalMatched;
	return <span className="hero-competition">{formatShort(matched)}</span>;
}

function Card({ event, market, outcomes }: Hero): ReactElement {
	useFollowedMarket(market.marketId);
	const { isKnown, takesBets: open } = useListedMarket(market.marketId, market.status);
	const isWide = useMediaQuery('(width >= 48rem)');
	const picture = useBrand((state) => state.setting?.heroImage);
	const sides = outcomes.filter(({ place }) => place !== 'draw').map(({ runner }) => runner);
	const { figures, note, scorer } = scorePartsOf(
		event.score ?? '',
		sides.map(({ name }) => name),
	);
	return (
		<article
			className="hero"
			aria-label={event.title}
			data-paused={!open || undefined}
			data-pictured={picture ? true : undefined}
			style={picture ? { backgroundImage: `url(${picture})` } : undefined}
		>
			<Link
				to="/markets/{-$eventid}/$dreamEventId"
				params={{ dreamEventId: event.id }}
				className="hero-link"
				aria-label={event.title}
			/>
			<div className="hero-match">
				<p className="hero-state">
					<InPlayBadge word={TEXTS.matches.inPlay} />
					<bdi>{note}</bdi>
					<bdi className="hero-competition">{event.competition}</bdi>
					<Matched market={market} />
				</p>
				<div className="hero-sides" aria-hidden="true">
					{sides.map(({ name }) => (
						<Side key={name} event={event} name={name} scores={name === scorer} />
					))}
				</div>
			</div>
			<b className="hero-figure">
				<RollingFigure text={figures} />
			</b>
			{isWide && <ChanceLines marketId={market.marketId} sides={sides} />}
			<div className="hero-prices">
				{outcomes.map(({ place, runner }) => (
					<div key={place} data-place={place}>
						<span aria-hidden="true">{TEXTS.matches.places[place]}</span>
						<BestPair
							eventId={event.id}
							eventTitle={event.title}
							marketId={market.marketId}
							marketName={market.name}
							runner={runner}
							isKnown={isKnown}
							open={open}
						/>
					</div>
				))}
			</div>
			<button
				type="button"
				className="icon-button hero-close"
				aria-label={TEXTS.slider.hide}
				onClick={() => setLayout({ imageSliderHeader: false })}
			>
				<Icon solid size="sm">
					xmark
				</Icon>
			</button>
		</article>
	);
}

function TightestMatch({ instead }: { instead: ReactNode }): ReactNode {
	const { data, isPending } = useListed();
	const hero = useHero(data);
	if (isPending) return <div className="slider" />;
	return hero ? <Card {...hero} /> : instead;
}

/** The content above a list: the tightest of the big matches in play, or else `instead`; a brand’s own slides always come first. */
export function LiveHero({ instead }: { instead: ReactNode }): ReactNode {
	const hasSlides = useBrand((state) => (state.setting?.slides ?? []).length > 0);
	return hasSlides ? instead : <TightestMatch instead={instead} />;
}
