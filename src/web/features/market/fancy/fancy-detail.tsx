import type { ReactElement } from 'react';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { Rules } from '#web/features/market/market-frame.tsx';
import type { OfferedLine } from '#web/features/market/market-kinds.ts';
import type { MarketState } from '#web/features/market/market-state.ts';
import { NumberBook } from '#web/features/market/number-book.tsx';
import type { Nets, OwnResults } from '#web/features/market/own-results.ts';
import { OwnStrip } from '#web/features/market/own-strip.tsx';
import { PriceCell } from '#web/features/market/price-cell.tsx';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatNumber } from '#web/format.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

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
						open: state.takesBets,
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

/** The detail of a fancy: every line on offer, the book, unmatched bets, and the rules. */
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
			<div className="px-3">
				<OwnStrip market={market} results={results} quoting={quotingOf(market, event)}>
					<span className="text-muted">{MARKET_WORDS.ownNone}</span>
				</OwnStrip>
			</div>
			<Rules market={market} />
		</div>
	);
}
