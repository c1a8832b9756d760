import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { messageOf } from '#web/api/failure.ts';
import { ACCOUNT_TEXTS, SECURITY_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

/** A change of a factor: a dialog that asks for the password, and for what else the change needs. */
export function PasswordStep({
	title,
	hint,
	submit,
	danger = false,
	change,
	onDone,
	onClose,
	children,
}: {
	title: string;
	hint: string;
	submit: string;
	danger?: boolean;
	/** A failure is said in the dialog, which stays. */
	change: (password: string) => Promise<void>;
	/** By default the dialog closes. */
	onDone?: () => void;
	onClose: () => void;
	/** Further fields, above the password. */
	children?: ReactNode;
}): ReactElement {
	const [password, setPassword] = useState('');
	const [refusal, setRefusal] = useState('');
	const [isBusy, setBusy] = useState(false);
	async function confirm(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (isBusy) return;
		if (password === '') return setRefusal(SECURITY_TEXTS.noPassword);
		setBusy(true);
		setRefusal('');
		try {
			await change(password);
			(onDone ?? onClose)();
		} catch (failure) {
			setRefusal(messageOf(failure));
			setBusy(false);
		}
	}
	return (
		<Modal
			open
			sheet
			title={title}
			closeLabel={TEXTS.app.close}
			onClose={onClose}
			initialFocus={() => document.querySelector<HTMLElement>('#password-step input')}
		>
			<form id="password-step" noValidate className="flex flex-col gap-2" onSubmit={(event) => void confirm(event)}>
				<p className="text-muted">{hint}</p>
				{children}
				<PasswordField
					label={ACCOUNT_TEXTS.login.password}
					showLabel={ACCOUNT_TEXTS.login.showPassword}
					hideLabel={ACCOUNT_TEXTS.login.hidePassword}
					autoComplete="current-password"
					value={password}
					onChange={({ target }) => setPassword(target.value)}
				/>
				<p role="alert" className="min-h-5 text-loss">
					{refusal}
				</p>
				<Button type="submit" variant={danger ? 'danger' : 'primary'} busy={isBusy}>
					{submit}
				</Button>
			</form>
		</Modal>
	);
}
