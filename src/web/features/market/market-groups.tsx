import { type ReactElement, useState } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';
import { FancyGroup } from '#web/features/market/fancy/fancy-group.tsx';
import { type Group, grouped, isOver } from '#web/features/market/market-kinds.ts';
import { MarketNav, type Shown } from '#web/features/market/market-nav.tsx';
import { RunnerMarket } from '#web/features/market/runner-market.tsx';
import type { EventSummary, Market } from '#web/store/queries.ts';
import { MARKET_WORDS } from '#web/texts/market.ts';
import { TEXTS } from '#web/texts.ts';

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

/** All markets of a match by kind, with a row of tabs that narrows them down. */
export function MarketGroups({ event, markets }: { event: EventSummary; markets: readonly Market[] }): ReactElement {
	const [wanted, setWanted] = useState<Shown>('ALL');
	const { live, finished } = useFinished(markets);
	const groups = grouped(live);
	const shown = groups.some(({ group }) => group === wanted) ? wanted : 'ALL';
	if (markets.length === 0) return <ScreenState title={TEXTS.market.noMarkets} />;
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
					.filter(({ group }) => shown === 'ALL' || group === shown)
					.map(({ group, markets: of }) => (
						<MarketGroup key={group} event={event} group={group} markets={of} />
					))}
				{shown === 'ALL' && finished.length > 0 && (
					<details className="finished-markets">
						<summary>{MARKET_WORDS.finishedMarkets(finished.length)}</summary>
						<div className="market-groups">
							{grouped(finished).map(({ group, markets: of }) => (
								<MarketGroup key={group} event={event} group={group} markets={of} />
							))}
						</div>
					</details>
				)}
			</div>
		</>
	);
}
