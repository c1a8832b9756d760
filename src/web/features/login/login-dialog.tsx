import { type ReactElement, useRef } from 'react';
import { Modal } from '#ui/modal.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { LoginForm } from '#web/features/login/login-form.tsx';
import { RegisterForm } from '#web/features/login/register-form.tsx';
import { VerificationForm } from '#web/features/login/verification-form.tsx';
import { useBrand } from '#web/store/brand.ts';
import { closeDialog, type LoginStep, showLoginStep, useDialogs } from '#web/store/dialogs.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const TABS = [
	{ key: 'login', label: ACCOUNT_TEXTS.login.submit },
	{ key: 'register', label: ACCOUNT_TEXTS.register.submit },
] as const;

const TITLES: Record<LoginStep, string> = {
	login: ACCOUNT_TEXTS.login.title,
	register: ACCOUNT_TEXTS.register.title,
	verification: ACCOUNT_TEXTS.verification.title,
};

interface LoginDialogProps {
	step: LoginStep;
	onLoggedIn: () => void;
	/** A new player gave the code. */
	onVerified: () => void;
	/** A new player on a brand that asks for none. */
	onSkipped: () => void;
}

/** Log in, sign up and verify, over the screen that asked for it; tabs switch between them. */
export function LoginDialog({ step, onLoggedIn, onVerified, onSkipped }: LoginDialogProps): ReactElement {
	const allowSignUp = useBrand((state) => state.setting?.allowSignUp ?? false);
	const forms: Record<LoginStep, ReactElement> = {
		login: <LoginForm level="h3" onLoggedIn={onLoggedIn} />,
		register: <RegisterForm onSkipped={onSkipped} />,
		verification: <VerificationForm onVerified={onVerified} />,
	};
	const form = useRef<HTMLDivElement>(null);
	const shown = allowSignUp ? step : 'login';
	return (
		<Modal
			open
			opener={useDialogs((dialogs) => dialogs.opener)}
			sheet
			onClose={() => closeDialog('login')}
			title={TITLES[shown]}
			closeLabel={TEXTS.app.close}
			initialFocus={() => form.current?.querySelector('input') ?? null}
		>
			<div ref={form}>
				{allowSignUp ? (
					<Tabs
						label={ACCOUNT_TEXTS.login.account}
						tabs={TABS}
						selected={shown === 'login' ? 'login' : 'register'}
						onSelect={showLoginStep}
					>
						<div key={shown} className="pt-4">
							{forms[shown]}
						</div>
					</Tabs>
				) : (
					forms.login
				)}
			</div>
		</Modal>
	);
}
