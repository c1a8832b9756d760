import { type ReactElement, useDeferredValue, useState } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';
import { FancyGroup } from '#web/features/market/fancy/fancy-group.tsx';
import { type Group, grouped, isOver } from '#web/features/market/market-kinds.ts';
import { MarketNav, type Shown } from '#web/features/market/market-nav.tsx';
import { RunnerMarket } from '#web/features/market/runner-market.tsx';
import type { EventSummary, Market } from '#web/store/queries.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/market.ts';

/** Fancies stand together in one card, other markets have one each. */
function MarketGroup({
	event,
	group,
	markets,
}: {
	event: EventSummary;
	group: Group;
	markets: Market[];
}): ReactElement {
	const fancies = markets.filter(({ bettingModel }) => bettingModel === 'FANCY');
	const others = markets.filter(({ bettingModel }) => bettingModel !== 'FANCY');
	return (
		<>
			{others.map((market) => (
				<RunnerMarket key={market.id} event={event} market={market} />
			))}
			{fancies.length > 0 && <FancyGroup event={event} markets={fancies} name={MARKET_WORDS.groups[group]} />}
		</>
	);
}

/** Those that were over when the page opened; what ends while one looks at it stays where it is. */
function useFinished(markets: readonly Market[]): { live: Market[]; finished: Market[] } {
	const [overAtFirst] = useState(() => new Set(markets.filter(isOver).map(({ id }) => id)));
	const live = markets.filter(({ id }) => !overAtFirst.has(id));
	// Of a match that is over all there is to see is how it ended.
	return live.length === 0
		? { live: [...markets], finished: [] }
		: { live, finished: markets.filter(({ id }) => overAtFirst.has(id)) };
}

/** Folded up, and only made when it is opened: of a match that is nearly over most markets are here. */
function FinishedMarkets({ event, markets }: { event: EventSummary; markets: Market[] }): ReactElement {
	const [open, setOpen] = useState(false);
	return (
		<details className="finished-markets" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
			<summary>{MARKET_WORDS.finishedMarkets(markets.length)}</summary>
			<div className="market-groups">
				{open &&
					grouped(markets).map(({ group, markets: of }) => (
						<MarketGroup key={group} event={event} group={group} markets={of} />
					))}
			</div>
		</details>
	);
}

/** All markets of a match by kind, with a row of tabs that narrows them down. */
export function MarketGroups({ event, markets }: { event: EventSummary; markets: readonly Market[] }): ReactElement {
	const [wanted, setWanted] = useState<Shown>('ALL');
	const { live, finished } = useFinished(markets);
	const groups = grouped(live);
	const shown = groups.some(({ group }) => group === wanted) ? wanted : 'ALL';
	// The first markets are there at once; the others, out of sight on most screens, follow without holding up a press.
	const whole = useDeferredValue(true, false);
	if (markets.length === 0) return <ScreenState title={GRID_WORDS.noMarkets} />;
	return (
		<>
			{groups.length > 1 && (
				<MarketNav
					groups={groups.map(({ group, markets: of }) => ({ group, count: of.length }))}
					shown={shown}
					onShow={setWanted}
				/>
			)}
			<div
				id="market-groups"
				className="market-groups"
				{...(groups.length > 1 ? { role: 'tabpanel', 'aria-labelledby': `market-tab-${shown}` } : {})}
			>
				{groups
					.filter(({ group }, at) => (shown === 'ALL' ? whole || at === 0 : group === shown))
					.map(({ group, markets: of }) => (
						<MarketGroup key={group} event={event} group={group} markets={of} />
					))}
				{whole && shown === 'ALL' && finished.length > 0 && <FinishedMarkets event={event} markets={finished} />}
			</div>
		</>
	);
}
