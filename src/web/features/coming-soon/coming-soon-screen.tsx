import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import './coming-soon.css';

export type SoonKind = keyof typeof SCREEN_TEXTS.soon.kinds;

/** A price grid whose last level is still missing. */
function Scaffold(): ReactElement {
	return (
		<svg viewBox="0 0 220 120" aria-hidden="true" className="soon-picture">
			<g className="soon-lines">
				<path d="M20 104V20M66 104V20M112 104V44M158 104V68M200 104V92M20 104h180M20 76h138M20 48h92M20 20h46" />
			</g>
			<rect className="soon-back" x="26" y="80" width="34" height="20" rx="4" />
			<rect className="soon-back" x="72" y="80" width="34" height="20" rx="4" />
			<rect className="soon-back" x="26" y="52" width="34" height="20" rx="4" />
			<rect className="soon-lay" x="118" y="80" width="34" height="20" rx="4" />
			<rect className="soon-lay" x="72" y="52" width="34" height="20" rx="4" />
			<rect className="soon-next" x="26" y="24" width="34" height="20" rx="4" />
			<rect className="soon-next" x="164" y="80" width="30" height="20" rx="4" />
		</svg>
	);
}

/** A placeholder for a part of the site that is not open yet. */
export function ComingSoonScreen({ kind }: { kind: SoonKind }): ReactElement {
	const { title, text } = SCREEN_TEXTS.soon.kinds[kind];
	return (
		<div className="soon">
			<Scaffold />
			<h1 className="text-lg font-bold">{title}</h1>
			<p className="max-w-[42ch] text-muted">{text}</p>
			<Link to="/matchlist/$id" params={{ id: '3' }} className="button" data-variant="primary">
				{SCREEN_TEXTS.soon.back}
			</Link>
		</div>
	);
}

export const SoonScreen = (): ReactElement => <ComingSoonScreen kind="soon" />;
export const ConstructionScreen = (): ReactElement => <ComingSoonScreen kind="construction" />;
