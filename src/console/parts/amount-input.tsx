/** A field for an amount: it reads as players' fields do, and what it understood is said back below it. */
import { type InputHTMLAttributes, type ReactElement, useId, useState } from 'react';
import { amount } from '#console/parts/format.ts';
import { majorFromPaise, type Paise } from '#values/money.ts';
import { readAmount } from '#values/read-amount.ts';

const rupees = (paise: Paise): string => `₹${amount(majorFromPaise(paise))}`;

/** What is wrong with a text that has to be an amount, as a sentence; null where nothing is. */
export function amountProblem(text: string): string | null {
	const read = readAmount(text);
	if (read.kind === 'AMBIGUOUS') return `Do you mean ${rupees(read.either)} or ${rupees(read.or)}?`;
	return read.kind === 'NONE' ? 'This is no amount, such as 1,000 or 2.5L.' : null;
}

/** @returns major units; undefined while the text is no amount, or can be two */
export function majorFromText(text: string): number | undefined {
	const read = readAmount(text);
	return read.kind === 'AMOUNT' ? majorFromPaise(read.amount) : undefined;
}

export function AmountInput({
	onText,
	'aria-describedby': describedBy,
	...input
}: InputHTMLAttributes<HTMLInputElement> & { onText?: (text: string) => void }): ReactElement {
	const [text, setText] = useState('');
	const saidId = useId();
	const read = readAmount(text);
	return (
		<>
			<input
				{...input}
				inputMode="text"
				autoComplete="off"
				aria-describedby={[saidId, describedBy].filter(Boolean).join(' ')}
				onChange={({ target }) => {
					setText(target.value);
					onText?.(target.value);
				}}
			/>
			<p id={saidId} className="muted said">
				{/* A form that says what is wrong says it in place of this. */}
				{read.kind === 'AMOUNT' ? rupees(read.amount) : !describedBy && amountProblem(text)}
			</p>
		</>
	);
}
