import { type CSSProperties, memo, type ReactElement, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { SideBadge } from '#ui/side-badge.tsx';
import { ZERO } from '#values/money.ts';
import type { PricedEvent } from '#web/api/answers.ts';
import { sideKindOf } from '#web/betting/side-kind.ts';
import { BestPair } from '#web/features/match-list/best-pair.tsx';
import { favouritesOf, type MainMarket, type Outcome, outcomesOf } from '#web/features/match-list/match-columns.ts';
import { MatchInfo as AnyMatchInfo } from '#web/features/match-list/match-info.tsx';
import { formatShort } from '#web/format.ts';
import { useFollowedMarket } from '#web/live/followed-market.ts';
import { useListedMarket, useTotalMatched } from '#web/live/market-now.ts';
import { togglePin, usePreferences } from '#web/store/preferences.ts';
import { TEXTS } from '#web/texts.ts';

// A market that opens or pauses is no reason to render the names beside its prices.
const MatchInfo = memo(AnyMatchInfo);

const MOST_RUNNERS = 4;
/** Of more than that, the favourites. */
const SHOWN_OF_MANY = 3;

/** The runners of a row. The favourites of its first prices stay, so that no price moves under a finger. */
function useShownRunners(runners: MainMarket['runners']): MainMarket['runners'] {
	const [favourites, setFavourites] = useState<readonly string[] | null>(null);
	if (runners.length <= MOST_RUNNERS) return runners;
	if (favourites === null && runners.some(({ back }) => back !== null)) {
		setFavourites(favouritesOf(runners, SHOWN_OF_MANY).map(({ runnerId }) => runnerId));
	}
	const shown = favourites?.flatMap((id) => runners.find(({ runnerId }) => runnerId === id) ?? []) ?? [];
	return shown.length === SHOWN_OF_MANY ? shown : runners.slice(0, SHOWN_OF_MANY);
}

function Pin({ event }: { event: PricedEvent }): ReactElement {
	const pinned = usePreferences(({ pinnedEvents }) => pinnedEvents.includes(event.id));
	return (
		<button
			type="button"
			className="icon-button match-pin"
			aria-pressed={pinned}
			aria-label={pinned ? TEXTS.matches.unpin(event.title) : TEXTS.matches.pin(event.title)}
			onClick={() => togglePin(event.id)}
		>
			{pinned ? <Icon solid>star</Icon> : <Icon regular>star</Icon>}
		</button>
	);
}

function Badge({ sportId, name }: { sportId: number; name: string }): ReactElement | null {
	const kind = sideKindOf(sportId, name);
	return kind && <SideBadge name={name} kind={kind} size={24} />;
}

/** Over the prices of this row alone. */
function Cover(): ReactElement {
	return (
		<span className="match-cover">
			<Icon solid>pause</Icon>
			{TEXTS.market.suspended}
		</span>
	);
}

interface PricesProps {
	event: PricedEvent;
	market: MainMarket;
	isKnown: boolean;
	open: boolean;
	suspended: boolean;
}

/** What all prices of a row have in common. */
const pairOf = ({ event, market, isKnown, open }: PricesProps) => ({
	eventId: event.id,
	eventTitle: event.title,
	marketId: market.marketId,
	marketName: market.name,
	isKnown,
	open,
});

/** A pair for each outcome, side by side. */
function Columns({ outcomes, ...props }: PricesProps & { outcomes: readonly Outcome[] }): ReactElement {
	return (
		<div className="match-columns">
			{outcomes.map(({ place, runner }) => (
				<div key={place} className="match-pair" data-place={place}>
					<BestPair {...pairOf(props)} runner={runner} />
				</div>
			))}
			{props.suspended && <Cover />}
		</div>
	);
}

/** A pair for each runner, one below another. */
function Runners(props: PricesProps): ReactElement {
	const { runners } = props.market;
	const shown = useShownRunners(runners);
	const more = runners.length - shown.length;
	return (
		<div className="match-runners">
			{shown.map((runner) => (
				<div key={runner.runnerId} className="match-runner">
					<span className="match-side">
						<Badge sportId={props.event.sportId} name={runner.name} />
						<bdi className="runner-name min-w-0 truncate">{runner.name}</bdi>
					</span>
					<div className="match-pair">
						<BestPair {...pairOf(props)} runner={runner} />
					</div>
				</div>
			))}
			{more > 0 && <p className="match-more-runners">{TEXTS.matches.moreRunners(more)}</p>}
			{props.suspended && <Cover />}
		</div>
	);
}

/** How much was matched in the main market, and how many markets there are. */
function Volume({ event }: { event: PricedEvent }): ReactElement {
	const { mainMarket } = event;
	const matched = useTotalMatched(mainMarket?.marketId ?? '') ?? mainMarket?.totalMatched ?? ZERO;
	return (
		<p className="match-volume">
			{matched > 0 && (
				<b>
					{formatShort(matched)}
					<span className="unseen"> {TEXTS.matches.volume}</span>
				</b>
			)}
			{event.marketCount > 1 && <span>{TEXTS.matches.markets(event.marketCount)}</span>}
		</p>
	);
}

/** What the height of a row depends on. */
const heightOf = ({ mainMarket, sportId }: PricedEvent, outcomes: readonly Outcome[] | null) => ({
	className: 'match-row',
	'data-sport': sportId,
	'data-form': outcomes ? 'columns' : 'runners',
	style: outcomes ? undefined : ({ '--runners': mainMarket?.runners.length } as CSSProperties),
});

/** A row that is drawn later. */
export const WaitingRow = ({ event }: { event: PricedEvent }): ReactElement => (
	<li {...heightOf(event, outcomesOf(event))} />
);

/** One fixture: its sides, its start or score, and the best prices of its main market. A change of another does not render it. */
export const MatchRow = memo(function MatchRow({ event }: { event: PricedEvent }): ReactElement {
	const { mainMarket } = event;
	const marketId = mainMarket?.marketId ?? '';
	useFollowedMarket(marketId);
	const { isKnown, status, takesBets: open } = useListedMarket(marketId, mainMarket?.status);
	const outcomes = outcomesOf(event);
	const props = mainMarket && { event, market: mainMarket, isKnown, open, suspended: status === 'SUSPENDED' };
	return (
		<li
			{...heightOf(event, outcomes)}
			data-live={event.status === 'IN_PLAY' || undefined}
			data-paused={!open || undefined}
		>
			<MatchInfo event={event} />
			<Pin event={event} />
			{props && (outcomes ? <Columns {...props} outcomes={outcomes} /> : <Runners {...props} />)}
			<Volume event={event} />
		</li>
	);
});
