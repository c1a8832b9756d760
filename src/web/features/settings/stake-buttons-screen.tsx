import type { ReactElement } from 'react';
import { StakeButtons } from '#web/features/settings/stake-buttons.tsx';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

/** /change-button-values: the chips of the bet slip. */
export function StakeButtonsScreen(): ReactElement {
	return (
		<div className="screen form-screen">
			<h1 className="screen-title">{ACCOUNT_TEXTS.settings.stakes}</h1>
			<StakeButtons />
		</div>
	);
}
