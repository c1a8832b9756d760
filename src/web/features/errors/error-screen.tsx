import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';
import { SupportLink } from '#ui/support-link.tsx';
import { useBrand } from '#web/store/brand.ts';
import { useLogo } from '#web/store/look.ts';
import { TEXTS } from '#web/texts.ts';

export type ErrorKind = 'notAuthorized' | 'notFound' | 'serverError' | 'maintenance' | 'offline';

/** The full-page screens that say why nothing else is shown. */
export function ErrorScreen({ kind }: { kind: ErrorKind }): ReactElement {
	const setting = useBrand((state) => state.setting);
	const logo = useLogo();
	const failure = useBrand((state) => state.failure);
	const maintenance = kind === 'maintenance';
	const support = setting?.showSupportLink && setting.supportLink && (
		<SupportLink href={setting.supportLink}>{TEXTS.brand.support}</SupportLink>
	);
	return (
		<main className="grid min-h-dvh place-content-center gap-4 p-4">
			{setting && <img src={logo} alt={setting.domainTitle} className="mx-auto h-8 w-auto" />}
			<h1 className="unseen">{TEXTS.titles[kind]}</h1>
			<ScreenState
				icon={maintenance ? 'gear' : 'triangle-exclamation'}
				title={TEXTS.errors[kind]}
				action={
					maintenance ? (
						support
					) : (
						<Link to="/matchlist/$id" params={{ id: '3' }} className="button" data-variant="primary">
							{TEXTS.errors.toMatches}
						</Link>
					)
				}
			>
				{kind === 'offline' && TEXTS.errors.offlineHint}
				{maintenance && (
					<>
						{TEXTS.errors.maintenanceHint}
						{failure && <span className="mt-2 block text-xs">{failure}</span>}
					</>
				)}
			</ScreenState>
		</main>
	);
}
