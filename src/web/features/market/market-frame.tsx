import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { ZERO } from '#values/money.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import type { MarketState } from '#web/features/market/market-state.ts';
import { usePausedWords } from '#web/features/market/paused-words.ts';
import { formatShort } from '#web/format.ts';
import { setFolded, usePreferences } from '#web/store/preferences.ts';
import { numberWords } from '#web/texts/bet-words.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

const DepthDialog = lazyPart(async () => ({
	default: (await import('#web/features/market/depth/depth-dialog.tsx')).DepthDialog,
}));

/** Covers a market's prices, never its names: the layout stays and takes no presses. */
export function MarketCover({
	state,
}: {
	state: Pick<MarketState, 'cover' | 'isEnded' | 'status'>;
}): ReactElement | null {
	if (state.cover === null) return null;
	return (
		<output className="market-cover" data-ended={state.isEnded || undefined} data-status={state.status}>
			<Icon solid>{state.isEnded ? 'circle-check' : 'pause'}</Icon>
			{state.cover}
		</output>
	);
}

function Figures({ market, state: { head, isEnded } }: { market: Market; state: MarketState }): ReactElement {
	const percent = (value: number | null | undefined) => (value == null ? '–' : value.toFixed(1));
	return (
		<dl className="market-figures">
			<div>
				<dt>{GRID_WORDS.matched}</dt>
				<dd>{formatShort(head?.totalMatched ?? ZERO)}</dd>
			</div>
			{market.numberOfWinners === 1 && !market.lineRange && !isEnded && (
				<div title={GRID_WORDS.bookHint} data-figure="book">
					<dt>{GRID_WORDS.book}</dt>
					<dd>
						{percent(head?.backPercent)} / {percent(head?.layPercent)} %
					</dd>
				</div>
			)}
		</dl>
	);
}

/** Opens a market's depth and history in a dialog over the page. */
function DepthButton({ event, market }: { event: EventSummary; market: Market }): ReactElement {
	const [open, setOpen] = useState(false);
	return (
		<>
			<button
				type="button"
				className="icon-button"
				aria-label={MARKET_WORDS.depthOf(market.name)}
				title={MARKET_WORDS.depth}
				onClick={() => setOpen(true)}
			>
				<Icon solid>chart-line</Icon>
			</button>
			{open && (
				<Suspense fallback={null}>
					<DepthDialog event={event} market={market} onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</>
	);
}

/** A heading that folds the content below it; by name, so it applies to every match's market of that name. */
export function FoldingHead({
	name,
	chip,
	children,
}: {
	name: string;
	/** A line, a number of places or a result, beside the name. */
	chip?: string | undefined;
	children?: ReactNode;
}): ReactElement {
	const folded = useFolded(name);
	return (
		<div className="market-top">
			<h2 className="market-heading">
				<button type="button" className="market-fold" aria-expanded={!folded} onClick={() => setFolded(name, !folded)}>
					<Icon solid size="xs" className="market-chevron">
						chevron-right
					</Icon>
					<span className="market-name">{name}</span>
					{chip && <span className="market-chip">{chip}</span>}
				</button>
			</h2>
			{!folded && children}
		</div>
	);
}

export const useFolded = (name: string): boolean =>
	usePreferences((preferences) => preferences.foldedMarkets.includes(name));

/** Beside the name, what it does not say. */
function chipOf({ name, line, type, numberOfWinners, numberWas }: Market): string | undefined {
	if (numberWas) return MARKET_WORDS.numberWas(numberWords(numberWas));
	if (type === 'PLACE' && !name.includes(String(numberOfWinners))) return MARKET_WORDS.winners(numberOfWinners);
	return line === undefined || type !== 'OVER_UNDER' || name.includes(String(line))
		? undefined
		: MARKET_WORDS.line(String(line));
}

/** The common parts of every market of runners: name, figures, depth, and the rules at the foot. */
export function MarketFrame({
	event,
	market,
	state,
	children,
}: {
	event: EventSummary;
	market: Market;
	state: MarketState;
	children: ReactNode;
}): ReactElement {
	const folded = useFolded(market.name);
	const pausedWords = usePausedWords(market.id, state);
	const hasFigures = market.bettingModel === 'EXCHANGE';
	return (
		<section
			className="market"
			aria-label={market.name}
			data-model={market.bettingModel}
			data-paused={state.paused || undefined}
			data-folded={folded || undefined}
		>
			<FoldingHead name={market.name} chip={chipOf(market)}>
				{pausedWords ? (
					<p className="market-age market-figures">{pausedWords}</p>
				) : hasFigures ? (
					<Figures market={market} state={state} />
				) : (
					<p className="market-rate market-figures">{MARKET_WORDS.rateHint}</p>
				)}
				<DepthButton event={event} market={market} />
			</FoldingHead>
			{!folded && (
				<>
					{children}
					<Rules market={market} />
				</>
			)}
		</section>
	);
}

export function Rules({ market }: { market: Market }): ReactElement {
	return (
		<details className="market-rules">
			<summary>
				<Icon solid>circle-info</Icon>
				<span>{GRID_WORDS.rules}</span>
			</summary>
			<p>{market.rules}</p>
			<p>{GRID_WORDS.commission(String(Math.round(market.commissionRate * 10_000) / 100))}</p>
		</details>
	);
}
