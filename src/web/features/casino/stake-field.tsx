import { type ReactElement, useId, useState } from 'react';
import { LARGEST_STAKE_MINOR, LEAST_STAKE_MINOR, STAKE_STEP_MINOR } from '#values/house-limits.ts';
import type { Minor } from '#values/money.ts';
import { amountFromText } from '#values/read-amount.ts';
import { saidWords } from '#web/orders/amount-words.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.stake;

export interface Stake {
	text: string;
	/** Null when the text is no stake that the house takes. */
	amount: Minor | null;
	set: (text: string) => void;
}

const rupees = (amount: number): string => String(amount / STAKE_STEP_MINOR);

function amountOf(text: string): Minor | null {
	const amount = amountFromText(text);
	return amount !== null &&
		amount % STAKE_STEP_MINOR === 0 &&
		amount >= LEAST_STAKE_MINOR &&
		amount <= LARGEST_STAKE_MINOR
		? amount
		: null;
}

/** A stake of whole rupees, ₹100 at first. */
export function useStake(): Stake {
	const [text, set] = useState('100');
	return { text, amount: amountOf(text), set };
}

/** One press away, in rupees. */
const QUICK_STAKES = [100, 200, 500] as const;

/** The stake with its half, its double, and common ones. */
export function StakeField({ stake, disabled }: { stake: Stake; disabled: boolean }): ReactElement {
	const id = useId();
	const change = (factor: number) => {
		const amount = Math.floor(((stake.amount ?? LEAST_STAKE_MINOR) * factor) / STAKE_STEP_MINOR) * STAKE_STEP_MINOR;
		stake.set(rupees(Math.min(LARGEST_STAKE_MINOR, Math.max(LEAST_STAKE_MINOR, amount))));
	};
	return (
		<div className="stake-field">
			<p className="stake-label">
				<label htmlFor={id}>{words.label}</label> <span id={`${id}-said`}>{saidWords(stake.text)}</span>
			</p>
			<div className="field-box">
				<span aria-hidden="true">₹</span>
				<input
					id={id}
					inputMode="numeric"
					autoComplete="off"
					value={stake.text}
					disabled={disabled}
					aria-invalid={stake.amount === null || undefined}
					aria-describedby={`${id}-said`}
					onChange={({ target }) => stake.set(target.value)}
				/>
				<button type="button" aria-label={words.half} disabled={disabled} onClick={() => change(1 / 2)}>
					½
				</button>
				<button type="button" aria-label={words.double} disabled={disabled} onClick={() => change(2)}>
					2×
				</button>
			</div>
			<div className="quick-stakes">
				{QUICK_STAKES.map((amount) => (
					<button
						key={amount}
						type="button"
						className="chip"
						aria-pressed={stake.amount === amount * STAKE_STEP_MINOR}
						disabled={disabled}
						onClick={() => stake.set(String(amount))}
					>
						₹{amount}
					</button>
				))}
			</div>
		</div>
	);
}
