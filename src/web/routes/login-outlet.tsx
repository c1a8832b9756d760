import { useBlocker, useRouter } from '@tanstack/react-router';
import { type ReactElement, useEffect, useEffectEvent } from 'react';
import { LoginDialog } from '#web/features/login/login-dialog.tsx';
import { closeDialog, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { firstGameAfterLogin } from '#web/store/first-game.ts';
import { useSession } from '#web/store/session.ts';
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
	const isPlayer = useSession(({ user }) => user !== null);
	// This page closes the dialog with its own log-in; one in another tab is as good.
	const goOn = useEffectEvent(() => {
		if (useDialogs.getState().open === 'login') void onLoggedIn();
	});
	useEffect(() => {
		if (isPlayer) goOn();
	}, [isPlayer]);
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
