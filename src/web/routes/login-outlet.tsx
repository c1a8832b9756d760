import { useBlocker, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LoginDialog } from '#web/features/login/login-dialog.tsx';
import { closeDialog, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { firstGameAfterLogin } from '#web/store/first-game.ts';
import { useSlip } from '#web/store/slip.ts';

/** What a visitor pressed before is in front of the new player on a phone, as it is in the column of a wide screen. */
function showPickedPrice(): void {
	if (useSlip.getState().selections.length > 0) showSlipSheet(true);
}

const close = () => closeDialog('login');

/** The login dialog over any screen, and where each of its ends leads. */
export function LoginOutlet(): ReactElement {
	const router = useRouter();
	const step = useDialogs((dialogs) => dialogs.step);
	// Back closes the dialog and stays on the screen below it.
	useBlocker({
		shouldBlockFn: ({ action }) => {
			if (action !== 'BACK') return false;
			close();
			return true;
		},
		enableBeforeUnload: false,
	});
	async function onLoggedIn(): Promise<void> {
		const { afterLogin } = useDialogs.getState();
		close();
		const href = (await firstGameAfterLogin()) ?? afterLogin;
		if (href !== null && href !== router.state.location.href) await router.navigate({ href });
		// The slip's sheet has an entry of its own on the way back, so that it comes after the navigation.
		showPickedPrice();
	}
	const leaveFor = (path: '/' | '/inplay') => () => {
		close();
		void router.navigate({ to: path }).then(showPickedPrice);
	};
	return (
		<LoginDialog
			step={step}
			onLoggedIn={() => void onLoggedIn()}
			onVerified={leaveFor('/')}
			onSkipped={leaveFor('/inplay')}
		/>
	);
}
