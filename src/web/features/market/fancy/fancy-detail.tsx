import type { ReactElement } from 'react';
import { linesOf } from '#values/line-range.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { type BookInterval, fancyBook } from '#web/betting/fancy-book.ts';
import { lineBook } from '#web/betting/line-book.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { Rules } from '#web/features/market/market-frame.tsx';
import type { OfferedLine } from '#web/features/market/market-kinds.ts';
import type { MarketState } from '#web/features/market/market-state.ts';
import { OwnOrders } from '#web/features/market/own-orders.tsx';
import type { Nets, OwnResults } from '#web/features/market/own-results.ts';
import { PriceCell } from '#web/features/market/price-cell.tsx';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatNumber } from '#web/format.ts';
import { MARKET_WORDS } from '#web/texts/market.ts';

function intervalWords({ from, to }: BookInterval): string {
	if (from === null) return to === null ? '–' : MARKET_WORDS.below(formatNumber(to));
	if (to === null) return MARKET_WORDS.above(formatNumber(from));
	return from === to ? formatNumber(from) : MARKET_WORDS.between(formatNumber(from), formatNumber(to));
}

function intervalsOf(market: Market, nets: Nets): BookInterval[] {
	const range = market.lineRange;
	const netsAt = (lines: readonly number[]) => lines.map((line) => nets.byRunner.get(String(line)) ?? nets.none);
	if (range) return lineBook(range, nets.none, netsAt(linesOf(range).map(decimalFromPrice)));
	return market.lines ? fancyBook(market.lines, nets.none, netsAt(market.lines)) : [];
}

/** Profit and loss by result: a row an interval, its bar to the left of the middle for a loss, to the right for a profit. */
export function NumberBook({ market, nets }: { market: Market; nets: Nets }): ReactElement {
	const intervals = intervalsOf(market, nets);
	const most = Math.max(1, ...intervals.map(({ net }) => Math.abs(net)));
	return (
		<table className="fancy-book">
			<caption className="unseen">{MARKET_WORDS.bookTitle(market.name)}</caption>
			<tbody>
				{intervals.map((interval) => (
					<tr key={intervalWords(interval)}>
						<th scope="row">{intervalWords(interval)}</th>
						<td aria-hidden="true" className="fancy-bar">
							<i
								data-loss={interval.net < 0 || undefined}
								style={{ width: `${(Math.abs(interval.net) / most) * 50}%` }}
							/>
						</td>
						<td>
							<SignedNet amount={interval.net} />
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function NamedBook({ market, nets }: { market: Market; nets: Nets }): ReactElement {
	return (
		<dl className="grid grid-cols-[1fr_auto] gap-1">
			{market.runners.map(({ id, name }) => (
				<div key={id} className="contents">
					<dt>{name}</dt>
					<dd>
						<SignedNet amount={nets.byRunner.get(id) ?? nets.none} />
					</dd>
				</div>
			))}
		</dl>
	);
}

function AllLines({
	event,
	market,
	state,
	results,
	offered,
}: {
	event: EventSummary;
	market: Market;
	state: MarketState;
	results: OwnResults;
	offered: readonly OfferedLine[];
}): ReactElement {
	return (
		<section aria-label={MARKET_WORDS.allLines}>
			<h3 className="pb-1 text-xs font-semibold text-muted">{MARKET_WORDS.allLines}</h3>
			<ul className="fancy-lines">
				<li aria-hidden="true">
					<span className="text-lay-text">{MARKET_WORDS.no}</span>
					<span className="text-back-text">{MARKET_WORDS.yes}</span>
				</li>
				{offered.map(({ line, runnerId }) => {
					const cell = {
						event,
						market,
						runner: { id: runnerId, name: formatNumber(line) },
						quoting: 'LINE',
						level: 1,
						open: state.cover === null,
						ownBets: results.bets,
						headed: formatNumber(line),
					} as const;
					return (
						<li key={runnerId}>
							<PriceCell {...cell} side="LAY" />
							<PriceCell {...cell} side="BACK" />
						</li>
					);
				})}
			</ul>
		</section>
	);
}

/** What opens below a fancy: every line on offer, the book, bets that wait, and the rules. */
export function FancyDetail(props: {
	event: EventSummary;
	market: Market;
	state: MarketState;
	results: OwnResults;
	offered: readonly OfferedLine[];
}): ReactElement {
	const { event, market, results, offered } = props;
	const nets = results.whatIf ?? results.now;
	return (
		<div className="fancy-detail">
			<div className="fancy-panels">
				{offered.length > 1 && <AllLines {...props} />}
				<section aria-label={MARKET_WORDS.fancyBook} className="min-w-0 flex-1 basis-60">
					<h3 className="pb-1 text-xs font-semibold text-muted">
						{MARKET_WORDS.fancyBook}
						{results.whatIf && ` · ${MARKET_WORDS.withBet}`}
					</h3>
					{!nets && <p className="text-xs text-muted">{MARKET_WORDS.bookEmpty}</p>}
					{nets &&
						(market.lines ? <NumberBook market={market} nets={nets} /> : <NamedBook market={market} nets={nets} />)}
				</section>
			</div>
			<OwnOrders market={market} bets={results.bets} quoting={quotingOf(market, event)} />
			<Rules market={market} />
		</div>
	);
}
