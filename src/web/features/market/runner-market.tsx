import type { ReactElement } from 'react';
import { useMediaQuery } from '#ui/media-query.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { type Quoting, quotingOf } from '#web/betting/quoting.ts';
import { MarketCover, MarketFrame } from '#web/features/market/market-frame.tsx';
import { groupOf } from '#web/features/market/market-kinds.ts';
import { useMarketState } from '#web/features/market/market-state.ts';
import { type OwnResults, useOwnResults } from '#web/features/market/own-results.ts';
import { OwnStrip } from '#web/features/market/own-strip.tsx';
import { RunnerRow } from '#web/features/market/runner-row.tsx';
import { formatMoney } from '#web/format.ts';
import { GRID_WORDS, MARKET_WORDS, SIDE_WORDS } from '#web/texts/more.ts';

/** The columns of the grid: an exchange shows three levels where there is room, a house its one price. */
function useLevels(market: Market): 1 | 3 {
	const wide = useMediaQuery('(width >= 48rem)');
	return wide && market.bettingModel === 'EXCHANGE' && groupOf(market) !== 'SCORE' ? 3 : 1;
}

/** The head of the grid: on the left the player's part of the market, or its limits. */
function Headings({
	market,
	levels,
	quoting,
	results,
}: {
	market: Market;
	levels: 1 | 3;
	quoting: Quoting;
	results: OwnResults;
}): ReactElement {
	const spread = quoting === 'SPREAD';
	/** Two lines do not fit below the icons of a phone's head. */
	const short = levels === 1;
	return (
		<div className="market-grid market-heads" data-levels={levels}>
			<OwnStrip market={market} results={results} quoting={quoting}>
				<span className="truncate" aria-hidden="true">
					{market.maxStake > 0 && GRID_WORDS.limits(formatMoney(market.minStake), formatMoney(market.maxStake))}
					{quoting === 'RATE' && ` · ${MARKET_WORDS.ratePer}`}
				</span>
			</OwnStrip>
			<span className="market-side" data-side="BACK" aria-hidden="true">
				{spread ? (short ? SIDE_WORDS.SPREAD.BACK : MARKET_WORDS.sellBelow) : GRID_WORDS.back}
			</span>
			<span className="market-side" data-side="LAY" aria-hidden="true">
				{spread ? (short ? SIDE_WORDS.SPREAD.LAY : MARKET_WORDS.buyAbove) : GRID_WORDS.lay}
			</span>
		</div>
	);
}

/** A market of runners, exchange or bookmaker: one row per runner; covered, never moved, while it takes no bets. */
export function RunnerMarket({
	event,
	market,
	charted,
}: {
	event: EventSummary;
	market: Market;
	/** Its prices are drawn over time, a line beside each runner. */
	charted: boolean;
}): ReactElement {
	const state = useMarketState(market);
	const results = useOwnResults(market);
	const { now, whatIf, bets } = results;
	const levels = useLevels(market);
	const quoting = quotingOf(market, event);
	const scores = groupOf(market) === 'SCORE';
	const statusOf = (runner: Market['runners'][number]) => state.head?.runnerStatus[runner.id] ?? runner.status;
	// Withdrawn runners are listed last, as on a race card.
	const runners = [...market.runners].sort(
		(one, other) => Number(statusOf(one) === 'REMOVED') - Number(statusOf(other) === 'REMOVED'),
	);
	return (
		<MarketFrame event={event} market={market} state={state}>
			<Headings market={market} levels={levels} quoting={quoting} results={results} />
			<div className="relative" data-ended={state.isEnded || undefined}>
				<ul className={scores ? 'market-scores' : undefined}>
					{runners.map((runner) => (
						<RunnerRow
							key={runner.id}
							event={event}
							market={market}
							runner={runner}
							quoting={quoting}
							status={statusOf(runner)}
							levels={levels}
							sparkline={charted && levels === 3}
							open={state.takesBets}
							now={now?.byRunner.get(runner.id) ?? null}
							whatIf={whatIf?.byRunner.get(runner.id) ?? null}
							ownBets={bets}
						/>
					))}
				</ul>
				<MarketCover state={state} />
			</div>
		</MarketFrame>
	);
}
