import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import type { Login } from '#web/api/answers.ts';
import { knowsPasskeys, NoPasskey, passkeyLogin } from '#web/store/factors.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.login;

/** Logs in with a passkey of this device: no name, no password. */
export function PasskeyLogin({
	busy,
	remember,
	ask,
	onLogin,
}: {
	busy: boolean;
	remember: () => boolean;
	ask: (work: () => Promise<void>) => void;
	onLogin: (login: Login) => void;
}): ReactElement | null {
	if (!knowsPasskeys()) return null;
	const show = async () => {
		try {
			onLogin(await passkeyLogin(remember()));
		} catch (failure) {
			throw failure instanceof NoPasskey ? new Error(words.noPasskey) : failure;
		}
	};
	return (
		<Button variant="outline" busy={busy} onClick={() => ask(show)}>
			{words.passkey}
		</Button>
	);
}
