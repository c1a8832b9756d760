import { memo, type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { SideBadge } from '#ui/side-badge.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { Minor } from '#values/money.ts';
import type { EventSummary, Market, OpenBet } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { isDraw, sideKindOf } from '#web/betting/side-kind.ts';
import { hasCrests } from '#web/features/market/market-kinds.ts';
import { PriceCell } from '#web/features/market/price-cell.tsx';
import { SilksPicture } from '#web/features/market/silks.tsx';
import { formatSigned } from '#web/format.ts';
import { UNKNOWN_RIDER } from '#web/live/known-match.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

const Sparkline = lazyPart(async () => ({
	default: (await import('#web/features/market/chart/sparkline.tsx')).Sparkline,
}));

type Runner = Market['runners'][number];

interface RunnerRowProps {
	event: EventSummary;
	market: Market;
	runner: Runner;
	quoting: Quoting;
	/** The status as last heard. */
	status: string;
	/** 3 on a wide screen, 1 on a phone and where the house quotes. */
	levels: 1 | 3;
	/** Its last hour is drawn beside its name. */
	sparkline: boolean;
	open: boolean;
	/** The player's net if this runner wins; null without matched bets. */
	now: Minor | null;
	whatIf: Minor | null;
	ownBets: readonly OpenBet[];
}

/** With its sign, because profit and loss must not depend on colour alone. */
export function SignedNet({ amount, title }: { amount: Minor; title?: string }): ReactElement {
	return (
		<b className={amount < 0 ? 'text-loss' : 'text-profit'} title={title}>
			{formatSigned(amount)}
		</b>
	);
}

function Result({ amount, whatIf, name }: { amount: Minor | null; whatIf: Minor | null; name: string }): ReactElement {
	return (
		<span className="flex items-center gap-1.5">
			{amount !== null && <SignedNet amount={amount} title={GRID_WORDS.profitLoss(name, formatSigned(amount))} />}
			{whatIf !== null && (
				<span className="text-muted">
					<span aria-hidden="true">→ </span>
					<span className="unseen">{GRID_WORDS.whatIf(name)}</span>
					<SignedNet amount={whatIf} />
				</span>
			)}
		</span>
	);
}

const ENDED: Record<string, string> = {
	WINNER: GRID_WORDS.winner,
	PLACED: GRID_WORDS.placed,
	LOSER: GRID_WORDS.loser,
	REMOVED: GRID_WORDS.removed,
};

/** A horse's number on its silks, a team's crest, its empty place beside a draw, or nothing where no runner has one. */
function Lead({ market, runner, sportId }: { market: Market; runner: Runner; sportId: number }): ReactElement | null {
	if (runner.silks) {
		return (
			<span className="silks-lead">
				<b>{runner.sortOrder}</b>
				<SilksPicture silks={runner.silks} />
			</span>
		);
	}
	if (!hasCrests(market)) return null;
	if (isDraw(runner.name)) return <span className="crest flex-none" />;
	const kind = sideKindOf(sportId, runner.name);
	return kind && <SideBadge name={runner.name} kind={kind} />;
}

const riderOf = ({ jockey, draw }: Runner): string =>
	[jockey, draw === undefined ? undefined : MARKET_WORDS.draw(draw)].filter(Boolean).join(' · ');

function Name({ event, market, runner, status, now, whatIf, sparkline }: RunnerRowProps): ReactElement {
	const ended = runner.silks && status === 'REMOVED' ? MARKET_WORDS.nonRunner : ENDED[status];
	const rider = riderOf(runner);
	return (
		<div className="runner-lead">
			<Lead market={market} runner={runner} sportId={event.sportId} />
			<div className="min-w-0 flex-1">
				<p className="runner-name truncate" dir="auto">
					{runner.name}
				</p>
				{(rider || ended || now !== null || whatIf !== null) && (
					<p className="runner-below" data-floats={!rider || undefined}>
						{ended && (
							<span className="runner-ended" data-status={status}>
								{ended}
							</span>
						)}
						{(now !== null || whatIf !== null) && <Result amount={now} whatIf={whatIf} name={runner.name} />}
						{rider === UNKNOWN_RIDER && <Skeleton className="h-2 w-24" />}
						{rider && rider !== UNKNOWN_RIDER && <span className="truncate text-muted">{rider}</span>}
					</p>
				)}
			</div>
			{sparkline && (
				<Suspense fallback={<svg className="sparkline" width="40" height="16" aria-hidden="true" />}>
					<Sparkline marketId={market.id} runnerId={runner.id} />
				</Suspense>
			)}
		</div>
	);
}

/** The reduction of the other prices by the removed runner's factor; null for none. */
function reducedBy({ reductions }: Market, { adjustmentFactor = 0 }: Runner): string | null {
	if (!reductions || adjustmentFactor === 0 || adjustmentFactor < reductions.fromPercent) return null;
	const words = reductions.reduces === 'WINNINGS' ? MARKET_WORDS.winningsReduction : MARKET_WORDS.reduction;
	return words(String(adjustmentFactor));
}

/**
 * A runner with its prices: deepest level outermost, the best pair in the middle. Its cells follow their prices on
 * their own; a market's totals change with every match and render no row again.
 */
export const RunnerRow = memo(function RunnerRow(props: RunnerRowProps): ReactElement {
	const { levels, market, status, runner } = props;
	if (status === 'REMOVED') {
		const reduced = reducedBy(market, runner);
		return (
			<li className="market-row market-out">
				<Name {...props} />
				{reduced && <span className="text-xs text-muted">{reduced}</span>}
			</li>
		);
	}
	const suspended = status === 'SUSPENDED' && props.open;
	const cell = { ...props, open: props.open && !suspended };
	const backs = levels === 3 ? ([3, 2, 1] as const) : ([1] as const);
	const lays = levels === 3 ? ([1, 2, 3] as const) : ([1] as const);
	return (
		<li className="market-grid market-row" data-levels={levels}>
			<Name {...props} />
			{backs.map((level) => (
				<PriceCell key={`b${level}`} {...cell} side="BACK" level={level} />
			))}
			{lays.map((level) => (
				<PriceCell key={`l${level}`} {...cell} side="LAY" level={level} />
			))}
			{suspended && <output className="row-cover">{MARKET_WORDS.runnerSuspended}</output>}
		</li>
	);
});
