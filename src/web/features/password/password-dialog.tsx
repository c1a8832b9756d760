import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { answerQuestion } from '#web/store/questions.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.passwordQuestion;

/** Asks for the password of the login before money moves; what was asked for then goes on. */
export function PasswordDialog(): ReactElement {
	const [password, setPassword] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState('');
	async function confirm(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (isBusy || password === '') return;
		setBusy(true);
		setRefusal('');
		try {
			await call('confirmPassword', { password });
			answerQuestion('PASSWORD_NEEDED', true);
		} catch (failure) {
			setRefusal(messageOf(failure));
			setBusy(false);
		}
	}
	return (
		<Modal
			open
			size="small"
			title={words.title}
			closeLabel={words.leave}
			onClose={() => answerQuestion('PASSWORD_NEEDED', false)}
			initialFocus={() => document.querySelector<HTMLElement>('#password-question input')}
		>
			<form id="password-question" className="flex flex-col gap-2" onSubmit={(event) => void confirm(event)}>
				<p className="text-muted">{words.hint}</p>
				<PasswordField
					label={ACCOUNT_TEXTS.login.password}
					showLabel={ACCOUNT_TEXTS.login.showPassword}
					hideLabel={ACCOUNT_TEXTS.login.hidePassword}
					autoComplete="current-password"
					value={password}
					onChange={(event) => setPassword(event.target.value)}
				/>
				<p role="alert" className="min-h-5 text-loss">
					{refusal}
				</p>
				<Button type="submit" variant="primary" busy={isBusy}>
					{words.goOn}
				</Button>
			</form>
		</Modal>
	);
}
