import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { call } from '#web/api/client.ts';
import { StepHead, type StepLevel } from '#web/features/login/step-head.tsx';
import { useAsking } from '#web/features/login/use-asking.ts';
import { showNotice } from '#web/store/notices.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.unlock;

/** The way out of an account that is locked after wrong passwords: a code to its mobile. */
export function UnlockForm({
	userName,
	level,
	onUnlocked,
}: {
	userName: string;
	level: StepLevel;
	onUnlocked: () => void;
}): ReactElement {
	const { busy, refusal, ask } = useAsking<'send' | 'unlock'>();
	const [otp, setOtp] = useState('');
	const [isSent, setSent] = useState(false);
	const named = { userNameOrEmailAddress: userName };
	const send = () =>
		ask('send', async () => {
			await call('sendUnlockCode', named);
			setSent(true);
		});
	const unlock = (event: FormEvent) => {
		event.preventDefault();
		void ask('unlock', async () => {
			await call('unlockAccount', { ...named, otp: otp.trim() });
			showNotice(words.unlocked, 'success');
			onUnlocked();
		});
	};
	return (
		<form noValidate aria-label={words.title} onSubmit={unlock} className="flex flex-col gap-2">
			<StepHead level={level} title={words.title} hint={isSent ? words.sent : words.hint} />
			{isSent && (
				<Field
					label={ACCOUNT_TEXTS.verification.otp}
					inputMode="numeric"
					autoComplete="one-time-code"
					maxLength={6}
					value={otp}
					onChange={(event) => setOtp(event.target.value)}
				/>
			)}
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			{isSent && (
				<Button type="submit" variant="primary" busy={busy === 'unlock'}>
					{words.unlock}
				</Button>
			)}
			<Button variant="outline" busy={busy === 'send'} onClick={() => void send()}>
				{isSent ? words.again : words.send}
			</Button>
		</form>
	);
}
