import { type ReactElement, Suspense, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { ZERO } from '#values/money.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { FoldingHead, MarketCover, Rules, useFolded } from '#web/features/market/market-frame.tsx';
import { useMarketState } from '#web/features/market/market-state.ts';
import { type OwnResults, useOwnResults } from '#web/features/market/own-results.ts';
import { OwnStrip } from '#web/features/market/own-strip.tsx';
import { usePausedWords } from '#web/features/market/paused-words.ts';
import { PriceCell } from '#web/features/market/price-cell.tsx';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatShort } from '#web/format.ts';
import { numberWords } from '#web/texts/bet-words.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

const DepthDialog = lazyPart(async () => ({
	default: (await import('#web/features/market/depth/depth-dialog.tsx')).DepthDialog,
}));

/** What the player nets on both sides of the line, in the order of the columns. */
function BothNets({ market, results }: { market: Market; results: OwnResults }): ReactElement | null {
	const nets = results.whatIf ?? results.now;
	if (!nets) return null;
	return (
		<span className="flex items-center gap-1">
			{results.whatIf && <span aria-hidden="true">→</span>}
			{results.whatIf && <span className="unseen">{MARKET_WORDS.withBet}</span>}
			{market.runners.map(({ id, name }, at) => (
				<span key={id}>
					{at > 0 && <span className="text-muted">/ </span>}
					<span className="unseen">{name} </span>
					<SignedNet amount={nets.byRunner.get(id) ?? nets.none} />
				</span>
			))}
		</span>
	);
}

/**
 * A line with the best price for each side of it: who would lay Over backs Under. Its number opens all prices of the
 * market, for laying as well.
 */
function LineRow({ event, market, line }: { event: EventSummary; market: Market; line: number }): ReactElement {
	const [open, setOpen] = useState(false);
	const state = useMarketState(market);
	const pausedWords = usePausedWords(market.id, state);
	const results = useOwnResults(market);
	const quoting = quotingOf(market, event);
	const { head, takesBets } = state;
	const hasNets = results.now !== null || results.whatIf !== null;
	return (
		<li className="fancy-row" aria-label={market.name} data-paused={state.paused || undefined}>
			<div className="fancy-grid goal-line">
				<button
					type="button"
					className="goal-line-name"
					aria-label={MARKET_WORDS.depthOf(market.name)}
					title={MARKET_WORDS.depth}
					onClick={() => setOpen(true)}
				>
					<b>{String(line)}</b>
					<Icon solid size="xs">
						chart-line
					</Icon>
				</button>
				<p className="fancy-below">
					{pausedWords ? (
						<span className="truncate" data-age="">
							{pausedWords}
						</span>
					) : hasNets ? (
						<BothNets market={market} results={results} />
					) : market.numberWas ? (
						MARKET_WORDS.numberWas(numberWords(market.numberWas))
					) : (
						<>
							<span className="unseen">{GRID_WORDS.matched} </span>
							{formatShort(head?.totalMatched ?? ZERO)}
						</>
					)}
				</p>
				<OwnStrip market={market} results={results} quoting={quoting} />
				<div className="fancy-cells" data-ended={state.isEnded || undefined}>
					{market.runners.map((runner) => (
						<PriceCell
							key={runner.id}
							event={event}
							market={market}
							runner={runner}
							quoting={quoting}
							side="BACK"
							level={1}
							open={takesBets && (head?.runnerStatus[runner.id] ?? runner.status) !== 'SUSPENDED'}
							ownBets={results.bets}
						/>
					))}
					<MarketCover state={state} />
				</div>
			</div>
			{open && (
				<Suspense fallback={null}>
					<DepthDialog event={event} market={market} onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</li>
	);
}

const isLine = ({ type, line, runners }: Market): boolean =>
	type === 'OVER_UNDER' && line !== undefined && runners.length === 2;

/** Several Over/Under lines can share a card; a single one has a card of its own. */
export const areGoalLines = (markets: readonly Market[]): boolean => markets.length > 1 && markets.every(isLine);

/** The Over/Under lines of a match on a phone: one card, a row each, from the lowest line. */
export function GoalLines({
	event,
	markets,
	name,
}: {
	event: EventSummary;
	markets: readonly Market[];
	name: string;
}): ReactElement {
	const folded = useFolded(name);
	const lines = [...markets].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
	const first = lines[0];
	return (
		<section className="market" aria-label={name} data-model="LINES">
			<FoldingHead name={name} />
			{!folded && (
				<>
					<div className="fancy-grid fancy-heads" aria-hidden="true">
						<span />
						<span className="market-side" data-side="BACK">
							{MARKET_WORDS.over}
						</span>
						<span className="market-side" data-side="BACK">
							{MARKET_WORDS.under}
						</span>
					</div>
					<ul>
						{lines.map((market) => (
							<LineRow key={market.id} event={event} market={market} line={market.line ?? 0} />
						))}
					</ul>
					{first && <Rules market={first} />}
				</>
			)}
		</section>
	);
}
