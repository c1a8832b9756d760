import {
	type InputHTMLAttributes,
	type ReactElement,
	type ReactNode,
	type Ref,
	type SelectHTMLAttributes,
	type TextareaHTMLAttributes,
	useId,
} from 'react';

/** The state of a form field, passed to styles and tests as data attributes. */
export interface FieldStatus {
	touched?: boolean;
	dirty?: boolean;
	valid?: boolean;
	/** A check is running. */
	pending?: boolean;
	/** A check has run at least once. */
	validated?: boolean;
}

interface FieldFrameProps {
	label: string;
	/** The sentence under the field; empty while there is nothing to say. */
	error?: string | undefined;
	hint?: ReactNode;
	status?: FieldStatus | undefined;
	/** A button inside the field's box, such as show and hide. */
	action?: ReactNode;
	className?: string | undefined;
	id?: string | undefined;
}

export interface FieldProps extends FieldFrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
	ref?: Ref<HTMLInputElement>;
}

interface LongFieldProps
	extends FieldFrameProps,
		Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'> {
	ref?: Ref<HTMLTextAreaElement>;
}

interface SelectFieldProps extends FieldFrameProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className'> {
	options: readonly { value: string; text: string }[];
	ref?: Ref<HTMLSelectElement>;
}

const flag = (set: boolean | undefined): true | undefined => (set ? true : undefined);

/** What a control says of itself to those who hear the page. */
interface Aria {
	id: string;
	'aria-invalid': true | undefined;
	'aria-describedby': string;
}

/** The label, the box and the sentence under it. One line of space is reserved for the sentence. */
function FieldFrame({
	label,
	error,
	hint,
	status,
	action,
	className = '',
	id,
	children,
}: FieldFrameProps & { children: (aria: Aria) => ReactNode }): ReactElement {
	const made = useId();
	const inputId = id ?? made;
	const noteId = `${inputId}-note`;
	const invalid = error !== undefined && error !== '';
	return (
		<div
			className={`field flex flex-col gap-1 ${className}`}
			data-invalid={flag(invalid)}
			data-touched={flag(status?.touched)}
			data-dirty={flag(status?.dirty)}
			data-valid={flag(status?.valid)}
			data-pending={flag(status?.pending)}
			data-validated={flag(status?.validated)}
		>
			<label htmlFor={inputId} className="text-sm font-medium text-muted">
				{label}
			</label>
			<div className="field-box">
				{children({ id: inputId, 'aria-invalid': flag(invalid), 'aria-describedby': noteId })}
				{action}
			</div>
			<p id={noteId} className={`min-h-4 text-xs ${invalid ? 'text-loss' : 'text-muted'}`}>
				{invalid ? error : hint}
			</p>
		</div>
	);
}

/** A labelled input with its error below, which is read with it. */
export function Field({ label, error, hint, status, action, className, id, ...input }: FieldProps): ReactElement {
	return (
		<FieldFrame {...{ label, error, hint, status, action, className, id }}>
			{(aria) => <input {...input} {...aria} />}
		</FieldFrame>
	);
}

/** The same for a text of several lines. */
export function LongField({ label, error, hint, status, className, id, ...area }: LongFieldProps): ReactElement {
	return (
		<FieldFrame {...{ label, error, hint, status, className, id }}>
			{(aria) => <textarea rows={3} {...area} {...aria} />}
		</FieldFrame>
	);
}

/** The same for one of several values. */
export function SelectField(props: SelectFieldProps): ReactElement {
	const { label, error, hint, status, className, id, options, ...select } = props;
	return (
		<FieldFrame {...{ label, error, hint, status, className, id }}>
			{(aria) => (
				<select {...select} {...aria}>
					{options.map(({ value, text }) => (
						<option key={value} value={value}>
							{text}
						</option>
					))}
				</select>
			)}
		</FieldFrame>
	);
}
