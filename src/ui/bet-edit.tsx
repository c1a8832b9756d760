import { type FormEvent, type ReactElement, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { useFocusOn } from '#ui/refused-focus.ts';

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** New odds and another stake for an unmatched bet; odds are typed, or moved by ticks with buttons and arrow keys. */
export function BetEdit({
	words,
	edit: { typed, stake, said, problem, note, busy, keys, type, typeStake, move, save },
	onKeep,
}: {
	words: {
		/** Of the currency. */ symbol: string;
		newOdds: string;
		newStake: string;
		down: string;
		up: string;
		save: string;
		keep: string;
	};
	edit: {
		typed: string;
		stake: string;
		/** The parsed stake, or the question about an ambiguous one. */
		said: string;
		/** The error, as a sentence, and the field that it is about. */
		problem: { text: string; about: 'odds' | 'amount' | null } | null;
		/** Further effects of saving, besides changing the bet. */
		note: string | null;
		busy: boolean;
		/** The keypad for the odds. */
		keys: 'decimal' | 'text';
		type: (text: string) => void;
		typeStake: (text: string) => void;
		/** By ticks. */
		move: (ticks: number) => void;
		save: (event: FormEvent) => void;
	};
	onKeep: () => void;
}): ReactElement {
	const id = useId();
	const stakeId = useId();
	const form = useFocusOn(problem);
	const isWrong = (number: 'odds' | 'amount') => problem?.about === number || undefined;
	return (
		<form ref={form} noValidate onSubmit={save} className="bet-edit">
			<label htmlFor={id} className="unseen">
				{words.newOdds}
			</label>
			<div className="field-box odds-box">
				<button type="button" className="step" aria-label={words.down} onClick={() => move(-1)}>
					−
				</button>
				<input
					id={id}
					className="w-16 px-0 text-center font-semibold"
					inputMode={keys}
					autoComplete="off"
					value={typed}
					aria-invalid={isWrong('odds')}
					aria-describedby={isWrong('odds') && `${id}-why`}
					onChange={(event) => type(event.target.value)}
					onKeyDown={(event) => {
						const step = STEPS[event.key];
						if (step === undefined) return;
						event.preventDefault();
						move(step);
					}}
				/>
				<button type="button" className="step" aria-label={words.up} onClick={() => move(1)}>
					+
				</button>
			</div>
			<label htmlFor={stakeId} className="unseen">
				{words.newStake}
			</label>
			<div className="field-box bet-edit-stake">
				<span aria-hidden="true" className="pl-3 text-muted">
					{words.symbol}
				</span>
				<input
					id={stakeId}
					className="text-right font-semibold"
					inputMode="decimal"
					autoComplete="off"
					value={stake}
					aria-invalid={isWrong('amount')}
					aria-describedby={isWrong('amount') ? `${id}-why` : `${stakeId}-said`}
					onChange={(event) => typeStake(event.target.value)}
				/>
			</div>
			<Button type="submit" variant="primary" busy={busy}>
				{words.save}
			</Button>
			<Button onClick={onKeep}>{words.keep}</Button>
			<p id={`${stakeId}-said`} className="w-full text-xs text-muted empty:hidden">
				{said}
			</p>
			<p className="w-full text-xs text-muted empty:hidden">{note}</p>
			<p id={`${id}-why`} role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem?.text}
			</p>
		</form>
	);
}
