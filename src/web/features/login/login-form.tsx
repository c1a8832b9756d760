import { type ReactElement, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { showNotice } from '#web/store/notices.ts';
import { type Login, logIn } from '#web/store/session.ts';
import { TEXTS } from '#web/texts.ts';

interface Entered {
	userName: string;
	password: string;
	remember: boolean;
}

/** Runs a way of logging in; a refusal stands in the form and in a toast. */
function useLogin(onLoggedIn: () => void) {
	const [busy, setBusy] = useState<'password' | 'demo' | null>(null);
	const [refusal, setRefusal] = useState<string | null>(null);
	async function run(way: 'password' | 'demo', ask: () => Promise<Login>): Promise<void> {
		if (busy) return;
		setBusy(way);
		setRefusal(null);
		try {
			logIn(await ask());
			onLoggedIn();
		} catch (failure) {
			setRefusal(messageOf(failure));
			showNotice(messageOf(failure), 'error');
		} finally {
			setBusy(null);
		}
	}
	return { busy, refusal, run };
}

/** Name and password, or a demo account by one press; each button has its own spinner. */
export function LoginForm({ onLoggedIn }: { onLoggedIn: () => void }): ReactElement {
	const { busy, refusal, run } = useLogin(onLoggedIn);
	const [shown, setShown] = useState(false);
	const { register, handleSubmit, formState } = useForm<Entered>({
		mode: 'onBlur',
		reValidateMode: 'onBlur',
		defaultValues: { userName: '', password: '', remember: true },
	});
	const { errors, touchedFields, dirtyFields, isSubmitted } = formState;
	const status = (name: 'userName' | 'password') => ({
		touched: touchedFields[name] === true,
		dirty: dirtyFields[name] === true,
		valid: errors[name] === undefined && touchedFields[name] === true,
		validated: touchedFields[name] === true || isSubmitted,
	});
	const submit = handleSubmit(({ userName, password, remember }) =>
		run('password', () =>
			call('authenticate', { userNameOrEmailAddress: userName, password, rememberClient: remember }),
		),
	);
	return (
		<form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
			<Field
				label={TEXTS.login.userName}
				autoComplete="username"
				autoCapitalize="none"
				spellCheck={false}
				error={errors.userName?.message}
				status={status('userName')}
				{...register('userName', { required: TEXTS.login.required(TEXTS.login.userName) })}
			/>
			<Field
				label={TEXTS.login.password}
				type={shown ? 'text' : 'password'}
				autoComplete="current-password"
				error={errors.password?.message}
				status={status('password')}
				action={
					<button
						type="button"
						className="icon-button"
						aria-label={shown ? TEXTS.login.hidePassword : TEXTS.login.showPassword}
						onClick={() => setShown(!shown)}
					>
						<Icon solid>{shown ? 'eye-slash' : 'eye'}</Icon>
					</button>
				}
				{...register('password', { required: TEXTS.login.required(TEXTS.login.password) })}
			/>
			<label className="flex min-h-11 items-center gap-3">
				<input type="checkbox" className="size-5 accent-brand" {...register('remember')} />
				{TEXTS.login.remember}
			</label>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<Button type="submit" variant="primary" busy={busy === 'password'}>
				{TEXTS.login.submit}
			</Button>
			<p className="text-center text-xs text-muted">{TEXTS.login.or}</p>
			<Button
				variant="outline"
				busy={busy === 'demo'}
				onClick={() => void run('demo', () => call('loginAsDemoUser', {}))}
			>
				{TEXTS.login.demo}
			</Button>
			<p className="text-center text-xs text-muted">{TEXTS.login.demoNote}</p>
		</form>
	);
}
