import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { SupportLink } from '#ui/support-link.tsx';
import { useBrand } from '#web/store/brand.ts';
import { TEXTS } from '#web/texts.ts';

const LINKS = [
	{ to: '/bonus', text: TEXTS.menu.bonuses },
	{ to: '/referral', text: TEXTS.frame.referral },
	{ to: '/protection', text: TEXTS.frame.protection },
	{ to: '/rules', text: TEXTS.rules.title },
] as const;

function Bonuses({ bonuses }: Pick<DomainSetting, 'bonuses'>): ReactElement {
	return (
		<section aria-label={TEXTS.brand.bonuses}>
			<h2 className="mb-2 text-sm font-semibold">{TEXTS.brand.bonuses}</h2>
			<ul className="grid gap-2 sm:grid-cols-2">
				{bonuses.map(({ title, text }) => (
					<li key={`${title} ${text}`} className="rounded-lg border border-line bg-surface-1 p-4">
						<p className="font-semibold">{title}</p>
						<p className="mt-1 text-muted">{text}</p>
					</li>
				))}
			</ul>
		</section>
	);
}

/** The brand's footer below every screen: its bonuses, its description and its support link. */
export function SiteFooter(): ReactElement | null {
	const setting = useBrand((state) => state.setting);
	if (!setting) return null;
	const { bonuses, domainTitle, description, showSupportLink, supportLink, simulatedSports } = setting;
	return (
		<footer className="mt-8 flex flex-col gap-5 border-t border-line p-3 pb-6 lg:p-5">
			{bonuses.length > 0 && <Bonuses bonuses={bonuses} />}
			{simulatedSports && (
				<p className="flex items-center gap-2 text-xs text-muted lg:hidden">
					<span className="site-badge">{TEXTS.brand.simulated}</span>
					{TEXTS.brand.simulatedHint}
				</p>
			)}
			<div className="flex flex-wrap items-center justify-between gap-3 text-xs text-muted">
				<p>
					<strong className="font-semibold text-text">{domainTitle}</strong> {description}
				</p>
				<nav aria-label={TEXTS.brand.links} className="flex flex-wrap gap-x-4">
					{LINKS.map(({ to, text }) => (
						<Link key={to} to={to} className="inline-flex min-h-11 min-w-11 items-center underline underline-offset-2">
							{text}
						</Link>
					))}
				</nav>
				{showSupportLink && supportLink && <SupportLink href={supportLink}>{TEXTS.brand.support}</SupportLink>}
			</div>
		</footer>
	);
}
