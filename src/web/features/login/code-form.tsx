import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import type { Login } from '#web/api/answers.ts';
import { StepHead, type StepLevel } from '#web/features/login/step-head.tsx';
import { useAsking } from '#web/features/login/use-asking.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.code;

/** The form takes the place of the one whose button had the focus. */
const focus = (field: HTMLInputElement | null): void => field?.focus();

/** The second factor, after the password: a code of the authenticator, or a recovery code. */
export function CodeForm({
	level,
	logIn,
	onLogin,
	onBack,
}: {
	level: StepLevel;
	/** With the name and the password that were right. */
	logIn: (code: string) => Promise<Login>;
	onLogin: (login: Login) => void;
	onBack: () => void;
}): ReactElement {
	const { busy, refusal, ask } = useAsking<'code'>();
	const [code, setCode] = useState('');
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void ask('code', async () => onLogin(await logIn(code.replaceAll(/\s/g, '').toLowerCase())));
	};
	return (
		<form noValidate aria-label={words.title} onSubmit={submit} className="flex flex-col gap-2">
			<StepHead level={level} title={words.title} hint={words.hint} />
			<Field
				label={words.label}
				autoComplete="one-time-code"
				autoCapitalize="none"
				spellCheck={false}
				maxLength={24}
				ref={focus}
				value={code}
				onChange={({ target }) => setCode(target.value)}
			/>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<Button type="submit" variant="primary" busy={busy === 'code'}>
				{words.submit}
			</Button>
			<Button variant="outline" onClick={onBack}>
				{words.back}
			</Button>
		</form>
	);
}
