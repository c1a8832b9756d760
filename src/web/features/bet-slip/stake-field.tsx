import { type ReactElement, useEffect, useId, useRef } from 'react';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import { SYMBOL } from '#web/currency.ts';
import { formatMoney } from '#web/format.ts';
import { understoodWords } from '#web/orders/amount-words.ts';
import { usePresets } from '#web/store/presets.ts';
import { setStake } from '#web/store/slip.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';
import { stakeUpTo } from '#web/typed-amount.ts';

/** Percent of the largest stake. */
const SHARES = [25, 50] as const;

const shareOf = (maxStake: number, percent: number): number => stakeUpTo((maxStake * percent) / 100);

/** Chips; a press sets the stake, pressed again it adds. */
function Chips({ selection, maxStake }: { selection: Selection; maxStake: number }): ReactElement {
	const stakes = usePresets();
	const key = keyOf(selection);
	const add = (value: Minor) => setStake(key, String(majorFromMinor((stakeMinor(selection.stake) ?? 0) + value)));
	return (
		<div className="col-span-2 grid grid-cols-4 gap-1">
			{stakes.map(({ title, value }) => (
				<button key={title} type="button" className="chip" onClick={() => add(value)}>
					+{title}
				</button>
			))}
			{SHARES.map((percent) => (
				<button
					key={percent}
					type="button"
					className="chip"
					disabled={shareOf(maxStake, percent) <= 0}
					title={SLIP_WORDS.shareOfMax(percent)}
					onClick={() => setStake(key, String(majorFromMinor(shareOf(maxStake, percent))))}
				>
					{`${percent} %`}
				</button>
			))}
			<button
				type="button"
				className="chip"
				disabled={maxStake <= 0}
				onClick={() => setStake(key, String(majorFromMinor(maxStake)))}
			>
				{SLIP_WORDS.max}
			</button>
			<button type="button" className="chip" disabled={selection.stake === ''} onClick={() => setStake(key, '')}>
				{SLIP_WORDS.clear}
			</button>
		</div>
	);
}

export function StakeField({
	selection,
	label,
	maxStake,
	limits,
	onEscape,
	wrongBy,
}: {
	/** What is typed: a stake, or a liability. */
	label: string;
	selection: Selection;
	maxStake: number;
	limits: { min: Minor; max: Minor } | null;
	onEscape: () => void;
	/** The id of what says that it is wrong. */
	wrongBy: string | undefined;
}): ReactElement {
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	// With a keyboard the next thing typed is the stake; on a touch screen the chips come first, not the keypad. What another
	// tab takes into the slip leaves the stake that is typed here alone.
	useEffect(() => {
		if (document.hasFocus() && window.matchMedia('(pointer: fine)').matches)
			input.current?.focus({ preventScroll: true });
	}, []);
	return (
		<>
			<div>
				<p className="slip-label">
					<label htmlFor={id}>{label}</label> <span className="text-muted">{understoodWords(selection.stake)}</span>
				</p>
				<div className="field-box">
					<span aria-hidden="true" className="pl-3 text-muted">
						{SYMBOL}
					</span>
					<input
						ref={input}
						id={id}
						className="text-right font-semibold"
						inputMode="decimal"
						autoComplete="off"
						aria-invalid={wrongBy !== undefined || undefined}
						aria-describedby={wrongBy}
						placeholder="0"
						value={selection.stake}
						onKeyDown={(event) => {
							if (event.key !== 'Escape') return;
							event.preventDefault();
							onEscape();
						}}
						onChange={(event) => setStake(keyOf(selection), event.target.value)}
						title={limits ? SLIP_WORDS.limits(formatMoney(limits.min), formatMoney(limits.max)) : undefined}
					/>
				</div>
			</div>
			<Chips selection={selection} maxStake={maxStake} />
		</>
	);
}
