/** A member's own account: the password, and security keys. */
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Failure, type SessionResult, sessionCall } from '#console/api/operate.ts';
import { useMe } from '#console/api/queries.ts';
import { addKey } from '#console/api/security-key.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';
import { PasswordField } from '#ui/password-field.tsx';

const FIELDS = [
	['current', 'Present password', 'current-password'],
	['next', 'New password, 12 characters or more', 'new-password'],
	['again', 'New password again', 'new-password'],
] as const;

function PasswordForm(): ReactElement {
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
	if (state === 'changed') return <output>The password is changed. Your other sessions have ended.</output>;
	return (
		<form className="record-form" onSubmit={change}>
			{FIELDS.map(([field, label, autoComplete]) => (
				<PasswordField
					key={field}
					label={label}
					name={field}
					autoComplete={autoComplete}
					required
					showLabel={`Show: ${label}`}
					hideLabel={`Hide: ${label}`}
				/>
			))}
			<Problem error={error} />
			<Button type="submit" variant="primary" disabled={state === 'busy'}>
				Change the password
			</Button>
		</form>
	);
}

/** Keys are a second factor beside the app, whose codes they do without; removing one takes a code. */
function SecurityKeys(): ReactElement {
	const [keys, setKeys] = useState<SessionResult<'keys'>>([]);
	const [error, setError] = useState<Error | null>(null);
	const [isBusy, setBusy] = useState(false);
	const look = () => sessionCall('keys', {}).then(setKeys);
	useEffect(() => {
		void sessionCall('keys', {}).then(setKeys, setError);
	}, []);
	const send = (work: (form: FormData) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = event.currentTarget;
		setBusy(true);
		setError(null);
		work(new FormData(form))
			.then(look)
			.then(() => form.reset(), setError)
			.finally(() => setBusy(false));
	};
	const remove = (keyId: string) =>
		send((form) => sessionCall('remove-key', { keyId, code: String(form.get('code') ?? '') }));
	return (
		<section aria-label="Security keys">
			<h2>Security keys</h2>
			{keys.length === 0 && <p className="py-2 text-muted">You have none.</p>}
			{keys.map(({ keyId, name, createdAt, lastUsedAt }) => (
				<form key={keyId} className="acts" onSubmit={remove(keyId)}>
					<strong>{name}</strong>
					<span className="text-muted">
						since {time(createdAt)}, {lastUsedAt ? `used ${time(lastUsedAt)}` : 'not used yet'}
					</span>
					<input
						className="filter-text"
						name="code"
						aria-label={`Code to remove ${name}`}
						placeholder="Code of your app"
						autoComplete="off"
						required
					/>
					<Button type="submit" variant="danger" disabled={isBusy}>
						Remove {name}
					</Button>
				</form>
			))}
			<form className="acts" onSubmit={send((form) => addKey(String(form.get('name') ?? '')))}>
				<input
					className="filter-text"
					name="name"
					aria-label="Name of the new key"
					placeholder="Such as: blue key"
					autoComplete="off"
					required
				/>
				<Button type="submit" disabled={isBusy}>
					Add a security key
				</Button>
			</form>
			<Problem error={error} />
		</section>
	);
}

export function AccountDialog({ name, onClose }: { name: string; onClose: () => void }): ReactElement {
	const { data: me } = useMe();
	return (
		<Dialog title={`Account of ${name}`} onClose={onClose}>
			<h2>Password</h2>
			<PasswordForm />
			{me?.hasFactor && <SecurityKeys />}
		</Dialog>
	);
}
