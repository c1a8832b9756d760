import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Authenticator } from '#web/features/security/authenticator.tsx';
import { LogIns } from '#web/features/security/log-ins.tsx';
import { Passkeys } from '#web/features/security/passkeys.tsx';
import { factorsQuery } from '#web/store/factors.ts';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS, SECURITY_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './security.css';

const words = SECURITY_TEXTS;

/** /security: the passkeys of the player, and the authenticator that is asked for after the password. */
export function SecurityScreen(): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	const asked = useQuery({ ...factorsQuery(), enabled: !isDemo });
	return (
		<FormScreen
			title={words.title}
			intro={words.intro}
			closed={isDemo && { title: ACCOUNT_TEXTS.password.demo, hint: words.demoHint }}
		>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="h-40 w-full" />}
				empty={null}
				isEmpty={() => false}
			>
				{({ passkeys, recoveryCodesLeft }) => (
					<>
						<Passkeys passkeys={passkeys} />
						<Authenticator recoveryCodesLeft={recoveryCodesLeft} />
						<LogIns />
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
