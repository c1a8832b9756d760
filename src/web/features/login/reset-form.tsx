import { type FormEvent, type ReactElement, useState } from 'react';
import { NewPassword } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { StepHead, type StepLevel } from '#web/features/login/step-head.tsx';
import { useAsking } from '#web/features/login/use-asking.ts';
import { showNotice } from '#web/store/notices.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.reset;

/** A new password without the old one: by a code to the proven mail address or mobile. */
export function ResetForm({
	userName,
	level,
	onDone,
}: {
	userName: string;
	level: StepLevel;
	onDone: () => void;
}): ReactElement {
	const { busy, refusal, ask } = useAsking<'MAIL' | 'MOBILE' | 'set'>();
	const [name, setName] = useState(userName);
	const [otp, setOtp] = useState('');
	const [password, setPassword] = useState('');
	const [fault, setFault] = useState('');
	const [isSent, setSent] = useState(false);
	const named = { userNameOrEmailAddress: name.trim() };
	const send = (by: 'MAIL' | 'MOBILE') =>
		ask(by, async () => {
			await call('sendResetCode', { ...named, by });
			setSent(true);
		});
	const set = (event: FormEvent) => {
		event.preventDefault();
		const sound = rule(NewPassword)(password);
		setFault(sound === true ? '' : (fieldRefusal(sound) ?? ''));
		if (sound !== true) return;
		void ask('set', async () => {
			await call('resetPassword', {
				...named,
				otp: otp.trim(),
				newPassword: password,
				confirmPassword: password,
			});
			showNotice(words.done, 'success');
			onDone();
		});
	};
	return (
		<form noValidate aria-label={words.title} onSubmit={set} className="flex flex-col gap-2">
			<StepHead level={level} title={words.title} hint={isSent ? words.sent : words.hint} />
			<Field
				label={words.name}
				autoComplete="username"
				autoCapitalize="none"
				spellCheck={false}
				value={name}
				onChange={({ target }) => {
					setName(target.value);
					setSent(false);
				}}
			/>
			{isSent && (
				<>
					<Field
						label={ACCOUNT_TEXTS.verification.otp}
						inputMode="numeric"
						autoComplete="one-time-code"
						maxLength={6}
						value={otp}
						onChange={({ target }) => setOtp(target.value)}
					/>
					<PasswordField
						label={ACCOUNT_TEXTS.password.next}
						showLabel={ACCOUNT_TEXTS.login.showPassword}
						hideLabel={ACCOUNT_TEXTS.login.hidePassword}
						autoComplete="new-password"
						value={password}
						error={fault}
						onChange={({ target }) => setPassword(target.value)}
					/>
				</>
			)}
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			{isSent && (
				<Button type="submit" variant="primary" busy={busy === 'set'}>
					{words.set}
				</Button>
			)}
			<Button variant="outline" busy={busy === 'MAIL'} disabled={name.trim() === ''} onClick={() => void send('MAIL')}>
				{words.byMail}
			</Button>
			<Button
				variant="outline"
				busy={busy === 'MOBILE'}
				disabled={name.trim() === ''}
				onClick={() => void send('MOBILE')}
			>
				{words.byMobile}
			</Button>
			<Button variant="outline" onClick={onDone}>
				{words.back}
			</Button>
		</form>
	);
}
