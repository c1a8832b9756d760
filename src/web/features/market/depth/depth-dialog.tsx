/** Market depth and price history. This file: the dialog over the page, loaded on first use. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense, useId, useState } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Modal } from '#ui/modal.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ZERO } from '#values/money.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { type Quoting, quotingOf } from '#web/betting/quoting.ts';
import { DepthLadder } from '#web/features/market/depth/depth-ladder.tsx';
import { Ladder } from '#web/features/market/ladder/ladder.tsx';
import { useLadderStake } from '#web/features/market/ladder/ladder-stake.ts';
import { formatQuote, formatRounded } from '#web/format.ts';
import { depthQuery, ladderQuery, priceHistoryQuery } from '#web/store/market-queries.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './depth.css';
import { SYMBOL } from '#web/currency.ts';

const PriceChart = lazyPart(async () => ({
	default: (await import('#web/features/market/depth/price-chart.tsx')).PriceChart,
}));

function History({
	market,
	runner,
	quoting,
}: {
	market: Market;
	runner: Market['runners'][number];
	quoting: Quoting;
}): ReactElement {
	const { data } = useQuery(priceHistoryQuery(market.id));
	const points = data?.runners.find(({ runnerId }) => runnerId === runner.id)?.points;
	return (
		<section aria-label={MARKET_WORDS.history} className="min-w-0">
			<h3 className="pb-2 font-semibold">{MARKET_WORDS.history}</h3>
			{!points && <Skeleton className="h-56 w-full" />}
			{points?.length === 0 && (
				<p className="grid h-56 place-items-center text-center text-muted">{MARKET_WORDS.historyEmpty}</p>
			)}
			{points && points.length > 0 && (
				<Suspense fallback={<Skeleton className="h-56 w-full" />}>
					<PriceChart points={points} quoting={quoting} label={MARKET_WORDS.historyTable(runner.name)} />
				</Suspense>
			)}
		</section>
	);
}

/** All offers on a runner, on an exchange as a ladder for placing bets, and its matched prices. */
export function DepthDialog({
	event,
	market,
	onClose,
}: {
	event: EventSummary;
	market: Market;
	onClose: () => void;
}): ReactElement {
	const id = useId();
	const [runnerId, setRunnerId] = useState(market.runners[0]?.id ?? '');
	const { data } = useQuery(depthQuery(market.id));
	const { data: figures } = useQuery({
		...ladderQuery(market.id, runnerId),
		enabled: market.bettingModel === 'EXCHANGE',
	});
	const runner = market.runners.find((each) => each.id === runnerId);
	const book = data?.runners.find((each) => each.runnerId === runnerId);
	const quoting = quotingOf(market, event);
	const stake = useLadderStake(market.id);
	return (
		<Modal
			open
			onClose={onClose}
			title={`${market.name} · ${MARKET_WORDS.depthTitle}`}
			closeLabel={TEXTS.app.close}
			size="large"
			sheet
		>
			<div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-3">
				<label htmlFor={id} className="unseen">
					{MARKET_WORDS.runner}
				</label>
				<select
					id={id}
					className="depth-runner"
					value={runnerId}
					onChange={(change) => setRunnerId(change.target.value)}
				>
					{market.runners.map(({ id: each, name }) => (
						<option key={each} value={each}>
							{name}
						</option>
					))}
				</select>
				{data ? (
					<p className="text-xs text-muted">
						{book?.lastPriceTraded != null &&
							`${MARKET_WORDS.lastTraded(formatQuote(book.lastPriceTraded, quoting))} · `}
						{MARKET_WORDS.traded(`${SYMBOL}${formatRounded(book?.totalMatched ?? ZERO)}`)}
					</p>
				) : (
					<Skeleton className="h-4 w-40" />
				)}
			</div>
			<div className="depth-panels">
				{market.bettingModel === 'EXCHANGE' && runner ? (
					<Ladder
						key={runner.id}
						event={event}
						market={market}
						runner={runner}
						stake={stake}
						deep={book ?? null}
						figures={figures ?? null}
						lastTraded={book?.lastPriceTraded ?? null}
					/>
				) : (
					<DepthLadder book={book ?? null} loading={!data} quoting={quoting} />
				)}
				{runner && <History market={market} runner={runner} quoting={quoting} />}
			</div>
		</Modal>
	);
}
