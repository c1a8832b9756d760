import { type ReactElement, useState } from 'react';

/** A filter that is typed. What it does may come back late, through an address for instance: no letter is lost meanwhile. */
export function FilterText({
	label,
	placeholder,
	value,
	onText,
}: {
	label: string;
	placeholder?: string;
	value: string;
	onText: (text: string) => void;
}): ReactElement {
	const [typed, setTyped] = useState<string | null>(null);
	return (
		<input
			type="search"
			className="filter-text"
			aria-label={label}
			placeholder={placeholder}
			value={typed ?? value}
			onChange={({ target }) => {
				setTyped(target.value);
				onText(target.value);
			}}
			onBlur={() => setTyped(null)}
		/>
	);
}
