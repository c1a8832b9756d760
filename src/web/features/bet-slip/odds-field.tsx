import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import type { LadderTerms, Price } from '#values/price-ladder.ts';
import { nearestTyped } from '#web/betting/asked-terms.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatQuote } from '#web/format.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';
import { oddsKeys } from '#web/typed-odds.ts';

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** The requested price: typed, or moved by ticks with buttons and arrow keys. It yields prices of the ladder only. */
export function OddsField({
	price,
	quoting,
	ladder,
	now,
	onPrice,
	onMove,
	onEscape,
	wrongBy,
}: {
	price: Price;
	quoting: Quoting;
	ladder: LadderTerms;
	/** The market's best price, and its last move. */
	now: { price: Price; move: -1 | 0 | 1 } | null;
	onPrice: (price: Price) => void;
	onMove: (ticks: number) => void;
	onEscape: () => void;
	/** The id of what says that it is wrong. */
	wrongBy: string | undefined;
}): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState<string | null>(null);
	const shown = typed ?? formatQuote(price, quoting);
	function commit(): void {
		const nearest = typed === null ? null : nearestTyped(typed, { quoting, ladder });
		if (nearest !== null && nearest !== price) onPrice(nearest);
		setTyped(null);
	}
	function onKey(event: KeyboardEvent): void {
		const step = STEPS[event.key];
		if (event.key === 'Enter') commit();
		if (event.key === 'Escape') {
			event.preventDefault();
			onEscape();
		}
		if (step === undefined) return;
		event.preventDefault();
		setTyped(null);
		onMove(step);
	}
	return (
		<div>
			<p className="slip-label">
				<label htmlFor={id}>
					{quoting === 'ODDS' ? SLIP_WORDS.odds : quoting === 'SPREAD' ? SLIP_WORDS.line : SLIP_WORDS.rate}
				</label>
				{now && (
					<span data-move={now.move || undefined}>
						{SLIP_WORDS.now(formatQuote(now.price, quoting))}
						{now.move !== 0 && <span aria-hidden="true">{now.move > 0 ? ' ▲' : ' ▼'}</span>}
					</span>
				)}
			</p>
			<div className="field-box odds-box">
				<button type="button" className="step" aria-label={SLIP_WORDS.down} onClick={() => onMove(-1)}>
					−
				</button>
				<input
					id={id}
					className="px-0 text-center font-semibold"
					inputMode={quoting === 'ODDS' ? oddsKeys() : 'decimal'}
					autoComplete="off"
					aria-invalid={wrongBy !== undefined || undefined}
					aria-describedby={wrongBy}
					value={shown}
					onChange={(event) => setTyped(event.target.value)}
					onBlur={commit}
					onKeyDown={onKey}
					onFocus={(event) => event.target.select()}
				/>
				<button type="button" className="step" aria-label={SLIP_WORDS.up} onClick={() => onMove(1)}>
					+
				</button>
			</div>
		</div>
	);
}
