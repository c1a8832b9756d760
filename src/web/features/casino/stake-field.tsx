import { type ReactElement, useId, useState } from 'react';
import { casinoLimits } from '#values/casino-limits.ts';
import { downToStep } from '#values/currencies.ts';
import { HOME_CURRENCY } from '#values/currency-codes.ts';
import { MINOR_PER_MAJOR, type Minor } from '#values/money.ts';
import { CURRENCY, SYMBOL } from '#web/currency.ts';
import { CHIPS } from '#web/currency-sizes.ts';
import type { RefusedStake } from '#web/features/casino/use-round.ts';
import { saidWords } from '#web/orders/amount-words.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

const words = CASINO_TEXTS.stake;

export interface Stake {
	text: string;
	/** Null when the text is no stake that the house takes. */
	amount: Minor | null;
	set: (text: string) => void;
}

/** One press away, major units. */
const QUICK_STAKES = CURRENCY === HOME_CURRENCY ? [100, 200, 500] : CHIPS.slice(0, 3);
/** Major units. */
export const FIRST_STAKE = QUICK_STAKES[0] ?? 100;
const LIMITS = casinoLimits(CURRENCY);
const inMajor = (amount: number): string => String(amount / MINOR_PER_MAJOR);

function amountOf(text: string): Minor | null {
	const amount = amountFromText(text);
	return amount !== null && amount % LIMITS.stakeStep === 0 && amount >= LIMITS.leastStake && amount <= LIMITS.mostStake
		? amount
		: null;
}

/** A stake of whole rupees, ₹100 at first, or what suits another currency. */
export function useStake(): Stake {
	const [text, set] = useState(String(FIRST_STAKE));
	return { text, amount: amountOf(text), set };
}

/** The id of what a game says below its button. */
export const NOTE_ID = 'game-note';

/** The stake with its half, its double, and common ones. */
export function StakeField({
	stake,
	disabled,
	refused,
	note = NOTE_ID,
}: {
	stake: Stake;
	disabled: boolean;
	/** A refusal is that of its stake, so another one is not marked. */
	refused: RefusedStake | null;
	/** The id of what says why. */
	note?: string;
}): ReactElement {
	const id = useId();
	const isUnsound = stake.amount === null;
	const isRefused = refused !== null && refused.stake === stake.amount;
	const change = (factor: number) => {
		const amount = downToStep((stake.amount ?? LIMITS.leastStake) * factor, LIMITS.stakeStep);
		stake.set(inMajor(Math.min(LIMITS.mostStake, Math.max(LIMITS.leastStake, amount))));
	};
	return (
		<div className="stake-field">
			<p className="stake-label">
				<label htmlFor={id}>{words.label}</label> <span id={`${id}-said`}>{saidWords(stake.text)}</span>
				{/* The button says it, too. */}
				{isUnsound && (
					<span id={`${id}-why`} className="unseen">
						{words.whole}
					</span>
				)}
			</p>
			<div className="field-box">
				<span aria-hidden="true">{SYMBOL}</span>
				<input
					id={id}
					inputMode="numeric"
					autoComplete="off"
					value={stake.text}
					disabled={disabled}
					aria-invalid={isUnsound || isRefused || undefined}
					aria-describedby={isRefused ? note : isUnsound ? `${id}-said ${id}-why` : `${id}-said`}
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
						aria-pressed={stake.amount === amount * MINOR_PER_MAJOR}
						disabled={disabled}
						onClick={() => stake.set(String(amount))}
					>
						{SYMBOL}
						{amount}
					</button>
				))}
			</div>
		</div>
	);
}
