import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Paise, paiseOf } from '#values/money.ts';
import type { CashOutQuote, Market, ProfitLoss } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { CallFailure, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { CashOutTarget } from '#web/features/market/cash-out-target.tsx';
import { formatMoney, formatSigned } from '#web/format.ts';
import { cashOutQuery } from '#web/store/market-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { profitLossQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

const words = GRID_WORDS;

/** One bet levels a win and a loss; not the three results each way, nor the numbers between two lines. */
const isLevel = ({ eachWayDivisor, lineRange }: Market): boolean => eachWayDivisor === undefined && !lineRange;

/** The answer's own figures, so that nothing of the old position is offered while the new one is asked for. */
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
			const level = isLevel(market) ? words.cashedOut : words.cashedOutAtLeast;
			showNotice(waits ? words.cashOutWaits : level, 'success');
			onDone();
		} catch (failure) {
			setProblem(messageOf(failure));
		} finally {
			refreshBets();
			// Until there is a new quote the old one cannot be taken again.
			await queryClient.invalidateQueries({ queryKey: cashOutQuery(market.id).queryKey });
			setBusy(false);
		}
	}
	return { busy, problem, take };
}

/** What is certain afterwards, and what becomes of the player's own bets; or why there is no cashing out. */
function afterWords(market: Market, { amount, unavailable, cancels }: CashOutQuote): string {
	if (amount === null) return words.cashOutNot[unavailable ?? 'BOOK_TOO_THIN'];
	const after = (isLevel(market) ? words.cashOutAfter : words.cashOutAtLeast)(formatSigned(amount));
	const cancelled = paiseOf(cancels.reduce((sum, { stake }) => sum + stake, 0));
	return cancelled === 0 ? after : `${after}. ${words.cashOutCancels(formatMoney(cancelled))}`;
}

/** A share of the position, and the button that takes it. */
function Taking({ amount, busy, onTake }: { amount: Paise; busy: boolean; onTake: (fraction: number) => void }) {
	const id = useId();
	const [share, setShare] = useState(100);
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
				onChange={(event) => setShare(Number(event.target.value))}
			/>
			<span className="w-12 text-right text-xs text-muted">{share} %</span>
			<Button variant="primary" busy={busy} onClick={() => onTake(share / 100)}>
				{share < 100 ? words.cashOutPart(share) : words.cashOutNow(formatSigned(amount))}
			</Button>
		</>
	);
}

/**
 * What is certain of the position now; a share of it or all can be taken. Requested again every two seconds. While
 * nothing can be taken it says why, and has nothing to press.
 */
export function CashOut({ market, onDone }: { market: Market; onDone: () => void }): ReactElement | null {
	const { data, error } = useQuery({ ...cashOutQuery(market.id), placeholderData: keepPreviousData });
	const { busy, problem, take } = useCashOut(market, onDone);
	const nothing = error instanceof CallFailure && error.code === 'NOTHING_TO_CASH_OUT';
	if (nothing || (!data && !error)) return null;
	const amount = error ? null : (data?.amount ?? null);
	return (
		<div className="cash-out">
			{data && amount !== null && (
				<Taking amount={amount} busy={busy} onTake={(fraction) => void take(fraction, data.quoteVersion)} />
			)}
			<p className="w-full text-xs text-muted">{error ? messageOf(error) : data && afterWords(market, data)}</p>
			<p role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
			{data && <CashOutTarget marketId={market.id} target={data.target} />}
		</div>
	);
}
