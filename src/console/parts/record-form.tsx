/** A form drawn from the schema of a call's input; the schema also checks it, with its own messages. */
import type { ReactElement, ReactNode } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { amountSaid } from '#console/parts/amount-words.ts';
import { words } from '#console/parts/format.ts';
import { Problem } from '#console/parts/loaded.tsx';
import {
	type FormField,
	fieldOf,
	type ObjectSchema,
	problemOf,
	type Typed,
	valueOf,
} from '#console/parts/schema-fields.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField, SelectField } from '#ui/field.tsx';
import { statusOf } from '#ui/form-check.ts';

type Entered = Record<string, Typed>;

interface RecordFormProps<Schema extends ObjectSchema> {
	/** Of the call's input. */
	schema: Schema;
	/** Fields that are drawn, with their labels; others come from `fixed`. */
	fields: Record<string, string>;
	fixed?: Record<string, unknown>;
	/** What drawn fields begin with; others are empty. */
	standing?: Readonly<Record<string, Typed>>;
	submit: string;
	error: Error | null;
	isBusy: boolean;
	/** @param input the checked fields as they are sent */
	onSubmit: (input: v.InferInput<Schema>) => void;
	children?: ReactNode;
}

const firstOf = ({ kind }: FormField): Typed =>
	typeof kind === 'object' ? (kind.options[0] ?? '') : kind === 'checkbox' ? false : '';

export function RecordForm<Schema extends ObjectSchema>(props: RecordFormProps<Schema>): ReactElement {
	const { schema, fields, fixed = {}, standing = {}, submit, error, isBusy, onSubmit, children } = props;
	const drawn = Object.keys(fields).map((name) => ({ name, field: fieldOf(schema, name) }));
	const form = useForm<Entered>({
		mode: 'onSubmit',
		reValidateMode: 'onChange',
		defaultValues: Object.fromEntries(drawn.map(({ name, field }) => [name, standing[name] ?? firstOf(field)])),
		resolver: (entered) => {
			const given = drawn.map(({ name, field }): [string, unknown] => [name, valueOf(field, entered[name] ?? '')]);
			const input = { ...fixed, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
			const { issues = [] } = v.safeParse(schema, input);
			if (issues.length === 0) return { values: input as Entered, errors: {} };
			const wrong = issues.map(({ path, message }) => {
				const at = drawn.find(({ name }) => name === path?.[0]?.key) ?? drawn[0];
				return [
					at?.name,
					{ type: 'schema', message: at ? problemOf(at.field, entered[at.name] ?? '', message) : message },
				];
			});
			return { values: {}, errors: Object.fromEntries(wrong.toReversed()) };
		},
	});
	const send = form.handleSubmit((input) => v.is(schema, input) && onSubmit(input));
	return (
		<form className="record-form" onSubmit={(event) => void send(event)} noValidate>
			{drawn.map(({ name, field }) => (
				<DrawnField key={name} {...{ name, field, form }} label={fields[name] ?? words(name)} />
			))}
			{children}
			<Problem error={error} />
			<Button type="submit" variant="primary" busy={isBusy}>
				{submit}
			</Button>
		</form>
	);
}

interface DrawnFieldProps {
	name: string;
	label: string;
	field: FormField;
	form: UseFormReturn<Entered>;
}

function DrawnField({ name, label, field: { kind, bounds, longest }, form }: DrawnFieldProps): ReactElement {
	const { register, control, formState } = form;
	const typed = useWatch({ control, name });
	const shared = {
		label,
		autoComplete: 'off',
		error: formState.errors[name]?.message,
		status: statusOf(formState, name),
		...register(name),
	};
	if (kind === 'checkbox') {
		return (
			<label className="check">
				<input type="checkbox" {...register(name)} />
				{label}
			</label>
		);
	}
	if (typeof kind === 'object')
		return <SelectField {...shared} options={kind.options.map((value) => ({ value, text: value }))} />;
	if (kind === 'long') return <LongField {...shared} rows={2} maxLength={longest} />;
	if (kind === 'amount') return <Field {...shared} hint={amountSaid(String(typed))} />;
	if (kind === 'time') return <Field {...shared} type="datetime-local" />;
	return (
		<Field {...shared} type={kind} step={kind === 'number' ? 'any' : undefined} hint={bounds} maxLength={longest} />
	);
}
