import { type ReactElement, useEffect } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { Mobile, NewPassword, NewUserName, ReferralCode, RULE_MESSAGES } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule, statusOf } from '#ui/form-check.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { CallFailure } from '#web/api/failure.ts';
import { useAsking } from '#web/features/login/use-asking.ts';
import { useBrand } from '#web/store/brand.ts';
import { showLoginStep } from '#web/store/dialogs.ts';
import { forgetInvitation, invitationCode } from '#web/store/invitation.ts';
import { keepRegistration } from '#web/store/registration.ts';
import { logIn, useSession } from '#web/store/session.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.register;

interface Entered {
	userName: string;
	mobile: string;
	password: string;
	confirmPassword: string;
	referralCode: string;
}

const EMPTY: Entered = { userName: '', mobile: '', password: '', confirmPassword: '', referralCode: '' };

/** The fields a refusal is about, with its sentence. */
function fieldErrors(failure: CallFailure): { field: FieldPath<Entered>; message: string }[] {
	if (failure.code === 'NAME_TAKEN') return [{ field: 'userName', message: failure.message }];
	if (failure.code === 'UNKNOWN_REFERRAL_CODE') return [{ field: 'referralCode', message: failure.message }];
	if (failure.code === 'PASSWORD_TOO_COMMON') return [{ field: 'password', message: failure.message }];
	return failure.validationErrors.flatMap(({ member, message }) =>
		member in EMPTY ? [{ field: member as FieldPath<Entered>, message }] : [],
	);
}

/** Where a player is helped to an account, if the brand has such a place. */
function GetIdLink(): ReactElement | null {
	const setting = useBrand((state) => state.setting);
	const loggedIn = useSession((state) => state.user !== null);
	if (!setting?.showSupportLink || !(setting.allowSignUp || loggedIn)) return null;
	return (
		<a href={setting.supportLink} target="_blank" rel="noreferrer" className="button" data-variant="outline">
			<span>
				{words.getId}
				<small className="block text-xs font-normal text-muted">{words.getIdHint}</small>
			</span>
		</a>
	);
}

/** What the form does when it is sent: the code's form comes next, or on some brands the player is in at once. */
async function signUp(entered: Entered, onSkipped: () => void): Promise<void> {
	const { userName, mobile } = entered;
	const { domain, autoVerifyCode } = await call('register', entered);
	forgetInvitation();
	if (autoVerifyCode === undefined) {
		keepRegistration({ userName, mobile, domain });
		return showLoginStep('verification');
	}
	logIn(await call('verificationUser', { userName, mobile, domain, otp: autoVerifyCode }));
	onSkipped();
}

/** Username, mobile number, password twice and a referral code. */
export function RegisterForm({ onSkipped }: { onSkipped: () => void }): ReactElement {
	const { busy, refusal, ask } = useAsking<'register'>();
	const { register, handleSubmit, formState, getValues, setError, setFocus, trigger } = useForm<Entered>({
		mode: 'onBlur',
		reValidateMode: 'onBlur',
		defaultValues: { ...EMPTY, referralCode: invitationCode() },
	});
	const { errors, touchedFields } = formState;
	useEffect(() => {
		// The link that led here is gone; a tab that did is still there and keeps the focus.
		if (!document.activeElement?.matches('[role="tab"]')) setFocus('userName');
	}, [setFocus]);
	const field = (name: FieldPath<Entered>) => ({
		error: fieldRefusal(errors[name]?.message),
		status: statusOf(formState, name),
	});
	const submit = handleSubmit((entered) =>
		ask('register', async () => {
			try {
				await signUp(entered, onSkipped);
			} catch (failure) {
				const wrong = failure instanceof CallFailure ? fieldErrors(failure) : [];
				// Said once, under its field, where the player goes on.
				if (wrong.length === 0) throw failure;
				for (const [at, { field: name, message }] of wrong.entries())
					setError(name, { message }, { shouldFocus: at === 0 });
			}
		}),
	);
	const showHide = { showLabel: ACCOUNT_TEXTS.login.showPassword, hideLabel: ACCOUNT_TEXTS.login.hidePassword };
	// A changed password may make the repetition right or wrong.
	const onBlur = () => void (touchedFields.confirmPassword && trigger('confirmPassword'));
	return (
		<form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
			<Field
				label={ACCOUNT_TEXTS.login.userName}
				autoComplete="username"
				autoCapitalize="none"
				spellCheck={false}
				{...field('userName')}
				{...register('userName', { validate: rule(NewUserName) })}
			/>
			<Field
				label={words.mobile}
				type="tel"
				autoComplete="tel"
				{...field('mobile')}
				{...register('mobile', { validate: rule(Mobile) })}
			/>
			<PasswordField
				{...showHide}
				label={ACCOUNT_TEXTS.login.password}
				autoComplete="new-password"
				{...field('password')}
				{...register('password', { validate: rule(NewPassword), onBlur })}
			/>
			<PasswordField
				{...showHide}
				label={words.confirmPassword}
				autoComplete="new-password"
				{...field('confirmPassword')}
				{...register('confirmPassword', {
					validate: (value) => value === getValues('password') || RULE_MESSAGES.passwordsDiffer,
				})}
			/>
			<Field
				label={words.referralCode}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				{...field('referralCode')}
				{...register('referralCode', { validate: rule(ReferralCode) })}
			/>
			<p role="alert" className="min-h-5 text-loss">
				{refusal}
			</p>
			<div className="register-actions">
				<Button type="submit" variant="primary" busy={busy === 'register'}>
					{words.submit}
				</Button>
				<GetIdLink />
			</div>
		</form>
	);
}
