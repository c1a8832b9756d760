import type { ReactElement } from 'react';
import { StakeButtons } from '#web/features/settings/stake-buttons.tsx';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

/** /change-button-values: the chips of the bet slip. */
export function StakeButtonsScreen(): ReactElement {
	return (
		<div className="flex max-w-[40rem] flex-col gap-4 p-2 lg:p-4">
			<h1 className="px-1 py-2 text-lg font-bold">{ACCOUNT_TEXTS.settings.stakes}</h1>
			<StakeButtons />
		</div>
	);
}
