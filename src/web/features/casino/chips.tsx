/** Chips on the bets of a table: selected ones, which a press places, and placed ones. */
import { type ReactElement, useState } from 'react';
import { MINOR_PER_MAJOR, type Minor, minorOf } from '#values/money.ts';
import { CHIPS } from '#web/currency-sizes.ts';
import { FIRST_STAKE } from '#web/features/casino/stake-field.tsx';
import type { StakedBet } from '#web/features/casino/use-round.ts';
import { formatCompact, formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.chips;
/** As many as a phone has room for, of those that suit the currency; major units. */
const VALUES = CHIPS.slice(0, 5);

export interface Chips {
	/** Major units. */
	value: number;
	setValue: (value: number) => void;
	bets: readonly StakedBet[];
	total: Minor;
	stakeOn: (bet: string) => Minor;
	place: (bet: string) => void;
	undo: () => void;
	clear: () => void;
	/** Repeats the last placed chips. */
	repeat: () => void;
	/** These chips were placed, and are no longer selected; later ones stay. */
	played: () => void;
	canRepeat: boolean;
}

interface Placed {
	bet: string;
	amount: number;
}

export function useChips(): Chips {
	const [value, setValue] = useState(FIRST_STAKE);
	const [placed, setPlaced] = useState<readonly Placed[]>([]);
	const [last, setLast] = useState<readonly Placed[]>([]);
	const stakes = new Map<string, number>();
	for (const { bet, amount } of placed) stakes.set(bet, (stakes.get(bet) ?? 0) + amount);
	return {
		value,
		setValue,
		bets: [...stakes].map(([bet, stake]) => ({ bet, stake: minorOf(stake) })),
		total: minorOf(placed.reduce((sum, { amount }) => sum + amount, 0)),
		stakeOn: (bet) => minorOf(stakes.get(bet) ?? 0),
		place: (bet) => setPlaced([...placed, { bet, amount: value * MINOR_PER_MAJOR }]),
		undo: () => setPlaced(placed.slice(0, -1)),
		clear: () => setPlaced([]),
		repeat: () => setPlaced(last),
		played: () => {
			setLast(placed);
			setPlaced((now) => now.filter((chip) => !placed.includes(chip)));
		},
		canRepeat: placed.length === 0 && last.length > 0,
	};
}

/** A place on the table that takes chips. */
export function ChipSpot({
	chips,
	bet,
	name,
	said,
	note,
	placed,
	crowd,
	isWon,
	tone,
	side,
	className = '',
}: {
	chips: Chips;
	bet: string;
	name: string;
	/** More of its name, for screen readers. */
	said?: string | undefined;
	/** What the bet pays. */
	note: string;
	/** What the player staked on it in this round. */
	placed: Minor;
	/** The chips of all players on it. */
	crowd: { players: number; stake: Minor } | null;
	/** The displayed round pays it. */
	isWon: boolean;
	tone?: 'red' | 'black' | 'green' | undefined;
	side?: string | undefined;
	className?: string;
}): ReactElement {
	const stake = chips.stakeOn(bet);
	return (
		<button
			type="button"
			className={`chip-spot ${className}`}
			data-tone={tone}
			data-side={side}
			data-won={isWon || undefined}
			onClick={() => chips.place(bet)}
		>
			<span>{name}</span>
			{said && <span className="unseen"> {said}</span>}
			{note && <small> {note}</small>}
			{crowd && (
				<span className="chip-crowd">
					<span aria-hidden="true">
						{crowd.players} · {formatCompact(crowd.stake)}
					</span>
					<span className="unseen"> {words.crowd(crowd.players, formatMoney(crowd.stake))}</span>
				</span>
			)}
			{placed > 0 && (
				<>
					<b className="chip-stack" data-placed aria-hidden="true">
						{formatCompact(placed)}
					</b>
					<span className="unseen"> {words.placed(formatMoney(placed))}</span>
				</>
			)}
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

/** The selected chip, and the undo button. */
export function ChipTray({ chips, disabled }: { chips: Chips; disabled: boolean }): ReactElement {
	const hasChips = chips.total > 0;
	// The last chips can be put again only while none is in the hand: undoing and repeating share a place.
	const acts = [
		chips.canRepeat
			? { name: words.repeat, sign: '↻', act: chips.repeat, isPossible: true }
			: { name: words.undo, sign: '↶', act: chips.undo, isPossible: hasChips },
		{ name: words.clear, sign: '✕', act: chips.clear, isPossible: hasChips },
	];
	return (
		<div className="chip-tray">
			<fieldset>
				<legend className="unseen">{words.value}</legend>
				{VALUES.map((value, rank) => (
					<button
						key={value}
						type="button"
						className="chip-choice"
						data-rank={rank}
						aria-pressed={value === chips.value}
						disabled={disabled}
						onClick={() => chips.setValue(value)}
					>
						{value >= 1000 ? `${value / 1000}k` : value}
					</button>
				))}
			</fieldset>
			<div className="chip-acts">
				{acts.map(({ name, sign, act, isPossible }) => (
					<button
						key={name}
						type="button"
						className="chip-act"
						aria-label={name}
						title={name}
						disabled={disabled || !isPossible}
						onClick={act}
					>
						<span aria-hidden="true">{sign}</span>
					</button>
				))}
			</div>
		</div>
	);
}
