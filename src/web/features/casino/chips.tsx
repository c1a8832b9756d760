/** Chips on the bets of a table: several bets of one round. */
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Paise, paiseOf } from '#values/money.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import type { StakedBet } from '#web/features/casino/use-round.ts';
import { formatCompact, formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.chips;
const VALUES = [10, 50, 100, 500, 1000];
const PAISE = 100;

export interface Chips {
	/** Rupees. */
	value: number;
	setValue: (rupees: number) => void;
	bets: readonly StakedBet[];
	total: Paise;
	stakeOn: (bet: string) => Paise;
	place: (bet: string) => void;
	undo: () => void;
	clear: () => void;
	/** Puts the chips of the last round again. */
	repeat: () => void;
	/** The round takes the chips from the table. */
	played: () => void;
	canRepeat: boolean;
}

interface Placed {
	bet: string;
	amount: number;
}

export function useChips(): Chips {
	const [value, setValue] = useState(VALUES[2] ?? 100);
	const [placed, setPlaced] = useState<readonly Placed[]>([]);
	const [last, setLast] = useState<readonly Placed[]>([]);
	const stakes = new Map<string, number>();
	for (const { bet, amount } of placed) stakes.set(bet, (stakes.get(bet) ?? 0) + amount);
	return {
		value,
		setValue,
		bets: [...stakes].map(([bet, stake]) => ({ bet, stake: paiseOf(stake) })),
		total: paiseOf(placed.reduce((sum, { amount }) => sum + amount, 0)),
		stakeOn: (bet) => paiseOf(stakes.get(bet) ?? 0),
		place: (bet) => setPlaced([...placed, { bet, amount: value * PAISE }]),
		undo: () => setPlaced(placed.slice(0, -1)),
		clear: () => setPlaced([]),
		repeat: () => setPlaced(last),
		played: () => {
			setLast(placed);
			setPlaced([]);
		},
		canRepeat: placed.length === 0 && last.length > 0,
	};
}

/** A place on the table that takes chips. */
export function ChipSpot({
	chips,
	bet,
	name,
	note,
	said,
	result,
	disabled,
	tone,
	className = '',
}: {
	chips: Chips;
	bet: string;
	name: string;
	/** What the bet pays. */
	note?: string;
	/** More of its name, for screen readers. */
	said?: string | undefined;
	/** Whether the last round paid the bet more than its stake. */
	result?: 'won' | null;
	disabled: boolean;
	tone?: 'red' | 'black' | 'green' | undefined;
	className?: string;
}): ReactElement {
	const stake = chips.stakeOn(bet);
	return (
		<button
			type="button"
			className={`chip-spot ${className}`}
			data-tone={tone}
			data-won={result === 'won' || undefined}
			aria-disabled={disabled || undefined}
			onClick={() => !disabled && chips.place(bet)}
		>
			<span>{name}</span>
			{said && <span className="unseen"> {said}</span>}
			{note && <small> {note}</small>}
			{stake > 0 && (
				<>
					<b className="chip-stack" aria-hidden="true">
						{formatCompact(stake)}
					</b>
					<span className="unseen"> {words.staked(formatMoney(stake))}</span>
				</>
			)}
		</button>
	);
}

/** Which chip is in the hand, and what can be taken back. */
export function ChipTray({ chips, disabled }: { chips: Chips; disabled: boolean }): ReactElement {
	return (
		<>
			<ChoiceRow
				label={words.value}
				choices={VALUES.map((key) => ({ key, text: key >= 1000 ? `${key / 1000}k` : String(key) }))}
				selected={chips.value}
				disabled={disabled}
				onSelect={chips.setValue}
			/>
			<div className="chip-acts">
				<Button size="small" variant="outline" disabled={disabled || chips.total === 0} onClick={chips.undo}>
					{words.undo}
				</Button>
				<Button size="small" variant="outline" disabled={disabled || chips.total === 0} onClick={chips.clear}>
					{words.clear}
				</Button>
				<Button size="small" variant="outline" disabled={disabled || !chips.canRepeat} onClick={chips.repeat}>
					{words.repeat}
				</Button>
			</div>
		</>
	);
}
