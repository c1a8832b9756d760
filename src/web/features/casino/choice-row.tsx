import type { ReactElement } from 'react';

/** A few choices side by side, one of them selected. */
export function ChoiceRow<Key extends string | number>({
	label,
	choices,
	selected,
	disabled = false,
	onSelect,
}: {
	label: string;
	choices: readonly { key: Key; text: string }[];
	selected: Key;
	disabled?: boolean;
	onSelect: (key: Key) => void;
}): ReactElement {
	return (
		<fieldset className="choice-row">
			<legend>{label}</legend>
			<div>
				{choices.map(({ key, text }) => (
					<button
						key={key}
						type="button"
						aria-pressed={key === selected}
						disabled={disabled}
						onClick={() => onSelect(key)}
					>
						{text}
					</button>
				))}
			</div>
		</fieldset>
	);
}
