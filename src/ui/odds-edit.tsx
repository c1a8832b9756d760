import { type FormEvent, type ReactElement, useId } from 'react';
import { Button } from '#ui/button.tsx';

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** New odds for an unmatched bet: typed, or moved by ticks with buttons and arrow keys. */
export function OddsEdit({
	words,
	odds: { typed, problem, busy, type, move, save },
	onKeep,
}: {
	words: { newOdds: string; down: string; up: string; save: string; keep: string };
	odds: {
		typed: string;
		/** What went wrong, as a sentence. */
		problem: string | null;
		busy: boolean;
		type: (text: string) => void;
		/** By ticks. */
		move: (ticks: number) => void;
		save: (event: FormEvent) => void;
	};
	onKeep: () => void;
}): ReactElement {
	const id = useId();
	return (
		<form noValidate onSubmit={save} className="odds-edit">
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
					inputMode="decimal"
					autoComplete="off"
					value={typed}
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
			<Button type="submit" variant="primary" busy={busy}>
				{words.save}
			</Button>
			<Button onClick={onKeep}>{words.keep}</Button>
			<p role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
		</form>
	);
}
