import type { ReactElement } from 'react';
import { linesOf } from '#values/line-range.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import type { Market } from '#web/api/answers.ts';
import { type BookInterval, fancyBook } from '#web/betting/fancy-book.ts';
import { lineBook } from '#web/betting/line-book.ts';
import type { Nets } from '#web/features/market/own-results.ts';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatNumber } from '#web/format.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

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
