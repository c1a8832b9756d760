import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { closestPrice, hundredthsFromDecimal, type LadderTerms, ladderOf, type Price } from '#values/price-ladder.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatQuote } from '#web/format.ts';
import { SLIP_WORDS } from '#web/texts/slip.ts';
import { TEXTS } from '#web/texts.ts';

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** What was typed, odds, a line or a rate per 100, as the ladder's nearest price; null when it is no number. */
function nearestTyped(text: string, quoting: Quoting, ladder: LadderTerms): Price | null {
	const typed = Number(text.replace(',', '.'));
	if (!Number.isFinite(typed) || typed <= 0) return null;
	const isDecimal = quoting === 'ODDS' || quoting === 'SPREAD';
	return closestPrice(ladderOf(ladder), isDecimal ? hundredthsFromDecimal(typed) : Math.round(typed) + 100);
}

/** The price asked for: typed, or moved by whole rungs with buttons and arrow keys. Only prices of the ladder come out. */
export function OddsField({
	price,
	quoting,
	ladder,
	onPrice,
	onMove,
	onEscape,
}: {
	price: Price;
	quoting: Quoting;
	ladder: LadderTerms;
	onPrice: (price: Price) => void;
	onMove: (rungs: number) => void;
	onEscape: () => void;
}): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState<string | null>(null);
	const shown = typed ?? formatQuote(price, quoting);
	function settle(): void {
		const nearest = typed === null ? null : nearestTyped(typed, quoting, ladder);
		if (nearest !== null && nearest !== price) onPrice(nearest);
		setTyped(null);
	}
	function onKey(event: KeyboardEvent): void {
		const step = STEPS[event.key];
		if (event.key === 'Enter') settle();
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
			<label htmlFor={id} className="text-xs text-muted">
				{quoting === 'ODDS' ? TEXTS.slip.odds : quoting === 'SPREAD' ? SLIP_WORDS.line : SLIP_WORDS.rate}
			</label>
			<div className="field-box odds-box">
				<button type="button" className="step" aria-label={TEXTS.slip.down} onClick={() => onMove(-1)}>
					−
				</button>
				<input
					id={id}
					className="px-0 text-center font-semibold"
					inputMode="decimal"
					autoComplete="off"
					value={shown}
					onChange={(event) => setTyped(event.target.value)}
					onBlur={settle}
					onKeyDown={onKey}
					onFocus={(event) => event.target.select()}
				/>
				<button type="button" className="step" aria-label={TEXTS.slip.up} onClick={() => onMove(1)}>
					+
				</button>
			</div>
		</div>
	);
}
