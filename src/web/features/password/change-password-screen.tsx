import { type ReactElement, useState } from 'react';
import { useForm } from 'react-hook-form';
import { GivenPassword, NewPassword, RULE_MESSAGES } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { rule, statusOf } from '#ui/form-check.ts';
import { FormScreen } from '#ui/form-screen.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { showNotice } from '#web/store/notices.ts';
import { useSession } from '#web/store/session.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.password;

interface Entered {
	currentPassword: string;
	newPassword: string;
	confirmPassword: string;
}

function PasswordForm(): ReactElement {
	const [busy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const { register, handleSubmit, formState, getValues, reset, trigger } = useForm<Entered>({
		mode: 'onBlur',
		reValidateMode: 'onBlur',
		defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
	});
	const field = (name: keyof Entered) => ({
		error: fieldRefusal(formState.errors[name]?.message),
		status: statusOf(formState, name),
		showLabel: ACCOUNT_TEXTS.login.showPassword,
		hideLabel: ACCOUNT_TEXTS.login.hidePassword,
	});
	const { touchedFields } = formState;
	const onBlur = () => void (touchedFields.confirmPassword && trigger('confirmPassword'));
	async function save(entered: Entered): Promise<void> {
		if (busy) return;
		setBusy(true);
		setRefusal(null);
		try {
			await call('changePassword', entered);
			reset();
			showNotice(words.saved, 'success');
		} catch (failure) {
			setRefusal(messageOf(failure));
		} finally {
			setBusy(false);
		}
	}
	return (
		<form
			noValidate
			onSubmit={(event) => void handleSubmit(save)(event)}
			className="flex flex-col gap-2 rounded-lg border border-line bg-surface-1 p-4"
		>
			<p className="pb-2 text-muted">{words.hint}</p>
			<PasswordField
				{...field('currentPassword')}
				label={words.current}
				autoComplete="current-password"
				{...register('currentPassword', { validate: rule(GivenPassword) })}
			/>
			<PasswordField
				{...field('newPassword')}
				label={words.next}
				autoComplete="new-password"
				{...register('newPassword', { validate: rule(NewPassword), onBlur })}
			/>
			<PasswordField
				{...field('confirmPassword')}
				label={words.confirm}
				autoComplete="new-password"
				{...register('confirmPassword', {
					validate: (value) => value === getValues('newPassword') || RULE_MESSAGES.passwordsDiffer,
				})}
			/>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<Button type="submit" variant="primary" busy={busy}>
				{words.save}
			</Button>
		</form>
	);
}

/** /change-password: the present one, and the new one twice. */
export function ChangePasswordScreen(): ReactElement {
	const isDemo = useSession((state) => state.user?.isDemo ?? false);
	return (
		<FormScreen title={words.title} closed={isDemo && { title: words.demo, hint: words.demoHint }}>
			<PasswordForm />
		</FormScreen>
	);
}
