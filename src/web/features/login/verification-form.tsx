import { type ChangeEvent, type ReactElement, useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { OneTimeCode } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { minutesAndSeconds } from '#ui/duration-text.ts';
import { Field } from '#ui/field.tsx';
import { rule, statusOf } from '#ui/form-check.ts';
import { call } from '#web/api/client.ts';
import { useAsking } from '#web/features/login/use-asking.ts';
import { showNotice } from '#web/store/notices.ts';
import {
	forgetRegistration,
	registrationInProgress,
	restartCountdown,
	useRegistration,
} from '#web/store/registration.ts';
import { logIn } from '#web/store/session.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.verification;

/** How long until a new code may be asked for, then the button that asks. */
function Resend({ busy, onResend }: { busy: boolean; onResend: () => void }): ReactElement {
	const resendAtMs = useRegistration((state) => state.resendAtMs);
	const left = useCountdown(resendAtMs, Date.now);
	return (
		<div className="flex min-h-11 items-center justify-center gap-3">
			{left > 0 ? (
				<p className="text-muted">
					{words.countdown}{' '}
					<span role="timer" aria-label={words.countdown} className="tabular-nums">
						{minutesAndSeconds(left)}
					</span>
				</p>
			) : (
				<Button variant="outline" busy={busy} onClick={onResend}>
					{words.resend}
				</Button>
			)}
		</div>
	);
}

/** The one-time code that ends a registration. */
export function VerificationForm({ onVerified }: { onVerified: () => void }): ReactElement {
	const mobile = useRegistration((state) => state.mobile);
	const { busy, refusal, ask } = useAsking<'send' | 'resend'>();
	const { register, handleSubmit, formState, reset, setFocus } = useForm<{ otp: string }>({
		mode: 'onBlur',
		reValidateMode: 'onBlur',
		defaultValues: { otp: '' },
	});
	useEffect(() => {
		if (!registrationInProgress()) return;
		// The dialog restores the focus of the removed button first; a focus set before that would leave the field again,
		// which counts as a blur.
		const frame = requestAnimationFrame(() => setFocus('otp'));
		return () => cancelAnimationFrame(frame);
	}, [setFocus]);
	const send = handleSubmit(({ otp }) =>
		ask('send', async () => {
			const registrant = registrationInProgress();
			if (!registrant) return;
			logIn(await call('verificationUser', { ...registrant, otp: otp.trim() }));
			forgetRegistration();
			onVerified();
		}),
	);
	const resend = () =>
		ask('resend', async () => {
			const registrant = registrationInProgress();
			if (!registrant) return;
			await call('resendVerificationCode', registrant);
			restartCountdown();
			reset();
			showNotice(words.resent, 'success');
		});
	return (
		<form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-2">
			<p className="pb-2 text-muted">{words.sentTo(mobile)}</p>
			<Field
				label={words.otp}
				inputMode="numeric"
				autoComplete="one-time-code"
				maxLength={6}
				error={fieldRefusal(formState.errors.otp?.message)}
				status={statusOf(formState, 'otp')}
				{...register('otp', {
					validate: rule(OneTimeCode),
					// A whole code needs no press.
					onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
						if (/^\d{6}$/.test(target.value)) void send();
					},
				})}
			/>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<Button type="submit" variant="primary" busy={busy === 'send'}>
				{words.send}
			</Button>
			<Resend busy={busy === 'resend'} onResend={() => void resend()} />
		</form>
	);
}
