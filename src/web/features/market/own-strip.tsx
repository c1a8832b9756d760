import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { minorOf } from '#values/money.ts';
import type { Market } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { canCashOut, type OwnResults } from '#web/features/market/own-results.ts';
import { formatSigned } from '#web/format.ts';
import { useMarketNow } from '#web/live/followed-state.ts';
import { cashOutQuery } from '#web/store/market-queries.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';
import './own-strip.css';

const OwnSheet = lazyPart(async () => ({ default: (await import('#web/features/market/own-sheet.tsx')).OwnSheet }));

/** Where prices are lines: the minimum and the maximum of the player's net over all numbers. */
function extremesOf({ now, whatIf }: OwnResults): string | null {
	const nets = whatIf ?? now;
	if (!nets) return null;
	const all = [nets.none, ...nets.byRunner.values()];
	const [least, most] = [minorOf(Math.min(...all)), minorOf(Math.max(...all))];
	return `${whatIf ? '→ ' : ''}${formatSigned(least)} / ${formatSigned(most)}`;
}

/** A short summary of the player's part of a market; empty if there is none. */
function useOwnWords(market: Market, results: OwnResults, quoting: Quoting): string[] {
	const { status } = useMarketNow(market.id, market.status);
	const cashes = canCashOut(market, results) && status === 'OPEN';
	const { data, error } = useQuery({
		...cashOutQuery(market.id),
		enabled: cashes,
		placeholderData: keepPreviousData,
	});
	const unmatched = results.bets.filter(({ remainingStake }) => remainingStake > 0).length;
	const amount = cashes && !error ? data?.amount : undefined;
	const words = [
		unmatched > 0 ? MARKET_WORDS.unmatchedCount(unmatched) : null,
		results.level === null ? null : GRID_WORDS.cashOutAfter(formatSigned(results.level)),
		quoting === 'SPREAD' ? extremesOf(results) : null,
		amount == null ? null : GRID_WORDS.cashOutNow(formatSigned(amount)),
	].filter((word) => word !== null);
	return words.length === 0 && results.now ? [MARKET_WORDS.ownBets] : words;
}

/**
 * A line of fixed height for the player's own bets in a market, which opens over the page: no change of them moves a
 * price. @param children shown while there is nothing to report
 */
export function OwnStrip({
	market,
	results,
	quoting,
	children,
}: {
	market: Market;
	results: OwnResults;
	quoting: Quoting;
	children?: ReactNode;
}): ReactElement {
	const words = useOwnWords(market, results, quoting);
	const [open, setOpen] = useState(false);
	return (
		<div className="own-strip">
			{words.length === 0 ? (
				children
			) : (
				<button type="button" className="own-strip-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
					<span className="own-strip-words">
						{/* By place: a word that comes before another writes over it, and moves nothing that is read. */}
						{[...words.entries()].map(([at, word]) => (
							<span key={at}>
								{at > 0 && <i> · </i>}
								{word}
							</span>
						))}
					</span>
					<Icon solid size="xs">
						chevron-right
					</Icon>
				</button>
			)}
			{open && (
				<Suspense fallback={null}>
					<OwnSheet market={market} results={results} quoting={quoting} onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</div>
	);
}
