import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import type { CashOutQuote, Market, ProfitLoss } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { CallFailure, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { CashOutTarget } from '#web/features/market/cash-out-target.tsx';
import { formatMoney, formatSigned } from '#web/format.ts';
import { useMarketNow } from '#web/live/followed-state.ts';
import { cashOutKey, cashOutQuery, cashOutTargetQuery } from '#web/store/market-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { profitLossQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';
import { GRID_WORDS } from '#web/texts/more.ts';
import './own.css';

const words = GRID_WORDS;

/** The answer's own figures, so that nothing of the old position is offered while the new one is requested. */
function showAnsweredNets(marketId: string, runners: AnswerOf<'cashOut'>['runners']): void {
	queryClient.setQueryData<ProfitLoss>(profitLossQuery().queryKey, (held) =>
		held?.map((market) => (market.marketId === marketId ? { ...market, runners } : market)),
	);
}

/** Takes the shown quote; if the prices moved against it, the server refuses and nothing is placed. */
function useCashOut(market: Market, onDone: () => void) {
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	async function take(fraction: number, quoteVersion: string): Promise<void> {
		if (busy) return;
		setBusy(true);
		setProblem(null);
		const askedAt = performance.now();
		let isWhole = false;
		try {
			const done = await call('cashOut', {
				marketId: market.id,
				fraction,
				quoteVersion,
				clientRequestId: newRequestId(),
			});
			showAnsweredWallet(done.balance, done.exposure, askedAt);
			showAnsweredNets(market.id, done.runners);
			const waits = done.bets.some(({ delayUntil }) => delayUntil !== undefined);
			showNotice(waits ? words.cashOutWaits : doneWords(market, fraction, done.runners), 'success');
			isWhole = fraction === 1 && !waits;
			onDone();
		} catch (failure) {
			setProblem(messageOf(failure));
		} finally {
			refreshBets();
			// Until there is a new quote the old one cannot be taken again; for nothing left there is none to ask for.
			const queryKey = cashOutKey(market.id);
			await queryClient.invalidateQueries({ queryKey, refetchType: isWhole ? 'none' : 'active' });
			setBusy(false);
		}
	}
	return { busy, problem, take };
}

/** Outcomes that are named one by one; of more only the minimum is shown. */
const MOST_NAMED = 12;

type Net = CashOutQuote['runners'][number];

/** The outcomes by name; null between lines, each way and with too many outcomes for a list. */
function namedOutcomes<Outcome extends Pick<Net, 'runnerId'>>(
	{ eachWayDivisor, lineRange, runners }: Market,
	outcomes: readonly Outcome[],
): (Outcome & { name: string })[] | null {
	if (eachWayDivisor !== undefined || lineRange || outcomes.length > MOST_NAMED) return null;
	return outcomes.map((outcome) => ({
		...outcome,
		name: runners.find(({ id }) => id === outcome.runnerId)?.name ?? outcome.runnerId,
	}));
}

const areSame = (amounts: readonly Minor[]): boolean => amounts.every((amount) => amount === amounts[0]);

/** The result of the cash-out, with the player's net by outcome now. */
function doneWords(market: Market, fraction: number, runners: AnswerOf<'cashOut'>['runners']): string {
	const named = namedOutcomes(market, runners);
	const share = words.cashedOutShare(Math.round(fraction * 100));
	const [first] = runners;
	if (!named || !first) return `${share}.`;
	if (areSame(named.map(({ profitLoss }) => profitLoss)))
		return `${share}: ${words.sameForAll(formatSigned(first.profitLoss))}`;
	return `${share}: ${named.map(({ name, profitLoss }) => `${name} ${formatSigned(profitLoss)}`).join(', ')}`;
}

/** The player's net by outcome, before and after; in one line if it is the same for all outcomes. */
function Nets({ market, quote: { runners, amount } }: { market: Market; quote: CashOutQuote }): ReactElement | null {
	const named = namedOutcomes(market, runners);
	if (amount === null) return null;
	if (!named) return <p className="w-full text-xs text-muted">{words.cashOutAtLeast(formatSigned(amount))}</p>;
	return (
		<table className="cash-out-nets">
			<thead>
				<tr>
					<th scope="col">{words.ifWins}</th>
					<th scope="col">{words.before}</th>
					<th scope="col">{words.after}</th>
				</tr>
			</thead>
			<tbody>
				{named.map(({ runnerId, name, now, after }) => (
					<tr key={runnerId}>
						<th scope="row">
							<bdi>{name}</bdi>
						</th>
						<td>{formatSigned(now)}</td>
						<td>{formatSigned(after)}</td>
					</tr>
				))}
			</tbody>
			{areSame(named.map(({ after }) => after)) && <caption>{words.sameForAll(formatSigned(amount))}</caption>}
		</table>
	);
}

/** The effect on the player's own bets; or why cashing out is not possible. */
function besideWords({ amount, unavailable, cancels }: CashOutQuote): string {
	if (amount === null) return words.cashOutNot[unavailable ?? 'BOOK_TOO_THIN'];
	const cancelled = minorOf(cancels.reduce((sum, { stake }) => sum + stake, 0));
	return cancelled === 0 ? '' : words.cashOutCancels(formatMoney(cancelled));
}

/** A share of the position. */
function Share({ share, onShare }: { share: number; onShare: (share: number) => void }): ReactElement {
	const id = useId();
	return (
		<>
			<label htmlFor={id} className="unseen">
				{words.cashOutShare}
			</label>
			<input
				id={id}
				type="range"
				min={10}
				max={100}
				step={10}
				value={share}
				aria-valuetext={`${share} %`}
				className="h-11 min-w-32 flex-1 accent-brand"
				onChange={(event) => onShare(Number(event.target.value))}
			/>
			<span className="w-12 text-right text-xs text-muted">{share} %</span>
		</>
	);
}

/** While the market takes no bets: what stands armed can be taken away, before it is reached by the first prices. */
function Closed({ marketId }: { marketId: string }): ReactElement {
	const { data } = useQuery(cashOutTargetQuery(marketId));
	return (
		<div className="cash-out">
			<p className="w-full text-xs text-muted">{words.cashOutNot.MARKET_SUSPENDED}</p>
			{data && data.target !== null && <CashOutTarget marketId={marketId} target={data.target} />}
		</div>
	);
}

/**
 * The certain result of the position now; a share of it or all can be taken. Requested again every two seconds. If
 * nothing can be taken it shows the reason, and no button.
 */
export function CashOut({ market, onDone }: { market: Market; onDone: () => void }): ReactElement | null {
	const [share, setShare] = useState(100);
	// A market that takes no bets is quoted nothing, so it is not asked.
	const isOpen = useMarketNow(market.id, market.status).status === 'OPEN';
	const { data, error } = useQuery({
		...cashOutQuery(market.id, share),
		enabled: isOpen,
		placeholderData: keepPreviousData,
	});
	const { busy, problem, take } = useCashOut(market, onDone);
	const nothing = error instanceof CallFailure && error.code === 'NOTHING_TO_CASH_OUT';
	if (!isOpen) return <Closed marketId={market.id} />;
	if (nothing || (!data && !error)) return null;
	const amount = error ? null : (data?.amount ?? null);
	// Figures of another share are not offered.
	const isOfShare = data?.percent === share;
	return (
		<div className="cash-out">
			{data && amount !== null && (
				<>
					<Share share={share} onShare={setShare} />
					<Button
						variant="primary"
						busy={busy}
						disabled={!isOfShare}
						onClick={() => void take(share / 100, data.quoteVersion)}
					>
						{share < 100 ? words.cashOutPart(share, formatSigned(amount)) : words.cashOutNow(formatSigned(amount))}
					</Button>
					{isOfShare && <Nets market={market} quote={data} />}
				</>
			)}
			<p className="w-full text-xs text-muted empty:hidden">{error ? messageOf(error) : data && besideWords(data)}</p>
			<p role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
			{data && <CashOutTarget marketId={market.id} target={data.target} />}
		</div>
	);
}
