import { type ReactElement, useState } from 'react';
import { Field, type FieldProps } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';

/** A field for a password, with a button that shows and hides what was typed. */
export function PasswordField({
	showLabel,
	hideLabel,
	...field
}: Omit<FieldProps, 'type' | 'action'> & { showLabel: string; hideLabel: string }): ReactElement {
	const [shown, setShown] = useState(false);
	return (
		<Field
			{...field}
			type={shown ? 'text' : 'password'}
			autoCapitalize="none"
			spellCheck={false}
			action={
				<button
					type="button"
					className="icon-button"
					aria-label={shown ? hideLabel : showLabel}
					onClick={() => setShown(!shown)}
				>
					<Icon solid>{shown ? 'eye-slash' : 'eye'}</Icon>
				</button>
			}
		/>
	);
}
