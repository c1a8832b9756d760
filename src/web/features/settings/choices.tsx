import type { ReactElement } from 'react';

interface ChoicesProps<Value extends string> {
	/** Of the group in the page. */
	name: string;
	legend: string;
	/** The words of each, in order. */
	words: Readonly<Record<Value, string>>;
	chosen: Value;
	/** What stands at the end of each row. */
	examples?: Readonly<Record<Value, string>>;
	/** The choices share a line with the legend, instead of having a row each below it. */
	inLine?: boolean;
	disabled?: boolean;
	onChoose: (value: Value) => void;
}

/** One of several, all in sight. */
export function Choices<Value extends string>(props: ChoicesProps<Value>): ReactElement {
	const { name, legend, words, chosen, examples, inLine = false, disabled = false, onChoose } = props;
	const values = Object.keys(words) as Value[];
	return (
		<fieldset className={inLine ? 'flex min-h-11 items-center justify-between gap-4' : undefined}>
			<legend className={inLine ? 'float-left' : 'text-sm text-muted'}>{legend}</legend>
			<span className={inLine ? 'flex gap-4' : undefined}>
				{values.map((value) => (
					<label key={value} className="flex min-h-11 items-center gap-2">
						<input
							type="radio"
							name={name}
							className="size-5 accent-text"
							checked={chosen === value}
							disabled={disabled}
							onChange={() => onChoose(value)}
						/>
						<span className="flex-1">{words[value]}</span>
						{examples && <span className="text-muted">{examples[value]}</span>}
					</label>
				))}
			</span>
		</fieldset>
	);
}
