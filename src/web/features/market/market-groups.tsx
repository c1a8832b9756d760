import { type ReactElement, startTransition, useEffect, useMemo, useState } from 'react';
import { useMediaQuery } from '#ui/media-query.ts';
import { ScreenState } from '#ui/screen-state.tsx';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { FancyGroup } from '#web/features/market/fancy/fancy-group.tsx';
import { areGoalLines, GoalLines } from '#web/features/market/goal-lines.tsx';
import { grouped, isSettled } from '#web/features/market/market-kinds.ts';
import { MarketNav, type Shown } from '#web/features/market/market-nav.tsx';
import { RunnerMarket } from '#web/features/market/runner-market.tsx';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

const WIDE = '(width >= 48rem)';

/** A card for each market, by kind; the fancies of a kind share one card, and on a phone the lines of goals. */
function cardsOf(event: EventSummary, markets: readonly Market[], shown: Shown, wide: boolean): ReactElement[] {
	// One chart per page: of the match's main market.
	const main = markets.find(({ bettingModel, lineRange }) => bettingModel === 'EXCHANGE' && !lineRange);
	const groups = grouped(markets).filter(({ group }) => shown === 'ALL' || group === shown);
	return groups.flatMap(({ group, markets: of }) => {
		if (!wide && areGoalLines(of))
			return [<GoalLines key={group} event={event} markets={of} name={MARKET_WORDS.groups[group]} />];
		const fancies = of.filter(({ bettingModel }) => bettingModel === 'FANCY');
		const cards = of
			.filter(({ bettingModel }) => bettingModel !== 'FANCY')
			.map((market) => <RunnerMarket key={market.id} event={event} market={market} charted={market === main} />);
		const name = MARKET_WORDS.groups[group];
		return fancies.length > 0
			? [...cards, <FancyGroup key={group} event={event} markets={fancies} name={name} />]
			: cards;
	});
}

/** The number of rendered cards: one more with each step, so that rendering never delays a press. */
function useSteps(total: number): number {
	const [count, setCount] = useState(1);
	useEffect(() => {
		if (count >= total) return;
		startTransition(() => setCount(count + 1));
	}, [count, total]);
	return count;
}

const NONE: ReadonlySet<string> = new Set();

/** Markets that were settled when the page was answered; a later settled market keeps its place. */
function useFinished(
	markets: readonly Market[],
	isWhole: boolean,
): { live: readonly Market[]; finished: readonly Market[] } {
	const [settled, setSettled] = useState<ReadonlySet<string> | null>(null);
	if (isWhole && !settled) setSettled(new Set(markets.filter(isSettled).map(({ id }) => id)));
	const settledAtFirst = settled ?? NONE;
	return useMemo(() => {
		const live = markets.filter(({ id }) => !settledAtFirst.has(id));
		// When all markets are settled, the page consists of their results.
		return live.length === 0
			? { live: markets, finished: [] }
			: { live, finished: markets.filter(({ id }) => settledAtFirst.has(id)) };
	}, [markets, settledAtFirst]);
}

/** Folded, and rendered only when opened: near the end of a match most markets are here. */
function FinishedMarkets({ event, markets }: { event: EventSummary; markets: readonly Market[] }): ReactElement {
	const [open, setOpen] = useState(false);
	const wide = useMediaQuery(WIDE);
	return (
		<details className="finished-markets" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
			<summary>{MARKET_WORDS.finishedMarkets(markets.length)}</summary>
			<div className="market-groups">{open && cardsOf(event, markets, 'ALL', wide)}</div>
		</details>
	);
}

/** All markets of a match by kind, with a row of tabs that narrows them down. */
export function MarketGroups({
	event,
	markets,
	isWhole,
}: {
	event: EventSummary;
	markets: readonly Market[];
	/** False while the page has the main market alone, as a list knows it: the others have their place. */
	isWhole: boolean;
}): ReactElement {
	const [wanted, setWanted] = useState<Shown>('ALL');
	const { live, finished } = useFinished(markets, isWhole);
	const groups = grouped(live);
	const shown = groups.some(({ group }) => group === wanted) ? wanted : 'ALL';
	// The same elements until the markets change, so that a step renders only the added card.
	const wide = useMediaQuery(WIDE);
	const cards = useMemo(() => cardsOf(event, live, shown, wide), [event, live, shown, wide]);
	const made = useSteps(cards.length);
	if (markets.length === 0) return <ScreenState icon="ticket" title={GRID_WORDS.noMarkets} />;
	return (
		<>
			{/* All markets of a race are of one kind. */}
			{!isWhole && event.marketCount > 1 && groups[0]?.group !== 'RACE' && (
				<div className="market-nav" aria-hidden="true">
					<span className="h-11" />
				</div>
			)}
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
				{cards.slice(0, made)}
				{made >= cards.length && shown === 'ALL' && finished.length > 0 && (
					<FinishedMarkets event={event} markets={finished} />
				)}
			</div>
		</>
	);
}
