import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { Minor } from '#values/money.ts';
import type { CashOutQuote } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { formatSigned } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { cashOutKey } from '#web/store/market-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

/** Sets or removes the amount at which the server cashes out automatically. */
function useTarget(marketId: string) {
	const queryClient = useQueryClient();
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	async function set(target: Minor | null): Promise<void> {
		if (busy) return;
		setBusy(true);
		setProblem(null);
		try {
			const done = await call('setCashOutTarget', { marketId, target });
			queryClient.setQueriesData<CashOutQuote>(
				{ queryKey: cashOutKey(marketId) },
				(held) => held && { ...held, target: done.target },
			);
			showNotice(done.target === null ? MARKET_WORDS.targetGone : MARKET_WORDS.targetKept, 'success');
		} catch (failure) {
			setProblem(messageOf(failure));
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
	function save(event: FormEvent): void {
		event.preventDefault();
		const wanted = amountFromText(typed);
		if (wanted === null) setProblem(askedWords(typed) ?? MARKET_WORDS.targetAsked);
		else void set(wanted).then(() => setTyped(''));
	}
	if (target !== null) {
		return (
			<div className="cash-out-target">
				<b className="min-w-0 flex-1 text-text">{MARKET_WORDS.targetSet(formatSigned(target))}</b>
				<Button size="small" busy={busy} onClick={() => void set(null)}>
					{MARKET_WORDS.removeTarget}
				</Button>
				<p role="alert" className="w-full text-xs text-loss empty:hidden">
					{problem}
				</p>
			</div>
		);
	}
	return (
		<form noValidate onSubmit={save} className="cash-out-target">
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
					aria-describedby={`${id}-why`}
					onChange={(event) => {
						setTyped(event.target.value);
						setProblem(null);
					}}
				/>
			</div>
			<Button type="submit" size="small" busy={busy}>
				{MARKET_WORDS.setTarget}
			</Button>
			<p className="w-full text-right text-xs text-muted empty:hidden">{understoodWords(typed)}</p>
			<p id={`${id}-why`} role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
		</form>
	);
}
