import type { ReactElement } from 'react';
import { Modal } from '#ui/modal.tsx';
import { LoginForm } from '#web/features/login/login-form.tsx';
import { closeLoginDialog } from '#web/store/dialogs.ts';
import { TEXTS } from '#web/texts.ts';

/** The login dialog over whatever screen asked for it. */
export function LoginDialog({ onLoggedIn }: { onLoggedIn: () => void }): ReactElement {
	return (
		<Modal open sheet onClose={closeLoginDialog} title={TEXTS.login.title} closeLabel={TEXTS.app.close}>
			<LoginForm onLoggedIn={onLoggedIn} />
		</Modal>
	);
}
