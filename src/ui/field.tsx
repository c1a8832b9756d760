import { type InputHTMLAttributes, type ReactElement, type ReactNode, type Ref, useId } from 'react';

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

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
	label: string;
	/** The sentence under the field; empty while there is nothing to say. */
	error?: string | undefined;
	hint?: ReactNode;
	status?: FieldStatus;
	/** A button inside the field's box, such as show and hide. */
	action?: ReactNode;
	ref?: Ref<HTMLInputElement>;
}

const flag = (set: boolean | undefined): true | undefined => (set ? true : undefined);

/** A labelled input with its error below, which is read with it. One line of space is reserved for the error. */
export function Field({ label, error, hint, status, action, className = '', id, ...input }: FieldProps): ReactElement {
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
				<input {...input} id={inputId} aria-invalid={invalid || undefined} aria-describedby={noteId} />
				{action}
			</div>
			<p id={noteId} className={`min-h-4 text-xs ${invalid ? 'text-loss' : 'text-muted'}`}>
				{invalid ? error : hint}
			</p>
		</div>
	);
}
