/** A form drawn from the schema of a call's input; the schema also checks it, with its own messages. */
import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import * as v from 'valibot';
import { AmountInput, amountProblem, majorFromText } from '#console/parts/amount-input.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import { IN_RUPEES } from '#contract/fields.ts';

/** A schema of an object, whose fields are drawn. */
interface ObjectSchema {
	entries: Readonly<Record<string, Described>>;
}

interface RecordFormProps<Schema extends v.GenericSchema & ObjectSchema> {
	/** Of the call's input. */
	schema: Schema;
	/** Fields that are drawn, with their labels; others come from `fixed`. */
	fields: Record<string, string>;
	fixed?: Record<string, unknown>;
	submit: string;
	error: Error | null;
	isBusy: boolean;
	/** @param input the checked fields as they are sent */
	onSubmit: (input: v.InferInput<Schema>) => void;
	children?: ReactNode;
}

type Kind = 'text' | 'number' | 'amount' | 'checkbox' | 'long' | { options: readonly string[] };

interface Described {
	type: string;
	options?: readonly unknown[];
	wrapped?: Described;
	pipe?: readonly (Described | typeof IN_RUPEES)[];
}

/** What kind of field a schema needs. */
function kindOf(schema: Described, name: string): Kind {
	if (schema.wrapped) return kindOf(schema.wrapped, name);
	if (schema.type === 'picklist') return { options: (schema.options ?? []).map(String) };
	if (schema.pipe?.includes(IN_RUPEES)) return 'amount';
	if (schema.type === 'number') return 'number';
	if (schema.type === 'boolean') return 'checkbox';
	return name === 'reason' || name === 'note' ? 'long' : 'text';
}

const isOptional = ({ type }: Described): boolean => type === 'optional' || type === 'nullable';

/** The text of a field as the schema takes it; undefined for an optional field that is empty. */
function readField(kind: Kind, text: FormDataEntryValue | null, optional: boolean): unknown {
	if (kind === 'checkbox') return text !== null;
	const given = String(text ?? '');
	if (given === '' && optional) return undefined;
	if (kind === 'amount') return majorFromText(given) ?? Number.NaN;
	if (kind === 'number') return given === '' ? Number.NaN : Number(given);
	if (typeof kind === 'object') return /^\d+$/.test(given) ? Number(given) : given;
	return given;
}

export function RecordForm<Schema extends v.GenericSchema & ObjectSchema>(
	props: RecordFormProps<Schema>,
): ReactElement {
	const { schema, fields, fixed = {}, submit, error, isBusy, onSubmit, children } = props;
	const [wrong, setWrong] = useState<Record<string, string>>({});
	const send = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const given = Object.keys(fields).map((name): [string, unknown] => {
			const described = schema.entries[name] as Described;
			return [name, readField(kindOf(described, name), form.get(name), isOptional(described))];
		});
		const input = { ...fixed, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
		const parsed = v.safeParse(schema, input);
		const issues = parsed.issues ?? [];
		const why = (name: string, message: string) =>
			kindOf(schema.entries[name] as Described, name) === 'amount'
				? (amountProblem(String(form.get(name) ?? '')) ?? message)
				: message;
		const wrongs = issues.map(({ path, message }) => ({ name: String(path?.[0]?.key ?? ''), message }));
		setWrong(Object.fromEntries(wrongs.map(({ name, message }) => [name, why(name, message)])));
		if (v.is(schema, input)) onSubmit(input);
	};
	return (
		<form className="record-form" onSubmit={send} noValidate>
			{Object.entries(fields).map(([name, label]) => (
				<FormField
					key={name}
					name={name}
					label={label}
					kind={kindOf(schema.entries[name] as Described, name)}
					wrong={wrong[name]}
				/>
			))}
			{children}
			<Problem error={error} />
			<button type="submit" className="primary" disabled={isBusy}>
				{submit}
			</button>
		</form>
	);
}

interface FormFieldProps {
	name: string;
	label: string;
	kind: Kind;
	wrong: string | undefined;
}

function FormField({ name, label, kind, wrong }: FormFieldProps): ReactElement {
	const id = useId();
	const aria = {
		id,
		name,
		'aria-invalid': wrong ? true : undefined,
		'aria-describedby': wrong ? `${id}-wrong` : undefined,
	};
	return (
		<div className="form-field">
			<label htmlFor={id}>{label}</label>
			{typeof kind === 'object' ? (
				<select {...aria}>
					{kind.options.map((option) => (
						<option key={option}>{option}</option>
					))}
				</select>
			) : kind === 'long' ? (
				<textarea {...aria} rows={2} />
			) : kind === 'amount' ? (
				<AmountInput {...aria} />
			) : (
				<input {...aria} type={kind} step={kind === 'number' ? 'any' : undefined} autoComplete="off" />
			)}
			{wrong && (
				<p id={`${id}-wrong`} className="wrong">
					{wrong}
				</p>
			)}
		</div>
	);
}
