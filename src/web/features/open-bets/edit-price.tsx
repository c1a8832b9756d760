import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { Price } from '#values/price-ladder.ts';
import { formatPrice, formatQuote } from '#web/format.ts';
import { useBetQuoting } from '#web/store/bet-quoting.ts';
import { showNotice } from '#web/store/notices.ts';
import { replaceBet } from '#web/store/orders.ts';
import type { OpenBet } from '#web/store/queries.ts';
import { newRequestId } from '#web/store/request-id.ts';
import { BET_WORDS } from '#web/texts/slip.ts';

const words = BET_WORDS;

/** Asks other odds for what waits of a bet; the request id stays until the answer is known. */
export function EditPrice({ bet, onDone }: { bet: OpenBet; onDone: () => void }): ReactElement {
	const id = useId();
	const isLine = useBetQuoting(bet) === 'SPREAD';
	const written = (price: number) => (isLine ? formatQuote(price, 'SPREAD') : formatPrice(price));
	const [typed, setTyped] = useState(() => written(bet.price));
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	const [clientRequestId] = useState(newRequestId);
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (busy) return;
		const price = Math.round(Number(typed) * 100);
		setBusy(true);
		const refused = await replaceBet(bet, price as Price, clientRequestId);
		setBusy(false);
		setProblem(refused);
		if (refused !== null) return;
		showNotice(words.replaced(written(price / 100)), 'success');
		onDone();
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
