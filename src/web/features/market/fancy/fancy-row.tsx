import { type ReactElement, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { minorOf } from '#values/money.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { FancyDetail } from '#web/features/market/fancy/fancy-detail.tsx';
import { MarketCover } from '#web/features/market/market-frame.tsx';
import { mainLine, type OfferedLine, offeredLines } from '#web/features/market/market-kinds.ts';
import { type MarketState, useMarketState } from '#web/features/market/market-state.ts';
import { type OwnResults, useOwnResults } from '#web/features/market/own-results.ts';
import { usePausedWords } from '#web/features/market/paused-words.ts';
import { PriceCell } from '#web/features/market/price-cell.tsx';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatMoney, formatNumber } from '#web/format.ts';
import { useBook } from '#web/live/followed-state.ts';
import { numberWords } from '#web/texts/bet-words.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

/** The minimum and the maximum of the player's net over all results: the whole book in two figures. */
function Extremes({ results }: { results: OwnResults }): ReactElement | null {
	const nets = results.whatIf ?? results.now;
	if (!nets) return null;
	const all = [nets.none, ...nets.byRunner.values()];
	return (
		<span className="flex items-center gap-1">
			{results.whatIf && <span aria-hidden="true">→</span>}
			{results.whatIf && <span className="unseen">{MARKET_WORDS.withBet}</span>}
			<SignedNet amount={minorOf(Math.min(...all))} />
			<span className="text-muted">/</span>
			<SignedNet amount={minorOf(Math.max(...all))} />
		</span>
	);
}

interface CellsProps {
	event: EventSummary;
	market: Market;
	state: MarketState;
	results: OwnResults;
}

/** NO on the left, YES on the right: the line above its rate. */
function LineCells({ event, market, state, results, main }: CellsProps & { main: OfferedLine | null }): ReactElement {
	if (!main) {
		return (
			<span className="fancy-none">
				<span aria-hidden="true">–</span>
				<span className="unseen">{MARKET_WORDS.noLine(market.name)}</span>
			</span>
		);
	}
	const cell = {
		event,
		market,
		runner: { id: main.runnerId, name: formatNumber(main.line) },
		quoting: 'LINE',
		level: 1,
		open: state.takesBets,
		ownBets: results.bets,
		headed: formatNumber(main.line),
	} as const;
	return (
		<>
			<PriceCell {...cell} side="LAY" />
			<PriceCell {...cell} side="BACK" />
		</>
	);
}

/** Two named runners at the house's rates, such as odd and even: both are backed. */
function NamedCells({ event, market, state, results }: CellsProps): ReactElement {
	const quoting = quotingOf(market, event);
	return (
		<>
			{market.runners.slice(0, 2).map((runner) => (
				<PriceCell
					key={runner.id}
					event={event}
					market={market}
					runner={runner}
					quoting={quoting}
					side="BACK"
					level={1}
					open={state.takesBets}
					ownBets={results.bets}
					headed={runner.name}
				/>
			))}
		</>
	);
}

/** Letters of a name that a phone of 390 pixels has room for in one line. */
const LONGEST_LINE = 22;

/** The result of a settled fancy: its number, or the winning runner. */
function outcomeOf({ runners, lines, status, numberWas }: Market): string | null {
	if (status !== 'SETTLED') return null;
	if (numberWas) return MARKET_WORDS.numberWas(numberWords(numberWas));
	if (!lines) return runners.find((runner) => runner.status === 'WINNER')?.name ?? null;
	return null;
}

/** One fancy: its main line, the player's result on it, and behind "book" all lines and the profit by result. */
export function FancyRow({ event, market }: { event: EventSummary; market: Market }): ReactElement {
	const id = useId();
	const state = useMarketState(market);
	const pausedWords = usePausedWords(market.id, state);
	const results = useOwnResults(market);
	const book = useBook(market.id);
	const [open, setOpen] = useState(false);
	const offered = offeredLines(market.lines ?? [], book);
	const main = mainLine(offered);
	const cells = { event, market, state, results };
	const outcome = outcomeOf(market);
	/** More than the limits, which make room for it on a phone. */
	const says = pausedWords !== null || outcome !== null || (results.whatIf ?? results.now) !== null;
	return (
		<li className="fancy-row" data-paused={state.paused || undefined}>
			<div className="fancy-grid">
				<div className="fancy-words">
					<p className="fancy-name" dir="auto" data-long={market.name.length > LONGEST_LINE || undefined}>
						{market.name}
					</p>
					<p className="fancy-below" data-says={says || undefined}>
						<span className="truncate" data-age={pausedWords ? '' : undefined}>
							{pausedWords ?? GRID_WORDS.limits(formatMoney(market.minStake), formatMoney(market.maxStake))}
						</span>
						<Extremes results={results} />
						{outcome && <b className="text-text">{outcome}</b>}
					</p>
				</div>
				<button
					type="button"
					className="fancy-book-button"
					aria-expanded={open}
					aria-controls={id}
					aria-label={MARKET_WORDS.openBook(market.name)}
					onClick={() => setOpen(!open)}
				>
					<Icon solid size="sm">
						chart-simple
					</Icon>
					<span aria-hidden="true">{MARKET_WORDS.fancyBook}</span>
				</button>
				<div className="fancy-cells" data-ended={state.isEnded || undefined}>
					{market.lines ? <LineCells {...cells} main={main} /> : <NamedCells {...cells} />}
					<MarketCover state={state} />
				</div>
			</div>
			<div id={id} hidden={!open}>
				{open && <FancyDetail {...cells} offered={offered} />}
			</div>
		</li>
	);
}
