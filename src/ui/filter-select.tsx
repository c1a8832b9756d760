import type { ReactElement } from 'react';

interface FilterOption<Value extends string> {
	value: Value;
	text: string;
}

/** One filter of a list: a name and a choice of values. */
export function FilterSelect<Value extends string>({
	label,
	value,
	options,
	onChange,
}: {
	label: string;
	value: Value;
	options: readonly FilterOption<Value>[];
	onChange: (value: Value) => void;
}): ReactElement {
	return (
		<label className="filter">
			<span>{label}</span>
			<select value={value} onChange={(event) => onChange(event.target.value as Value)}>
				{options.map((option) => (
					<option key={option.value} value={option.value}>
						{option.text}
					</option>
				))}
			</select>
		</label>
	);
}
