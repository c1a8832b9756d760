import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { decimalFromPrice, nearestPrices, type Price } from '#values/price-ladder.ts';
import { formatPrice } from '#web/format.ts';
import { TEXTS } from '#web/texts.ts';

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** A typed price as the ladder's nearest, or null when it is none. */
function nearestTyped(text: string): Price | null {
	const hundredths = Math.round(Number(text.replace(',', '.')) * 100);
	if (!Number.isFinite(hundredths) || hundredths <= 0) return null;
	const { below, above } = nearestPrices(hundredths);
	if (below === null || above === null) return above ?? below;
	return hundredths - below <= above - hundredths ? below : above;
}

/** The price asked for: typed, or moved by whole rungs with buttons and arrow keys. Only prices of the ladder come out. */
export function OddsField({
	price,
	onPrice,
	onMove,
	onEscape,
}: {
	price: Price;
	onPrice: (price: Price) => void;
	onMove: (rungs: number) => void;
	onEscape: () => void;
}): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState<string | null>(null);
	const shown = typed ?? formatPrice(decimalFromPrice(price));
	function settle(): void {
		const nearest = typed === null ? null : nearestTyped(typed);
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
				{TEXTS.slip.odds}
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
