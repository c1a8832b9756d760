import type { ReactElement } from 'react';
import { FilterSelect } from '#ui/filter-select.tsx';

interface PeriodChoice<Period extends string> {
	period: Period;
	firstDay: string;
	lastDay: string;
}

/** A period by its name, or by its first and last day. */
export function PeriodFilter<Period extends string>({
	value,
	words,
	own,
	onChange,
}: {
	value: PeriodChoice<Period>;
	words: { period: string; periods: Record<Period, string>; from: string; to: string };
	/** The choice that shows the two days. */
	own: Period;
	onChange: (value: PeriodChoice<Period>) => void;
}): ReactElement {
	const options = (Object.keys(words.periods) as Period[]).map((period) => ({
		value: period,
		text: words.periods[period],
	}));
	const day = (name: 'firstDay' | 'lastDay', label: string) => (
		<label className="filter">
			<span>{label}</span>
			<input type="date" value={value[name]} onChange={(event) => onChange({ ...value, [name]: event.target.value })} />
		</label>
	);
	return (
		<>
			<FilterSelect
				label={words.period}
				value={value.period}
				options={options}
				onChange={(period) => onChange({ ...value, period })}
			/>
			{value.period === own && day('firstDay', words.from)}
			{value.period === own && day('lastDay', words.to)}
		</>
	);
}
