/** A member's own account: changing the password. */
import { type FormEvent, type ReactElement, useState } from 'react';
import { Failure, sessionCall } from '#console/api/operate.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';

const FIELDS = [
	['current', 'Present password', 'current-password'],
	['next', 'New password, 12 characters or more', 'new-password'],
	['again', 'New password again', 'new-password'],
] as const;

export function AccountDialog({ name, onClose }: { name: string; onClose: () => void }): ReactElement {
	const [error, setError] = useState<Error | null>(null);
	const [state, setState] = useState<'open' | 'busy' | 'changed'>('open');
	const change = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const [current, next, again] = FIELDS.map(([field]) => String(form.get(field) ?? ''));
		if (next !== again) {
			setError(new Failure('VALIDATION_FAILED', 'The new password is not the same twice.'));
			return;
		}
		setError(null);
		setState('busy');
		sessionCall('change-password', { current: current ?? '', next: next ?? '' }).then(
			() => setState('changed'),
			(problem: Error) => {
				setError(problem);
				setState('open');
			},
		);
	};
	return (
		<Dialog title={`Password of ${name}`} onClose={onClose}>
			{state === 'changed' ? (
				<output>The password is changed. Your other sessions have ended.</output>
			) : (
				<form className="record-form" onSubmit={change}>
					{FIELDS.map(([field, label, autoComplete]) => (
						<label key={field} className="form-field">
							{label}
							<input name={field} type="password" autoComplete={autoComplete} required />
						</label>
					))}
					<Problem error={error} />
					<button type="submit" className="primary" disabled={state === 'busy'}>
						Change the password
					</button>
				</form>
			)}
		</Dialog>
	);
}
