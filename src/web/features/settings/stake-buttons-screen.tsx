import type { ReactElement } from 'react';
import { FormScreen } from '#ui/form-screen.tsx';
import { StakeButtons } from '#web/features/settings/stake-buttons.tsx';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

/** /change-button-values: the chips of the bet slip. */
export function StakeButtonsScreen(): ReactElement {
	const userId = useSession(({ user }) => user?.userId);
	return (
		<FormScreen title={ACCOUNT_TEXTS.settings.stakes}>
			<StakeButtons key={userId} />
		</FormScreen>
	);
}
