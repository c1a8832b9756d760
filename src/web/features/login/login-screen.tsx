import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LoginForm } from '#web/features/login/login-form.tsx';
import { useBrand } from '#web/store/brand.ts';
import { firstGameAfterLogin } from '#web/store/first-game.ts';
import { useLogo } from '#web/store/look.ts';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

/** /auth/login: where a logout ends, and a login that the server does not know any more. */
export function LoginScreen(): ReactElement {
	const setting = useBrand((state) => state.setting);
	// A first visitor is not.
	const loggedOut = useSession(({ user, loginCount }) => user === null && loginCount > 0);
	const logo = useLogo('auth');
	const navigate = useNavigate();
	const leave = () => void navigate({ to: '/matchlist/$id', params: { id: '3' } });
	const enter = () => void firstGameAfterLogin().then((lobby) => (lobby ? navigate({ to: lobby }) : leave()));
	return (
		<main
			className="grid min-h-dvh place-items-center bg-cover bg-center p-4"
			style={setting?.authBackgroundImage ? { backgroundImage: `url(${setting.authBackgroundImage})` } : undefined}
		>
			<div className="w-full max-w-[26rem] rounded-xl border border-line bg-surface-1 p-6">
				<img src={logo} alt={setting?.domainTitle ?? ''} className="mb-4 h-9 w-auto" />
				<h1 className="mb-1 text-lg font-semibold">{ACCOUNT_TEXTS.login.title}</h1>
				{loggedOut && <p className="mb-4 text-muted">{ACCOUNT_TEXTS.login.loggedOut}</p>}
				<LoginForm level="h2" onLoggedIn={enter} />
				<button type="button" className="mt-4 min-h-11 w-full text-muted underline" onClick={leave}>
					{TEXTS.market.backToList}
				</button>
			</div>
		</main>
	);
}
