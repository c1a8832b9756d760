import type { ReactElement } from 'react';
import { Spinner } from '#ui/spinner.tsx';
import { useDomain } from '#web/store/domain.ts';
import { TEXTS } from '#web/texts.ts';

/** Fills the screen until the site is ready; looks as the page did before the script ran. */
export function LoadingOverlay(): ReactElement {
	const logo = useDomain((state) => state.setting?.mainLogo);
	return (
		<div className="boot">
			{logo && <img src={logo} alt="" height="32" />}
			<Spinner label={TEXTS.app.loading} />
		</div>
	);
}
