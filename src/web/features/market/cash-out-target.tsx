import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { useFocusOn } from '#ui/refused-focus.ts';
import type { Minor } from '#values/money.ts';
import type { CashOutQuote } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { formatSigned } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { cashOutKey } from '#web/store/market-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

/** Why it is not set, and whether another amount may be. */
interface Problem {
	text: string;
	isOfAmount: boolean;
}

/** Sets or removes the amount at which the server cashes out automatically. */
function useTarget(marketId: string) {
	const queryClient = useQueryClient();
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<Problem | null>(null);
	/** @returns whether it was done */
	async function set(target: Minor | null): Promise<boolean> {
		if (busy) return false;
		setBusy(true);
		setProblem(null);
		try {
			const done = await call('setCashOutTarget', { marketId, target });
			const queryKey = cashOutKey(marketId);
			// A quote that was asked for before has the target of before.
			await queryClient.cancelQueries({ queryKey });
			queryClient.setQueriesData<CashOutQuote>({ queryKey }, (held) => held && { ...held, target: done.target });
			showNotice(done.target === null ? MARKET_WORDS.targetGone : MARKET_WORDS.targetKept, 'success');
			return true;
		} catch (failure) {
			setProblem({ text: messageOf(failure), isOfAmount: refusedNumber(failure) === 'amount' });
			return false;
		} finally {
			setBusy(false);
		}
	}
	return { busy, problem, setProblem, set };
}

/** The amount at which the position is cashed out automatically, with a button to remove it, or a field to set it. */
export function CashOutTarget({ marketId, target }: { marketId: string; target: Minor | null }): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState('');
	const { busy, problem, setProblem, set } = useTarget(marketId);
	const wrong = problem?.isOfAmount ? problem : null;
	const form = useFocusOn(wrong);
	function save(event: FormEvent): void {
		event.preventDefault();
		const wanted = amountFromText(typed);
		if (wanted === null) setProblem({ text: askedWords(typed) ?? MARKET_WORDS.targetAsked, isOfAmount: true });
		else void set(wanted).then((isDone) => isDone && setTyped(''));
	}
	if (target !== null) {
		return (
			<div className="cash-out-target">
				<b className="min-w-0 flex-1 text-text">{MARKET_WORDS.targetSet(formatSigned(target))}</b>
				<Button size="small" busy={busy} onClick={() => void set(null)}>
					{MARKET_WORDS.removeTarget}
				</Button>
				<p role="alert" className="w-full text-xs text-loss empty:hidden">
					{problem?.text}
				</p>
			</div>
		);
	}
	return (
		<form ref={form} noValidate onSubmit={save} className="cash-out-target">
			<label htmlFor={id} className="min-w-0 flex-1 text-xs text-muted" title={MARKET_WORDS.targetHint}>
				{MARKET_WORDS.target}
			</label>
			<div className="field-box w-28">
				<input
					id={id}
					className="text-right font-semibold"
					inputMode="text"
					autoComplete="off"
					placeholder="0"
					value={typed}
					aria-invalid={wrong !== null || undefined}
					aria-describedby={wrong ? `${id}-why` : `${id}-said`}
					onChange={(event) => {
						setTyped(event.target.value);
						setProblem(null);
					}}
				/>
			</div>
			<Button type="submit" size="small" busy={busy}>
				{MARKET_WORDS.setTarget}
			</Button>
			<p id={`${id}-said`} className="w-full text-right text-xs text-muted empty:hidden">
				{understoodWords(typed)}
			</p>
			<p id={`${id}-why`} role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem?.text}
			</p>
		</form>
	);
}
