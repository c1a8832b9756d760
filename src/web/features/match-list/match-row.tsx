import { Link } from '@tanstack/react-router';
import { type CSSProperties, type ReactElement, useEffect } from 'react';
import { Icon } from '#ui/icon.tsx';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { PriceButton } from '#ui/price-button.tsx';
import { TeamMonogram } from '#ui/team-monogram.tsx';
import type { Side } from '#values/sides.ts';
import { formatAmount, formatCompact, formatDay, formatMoney, formatPrice, formatTime } from '#web/format.ts';
import { hub } from '#web/store/hub.ts';
import { useLine } from '#web/store/line.ts';
import { type PickedPrice, pickPrice } from '#web/store/pick-price.ts';
import { togglePin, usePreferences } from '#web/store/preferences.ts';
import { livePrices, useCellPrice, useMarketHead } from '#web/store/prices/live-prices.ts';
import type { PricedEvent } from '#web/store/queries.ts';
import { keyOf, useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

/** A race has many runners; its row names the first few in their lasting order, so that nothing moves. */
const MOST_RUNNERS = 4;
const SHOWN_OF_MANY = 3;

type MainMarket = NonNullable<PricedEvent['mainMarket']>;
type Runner = MainMarket['runners'][number];

function BestPrice({
	event,
	market,
	runner,
	side,
	open,
}: {
	event: PricedEvent;
	market: MainMarket;
	runner: Runner;
	side: Side;
	open: boolean;
}): ReactElement {
	const live = useCellPrice(market.marketId, runner.runnerId, side === 'BACK' ? 'back' : 'lay', 0);
	const listed = side === 'BACK' ? runner.back : runner.lay;
	const known = useMarketHead(market.marketId) !== null;
	const best = known ? live : listed;
	const picked: Omit<PickedPrice, 'price'> = {
		eventId: event.id,
		eventTitle: event.title,
		marketId: market.marketId,
		marketName: TEXTS.matches.mainMarket,
		runnerId: runner.runnerId,
		runnerName: runner.name,
		side,
	};
	const pressed = useSlip(({ selections }) => selections.some((selection) => keyOf(selection) === keyOf(picked)));
	const name = side === 'BACK' ? TEXTS.market.back : TEXTS.market.lay;
	const label = side === 'BACK' ? TEXTS.market.backLabel : TEXTS.market.layLabel;
	return (
		<PriceButton
			side={side}
			level={1}
			price={best ? formatPrice(best.price) : null}
			size={best ? formatCompact(best.size) : null}
			label={
				best
					? label(runner.name, formatPrice(best.price), formatAmount(best.size))
					: TEXTS.market.noPrice(name, runner.name)
			}
			move={live?.move ?? 0}
			tick={live?.tick ?? 0}
			pressed={pressed}
			disabled={!open}
			own={false}
			onPress={() => best && pickPrice({ ...picked, price: best.price })}
		/>
	);
}

function State({ event }: { event: PricedEvent }): ReactElement {
	if (event.status === 'IN_PLAY') return <InPlayBadge word={TEXTS.matches.inPlay} />;
	if (event.status === 'UPCOMING') {
		return (
			<span>
				{formatDay(event.matchDate, TEXTS.matches)} {formatTime(event.matchDate)}
			</span>
		);
	}
	return <span>{event.status === 'FINISHED' ? TEXTS.matches.finished : TEXTS.matches.abandoned}</span>;
}

function Pin({ event }: { event: PricedEvent }): ReactElement {
	const pinned = usePreferences(({ pinnedEvents }) => pinnedEvents.includes(event.id));
	return (
		<button
			type="button"
			className="icon-button -ml-2"
			aria-pressed={pinned}
			aria-label={pinned ? TEXTS.matches.unpin(event.title) : TEXTS.matches.pin(event.title)}
			onClick={() => togglePin(event.id)}
		>
			{pinned ? <Icon solid>star</Icon> : <Icon regular>star</Icon>}
		</button>
	);
}

/** Whoever opens the match finds its prices there, before its page has asked for them. */
const KEPT_MS = 5000;

/** Follows the main market while its row is shown. */
function useLiveMarket(marketId: string | undefined): void {
	useEffect(() => {
		if (!marketId) return;
		const leave = hub.subscribe(`market:${marketId}`);
		return () => {
			leave();
			setTimeout(() => livePrices.forget(marketId), KEPT_MS);
		};
	}, [marketId]);
}

/** One fixture: who plays, when or how it stands, and the best prices of its main market. */
export function MatchRow({ event }: { event: PricedEvent }): ReactElement {
	const { mainMarket } = event;
	useLiveMarket(mainMarket?.marketId);
	const head = useMarketHead(mainMarket?.marketId ?? '');
	const stale = useLine((line) => line.stale);
	const status = head?.status ?? mainMarket?.status;
	const open = status === 'OPEN' && !stale && head?.whole !== false;
	const runners = mainMarket?.runners ?? [];
	const shown = runners.length > MOST_RUNNERS ? runners.slice(0, SHOWN_OF_MANY) : runners;
	const more = runners.length - shown.length;
	const matched = head?.totalMatched ?? mainMarket?.totalMatched ?? 0;
	return (
		<li className="match-row" style={{ '--runners': shown.length } as CSSProperties}>
			<div className="flex min-w-0 items-center gap-2 text-xs text-muted">
				<Pin event={event} />
				<State event={event} />
				{event.score && <span className="min-w-0 truncate font-semibold text-text">{event.score}</span>}
				<bdi className="min-w-0 flex-1 truncate text-right">{event.competition}</bdi>
				{matched > 0 && (
					<span className="flex-none max-md:hidden">{TEXTS.matches.matched(formatMoney(Math.round(matched)))}</span>
				)}
			</div>
			<div className="relative">
				<Link
					to="/markets/{-$eventid}/$dreamEventId"
					params={{ dreamEventId: event.id }}
					className="match-link"
					aria-label={event.title}
				/>
				{shown.map((runner) => (
					<div key={runner.runnerId} className="match-runner">
						<span className="flex min-w-0 items-center gap-3">
							<TeamMonogram name={runner.name} size={26} />
							<bdi className="min-w-0 truncate font-semibold">{runner.name}</bdi>
						</span>
						{mainMarket && (
							<>
								<BestPrice event={event} market={mainMarket} runner={runner} side="BACK" open={open} />
								<BestPrice event={event} market={mainMarket} runner={runner} side="LAY" open={open} />
							</>
						)}
					</div>
				))}
				{more > 0 && <p className="py-1 text-xs text-muted">{TEXTS.matches.moreRunners(more)}</p>}
				{!mainMarket && (
					<p className="truncate py-3 font-semibold">
						<bdi>{event.title}</bdi>
					</p>
				)}
				{status === 'SUSPENDED' && (
					<span className="match-cover">
						<Icon solid>pause</Icon>
						{TEXTS.market.suspended}
					</span>
				)}
			</div>
		</li>
	);
}
