import { type ReactElement, useState } from 'react';
import { useForm } from 'react-hook-form';
import { GivenName, GivenPassword } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule, statusOf } from '#ui/form-check.ts';
import { PasswordField } from '#ui/password-field.tsx';
import type { Login } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { CallFailure } from '#web/api/failure.ts';
import { CodeForm } from '#web/features/login/code-form.tsx';
import { PasskeyLogin } from '#web/features/login/passkey-login.tsx';
import { ResetForm } from '#web/features/login/reset-form.tsx';
import type { StepLevel } from '#web/features/login/step-head.tsx';
import { UnlockForm } from '#web/features/login/unlock-form.tsx';
import { useAsking } from '#web/features/login/use-asking.ts';
import { formatDateTime } from '#web/format.ts';
import { useBrand } from '#web/store/brand.ts';
import { showLoginStep } from '#web/store/dialogs.ts';
import { showNotice } from '#web/store/notices.ts';
import { logIn } from '#web/store/session.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.login;

interface Entered {
	userName: string;
	password: string;
	remember: boolean;
}

/** The way to the register form, where the brand takes new players. */
function SignUpLink(): ReactElement | null {
	const allowed = useBrand((state) => state.setting?.allowSignUp ?? false);
	if (!allowed) return null;
	return (
		<p className="flex items-center justify-center gap-1 text-muted">
			{words.noAccount}
			<button
				type="button"
				className="min-h-11 px-2 font-semibold text-brand-text underline"
				onClick={() => showLoginStep('register')}
			>
				{words.signUp}
			</button>
		</p>
	);
}

/** Name and password, or a demo account by one press; each button has its own spinner. */
export function LoginForm({ level, onLoggedIn }: { level: StepLevel; onLoggedIn: () => void }): ReactElement {
	const { busy, refusal, code, ask } = useAsking<'password' | 'passkey' | 'demo'>();
	const [asksCode, setAsksCode] = useState(false);
	const { register, handleSubmit, formState, getValues } = useForm<Entered>({
		mode: 'onBlur',
		reValidateMode: 'onBlur',
		defaultValues: { userName: '', password: '', remember: true },
	});
	const { errors } = formState;
	const [isResetting, setResetting] = useState(false);
	const enter = (login: Login) => {
		logIn(login, { keep: getValues('remember') });
		if (login.lastLogin) showNotice(words.lastLogin(formatDateTime(login.lastLogin.at), login.lastLogin.userIp));
		onLoggedIn();
	};
	const authenticate = (code?: string) => {
		const { userName, password, remember } = getValues();
		const named = { userNameOrEmailAddress: userName, password, rememberClient: remember };
		return call('authenticate', code === undefined ? named : { ...named, code });
	};
	const submit = handleSubmit(() =>
		ask('password', async () => {
			try {
				enter(await authenticate());
			} catch (failure) {
				if (!(failure instanceof CallFailure && failure.code === 'CODE_NEEDED')) throw failure;
				setAsksCode(true);
			}
		}),
	);
	const submitAgain = () => void submit();
	if (code === 'ACCOUNT_LOCKED')
		return <UnlockForm level={level} userName={getValues('userName')} onUnlocked={submitAgain} />;
	if (isResetting)
		return <ResetForm level={level} userName={getValues('userName')} onDone={() => setResetting(false)} />;
	if (asksCode)
		return <CodeForm level={level} logIn={authenticate} onLogin={enter} onBack={() => setAsksCode(false)} />;
	const playDemo = () =>
		ask('demo', async () => {
			logIn(await call('loginAsDemoUser', {}));
			onLoggedIn();
		});
	return (
		<form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
			<Field
				label={words.userName}
				autoComplete="username"
				autoCapitalize="none"
				spellCheck={false}
				error={fieldRefusal(errors.userName?.message)}
				status={statusOf(formState, 'userName')}
				{...register('userName', { validate: rule(GivenName) })}
			/>
			<PasswordField
				label={words.password}
				showLabel={words.showPassword}
				hideLabel={words.hidePassword}
				autoComplete="current-password"
				error={fieldRefusal(errors.password?.message)}
				status={statusOf(formState, 'password')}
				{...register('password', { validate: rule(GivenPassword) })}
			/>
			<label className="flex min-h-11 items-center gap-3">
				<input type="checkbox" className="size-5 accent-brand" {...register('remember')} />
				{words.remember}
			</label>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<Button type="submit" variant="primary" busy={busy === 'password'}>
				{words.submit}
			</Button>
			<button
				type="button"
				className="min-h-11 self-center px-2 text-brand-text underline"
				onClick={() => setResetting(true)}
			>
				{ACCOUNT_TEXTS.reset.forgot}
			</button>
			<p className="text-center text-xs text-muted">{words.or}</p>
			<PasskeyLogin
				busy={busy === 'passkey'}
				remember={() => getValues('remember')}
				ask={(work) => void ask('passkey', work)}
				onLogin={enter}
			/>
			<Button variant="outline" busy={busy === 'demo'} onClick={() => void playDemo()}>
				{words.demo}
			</Button>
			<p className="text-center text-xs text-muted">{words.demoNote}</p>
			<SignUpLink />
		</form>
	);
}
