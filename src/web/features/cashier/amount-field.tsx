import type { ReactElement } from 'react';
import { Field } from '#ui/field.tsx';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { formatMoney } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

const words = CASHIER_TEXTS;

/** Why an amount is refused; empty if it is not. */
export function amountError(text: string, min: Minor, max: Minor): string {
	const amount = amountFromText(text);
	if (amount === null) return askedWords(text) ?? words.notAmount;
	return amount < min || amount > max ? words.outOfRange(formatMoney(min), formatMoney(max)) : '';
}

/** An amount with its range, shown before anything is typed, and preset amounts. */
export function AmountField({
	text,
	onText,
	min,
	max,
	error,
	chips,
}: {
	text: string;
	onText: (text: string) => void;
	min: Minor;
	max: Minor;
	error: string;
	chips: readonly { amount: Minor; label: string }[];
}): ReactElement {
	return (
		<div className="amount">
			<div className="amount-chips">
				{chips.map(({ amount, label }) => (
					<button
						key={amount}
						type="button"
						aria-pressed={amountFromText(text) === amount}
						onClick={() => onText(String(majorFromMinor(amount)))}
					>
						{label}
					</button>
				))}
			</div>
			<Field
				label={words.amount}
				hint={[understoodWords(text), words.range(formatMoney(min), formatMoney(max))].filter(Boolean).join(' · ')}
				value={text}
				inputMode="decimal"
				autoComplete="off"
				error={error}
				onChange={({ target }) => onText(target.value)}
			/>
		</div>
	);
}
