import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { CashOut } from '#web/features/market/cash-out.tsx';
import { RunnerRow } from '#web/features/market/runner-row.tsx';
import { formatMoney } from '#web/format.ts';
import { useLine } from '#web/store/line.ts';
import { positionOf, previewBet } from '#web/store/position.ts';
import { useMarketHead } from '#web/store/prices/live-prices.ts';
import { type EventSummary, type Market, type OpenBet, openBetsQuery, profitLossQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { stakePaise, useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

/** Words over a market that takes no bets; null while it does. */
const COVERS: Record<Market['status'], string | null> = {
	OPEN: null,
	INACTIVE: TEXTS.market.notOpen,
	SUSPENDED: TEXTS.market.suspended,
	BALL_RUNNING: TEXTS.market.ballRunning,
	CLOSED: TEXTS.market.closed,
	SETTLED: TEXTS.market.settled,
	VOIDED: TEXTS.market.voided,
};

const NO_BETS: readonly OpenBet[] = [];

/** What the player nets per runner now, and what he would with the selection he is typing. */
function useResults(market: Market): { now: number[] | null; whatIf: number[] | null; ownBets: readonly OpenBet[] } {
	const enabled = useSession((state) => state.user !== null);
	const openBets = useQuery({ ...openBetsQuery(), enabled }).data?.openBets ?? NO_BETS;
	const profitLoss = useQuery({ ...profitLossQuery(), enabled }).data ?? [];
	const selection = useSlip(({ selections }) =>
		selections.find(({ marketId, phase }) => marketId === market.id && phase.kind === 'editing'),
	);
	const ownBets = openBets.filter(({ marketId }) => marketId === market.id);
	const runnerIds = market.runners.map(({ id }) => id);
	const mine = profitLoss.find(({ marketId }) => marketId === market.id);
	const matched = ownBets.some(({ matchedStake }) => matchedStake > 0);
	const now =
		mine && matched ? runnerIds.map((id) => mine.runners.find((r) => r.runnerId === id)?.profitLoss ?? 0) : null;
	const stake = selection ? stakePaise(selection.stake) : null;
	const runner = selection ? runnerIds.indexOf(selection.runnerId) : -1;
	if (!selection || stake === null || runner < 0) return { now, whatIf: null, ownBets };
	const position = positionOf(market.id, runnerIds, ownBets, profitLoss);
	const { whatIf } = previewBet(position, { runner, side: selection.side, price: selection.price, stake });
	return { now, whatIf: whatIf.map((paise) => paise / 100), ownBets };
}

function Figures({ market }: { market: Market }): ReactElement {
	const head = useMarketHead(market.id);
	const percent = (value: number | null | undefined) => (value == null ? '–' : `${value.toFixed(1)} %`);
	return (
		<dl className="market-figures">
			<div>
				<dt>{TEXTS.market.matched}</dt>
				<dd>{formatMoney(Math.round(head?.totalMatched ?? 0))}</dd>
			</div>
			<div title={TEXTS.market.bookHint}>
				<dt>{TEXTS.market.book}</dt>
				<dd>
					{percent(head?.backPercent)} / {percent(head?.layPercent)}
				</dd>
			</div>
		</dl>
	);
}

/** One market: its figures, and a row a runner; covered, never moved, while it takes no bets. */
export function MarketCard({ event, market }: { event: EventSummary; market: Market }): ReactElement {
	const head = useMarketHead(market.id);
	const stale = useLine((line) => line.stale);
	const wide = useMediaQuery('(width >= 48rem)');
	const { now, whatIf, ownBets } = useResults(market);
	const status = head?.status ?? market.status;
	const paused = stale || head?.whole === false;
	const cover = COVERS[status] ?? (paused ? TEXTS.market.paused : null);
	const over = status === 'SETTLED' || status === 'VOIDED';
	return (
		<section className="market" aria-label={market.name} data-paused={paused || undefined}>
			<div className="market-top">
				<h2 className="min-w-0 flex-1 truncate font-semibold">{market.name}</h2>
				<Figures market={market} />
			</div>
			<div className="market-grid" data-levels={wide ? 3 : 1} aria-hidden="true">
				<span className="truncate pl-3 text-left">
					{TEXTS.market.limits(formatMoney(market.minStake), formatMoney(market.maxStake))}
				</span>
				<span className="market-side" data-side="BACK">
					{TEXTS.market.back}
				</span>
				<span className="market-side" data-side="LAY">
					{TEXTS.market.lay}
				</span>
			</div>
			<div className="relative">
				<ul>
					{market.runners.map((runner, at) => (
						<RunnerRow
							key={runner.id}
							event={event}
							market={market}
							runner={runner}
							status={head?.runnerStatus[runner.id] ?? runner.status}
							levels={wide ? 3 : 1}
							open={cover === null}
							now={now?.[at] ?? null}
							whatIf={whatIf?.[at] ?? null}
							ownBets={ownBets}
						/>
					))}
				</ul>
				{cover && (
					<output className="market-cover" data-over={over || undefined}>
						<Icon solid>{over ? 'circle-check' : 'pause'}</Icon>
						{cover}
					</output>
				)}
			</div>
			{now && cover === null && new Set(now).size > 1 && <CashOut marketId={market.id} />}
			<details className="market-rules">
				<summary>{TEXTS.market.rules}</summary>
				<p>{market.rules}</p>
				<p>{TEXTS.market.commission(String(Math.round(market.commissionRate * 10_000) / 100))}</p>
			</details>
		</section>
	);
}
