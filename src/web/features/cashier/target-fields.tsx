import type { ReactElement } from 'react';
import { Field } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import {
	FIELDS_OF,
	type SavedTarget,
	type TargetField,
	type TypedTarget,
} from '#web/features/cashier/withdrawal-target.ts';
import { formatDateTime } from '#web/format.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';

const words = CASHIER_TEXTS.withdrawal;

/** Saved details first, then new ones of each method that is open. */
export function TargetFields({
	typed,
	onTyped,
	errors,
	saved,
	methods,
}: {
	typed: TypedTarget;
	onTyped: (typed: TypedTarget) => void;
	errors: Partial<Record<TargetField, string>>;
	saved: readonly SavedTarget[];
	methods: readonly ('UPI' | 'BANK')[];
}): ReactElement {
	const fresh = { UPI: words.newUpi, BANK: words.newBank };
	const chosen = saved.find(({ id }) => id === typed.choice);
	const waits = useCountdown(chosen ? Date.parse(chosen.usableFrom) : 0) > 0;
	return (
		<>
			<FilterSelect
				label={words.to}
				value={typed.choice}
				options={[
					...saved.map(({ id, method, masked }) => ({ value: id, text: `${words.methods[method]} ${masked}` })),
					...methods.map((method) => ({
						value: method as string,
						text: saved.length > 0 ? fresh[method] : words.methods[method],
					})),
				]}
				onChange={(choice) => onTyped({ ...typed, choice })}
			/>
			{chosen && waits && <p className="text-suspended">{words.waits(formatDateTime(chosen.usableFrom))}</p>}
			{(FIELDS_OF[typed.choice] ?? []).map((field) => (
				<Field
					key={field}
					label={words[field]}
					value={typed[field]}
					inputMode={field === 'accountNumber' ? 'numeric' : 'text'}
					autoComplete="off"
					autoCapitalize={field === 'ifsc' ? 'characters' : 'none'}
					error={errors[field]}
					onChange={({ target }) => onTyped({ ...typed, [field]: target.value })}
				/>
			))}
		</>
	);
}
