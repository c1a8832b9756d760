import type { ReactElement } from 'react';
import { Spinner } from '#ui/spinner.tsx';
import { useLogo } from '#web/store/look.ts';
import { TEXTS } from '#web/texts.ts';

/** Fills the screen until the site is ready; looks as the page did before the script ran. */
export function LoadingOverlay(): ReactElement {
	const logo = useLogo();
	return (
		<div className="boot">
			{logo && <img src={logo} alt="" height="32" />}
			<Spinner label={TEXTS.app.loading} />
		</div>
	);
}
