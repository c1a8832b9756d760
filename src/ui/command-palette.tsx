import '#ui/styles/overlays.css';
import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react';
import { Modal } from '#ui/modal.tsx';

export interface Command {
	/** Unique among the commands. */
	label: string;
	/** What stands beside it, such as its keys. */
	hint?: string;
	/** What it does; a promise that is rejected leaves the palette open with its message. */
	run: () => void | Promise<void>;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Commands of which the text has every word, in their order. */
export function matching(commands: readonly Command[], text: string): Command[] {
	const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
	return commands.filter(({ label }) => wanted.every((word) => label.toLowerCase().includes(word)));
}

const showOption = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });

/** Commands by what is typed: the arrows choose one, Enter runs it. */
export function CommandPalette({
	commandsFor,
	words,
	onClose,
}: {
	/** The commands that fit what is typed, the best first. */
	commandsFor: (text: string) => readonly Command[];
	words: { title: string; placeholder: string; nothing: string; close: string };
	onClose: () => void;
}): ReactElement {
	const [text, setText] = useState('');
	const [chosen, setChosen] = useState(0);
	const [problem, setProblem] = useState('');
	const input = useRef<HTMLInputElement>(null);
	const id = useId();
	const found = commandsFor(text);
	const active = Math.min(chosen, found.length - 1);
	async function run(command: Command | undefined): Promise<void> {
		if (!command) return;
		try {
			await command.run();
			onClose();
		} catch (failure) {
			setProblem(failure instanceof Error ? failure.message : String(failure));
		}
	}
	function press(event: KeyboardEvent): void {
		const step = STEPS[event.key];
		if (step === undefined && event.key !== 'Enter') return;
		event.preventDefault();
		if (step === undefined) void run(found[active]);
		else if (found.length > 0) setChosen((active + step + found.length) % found.length);
	}
	return (
		<Modal open title={words.title} closeLabel={words.close} size="large" onClose={onClose} initialFocus={input}>
			<div className="field-box">
				<input
					ref={input}
					role="combobox"
					aria-label={words.placeholder}
					aria-expanded
					aria-controls={`${id}-list`}
					aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
					aria-autocomplete="list"
					autoComplete="off"
					spellCheck={false}
					placeholder={words.placeholder}
					value={text}
					onChange={({ target }) => {
						setText(target.value);
						setChosen(0);
						setProblem('');
					}}
					onKeyDown={press}
				/>
			</div>
			{/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select is no list below a field */}
			<div role="listbox" id={`${id}-list`} aria-label={words.title} className="command-list">
				{found.map((command, at) => (
					<button
						key={command.label}
						type="button"
						id={`${id}-${at}`}
						// oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
						role="option"
						tabIndex={-1}
						aria-selected={at === active}
						ref={at === active ? showOption : null}
						onClick={() => void run(command)}
					>
						<span>{command.label}</span>
						{command.hint !== undefined && <kbd>{command.hint}</kbd>}
					</button>
				))}
			</div>
			{found.length === 0 && <p className="py-2 text-muted">{words.nothing}</p>}
			<p role="alert" className="pt-2 text-loss empty:hidden">
				{problem}
			</p>
		</Modal>
	);
}
