import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { formatPrice } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import type { OpenBet } from '#web/store/queries.ts';
import { newRequestId } from '#web/store/request-id.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.bets;

/** Asks other odds for what waits of a bet; the request id stays until the answer is known. */
export function EditPrice({ bet, onDone }: { bet: OpenBet; onDone: () => void }): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState(formatPrice(bet.price));
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	const [clientRequestId] = useState(newRequestId);
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (busy) return;
		setBusy(true);
		const askedAt = performance.now();
		try {
			const placed = await call('replaceBet', { betId: bet.betId, price: Number(typed), clientRequestId });
			showAnsweredWallet(placed.balance, placed.exposure, askedAt);
			showNotice(words.replaced(formatPrice(Number(typed))), 'success');
			onDone();
		} catch (failure) {
			setProblem(messageOf(failure));
		} finally {
			refreshBets();
			setBusy(false);
		}
	}
	return (
		<form noValidate onSubmit={(event) => void save(event)} className="flex flex-wrap items-end gap-2 px-3 pb-3">
			<div className="min-w-24 flex-1">
				<label htmlFor={id} className="text-xs text-muted">
					{words.newOdds}
				</label>
				<div className="field-box">
					<input
						id={id}
						className="font-semibold"
						inputMode="decimal"
						autoComplete="off"
						value={typed}
						onChange={(event) => setTyped(event.target.value.replace(',', '.'))}
					/>
				</div>
			</div>
			<Button type="submit" variant="primary" busy={busy}>
				{words.save}
			</Button>
			<Button onClick={onDone}>{words.keep}</Button>
			<p role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
		</form>
	);
}
